/** The page of Studio. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SecretDialog } from './action.js';
import { loadCommands, type RunError, signIn, toRunError } from './api.js';
import { BannersRoom } from './banners/banners-room.js';
import { CommandLine, commandLine } from './command-form.js';
import { CommandsRoom } from './commands-room.js';
import { DeliveriesRoom } from './deliveries/deliveries-room.js';
import { PagesRoom } from './pages/pages-room.js';
import { Busy, ErrorNotice, Notice } from './parts.js';
import { SiteRoom } from './site/site-room.js';
import { linkTo, type Route, type Site, SiteContext, useRoute } from './site.js';
import { changeLanguage, language, languageNames, texts } from './texts.js';
import { useRan } from './use-run.js';

const rooms: Readonly<Record<keyof typeof texts.rooms, (route: Route) => preact.ComponentChild>> = {
  pages: ([id]) => <PagesRoom id={id} />,
  banners: (route) => <BannersRoom route={route} />,
  deliveries: (route) => <DeliveriesRoom route={route} />,
  site: (route) => <SiteRoom route={route} />,
  commands: ([path]) => <CommandsRoom path={path} />,
};

function Studio() {
  const [site, setSite] = useState<Site | null>(null);
  const [error, setError] = useState<RunError | null>(null);
  const load = (): void => {
    setError(null);
    open().then(setSite, (thrown: unknown) => setError(toRunError(thrown)));
  };
  useEffect(load, []);
  if (error !== null)
    return (
      <main>
        <ErrorNotice error={error} retry={load} />
      </main>
    );
  if (site === null) return <Busy />;
  return (
    <SiteContext.Provider value={site}>
      <Shell site={site} />
    </SiteContext.Provider>
  );
}

function Shell({ site }: { readonly site: Site }) {
  const [name = 'pages', ...route] = useRoute();
  const room = Object.entries(rooms).find(([one]) => one === name)?.[1];
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {texts.skip}
      </button>
      <header>
        <b>{texts.title}</b>
        <nav aria-label={texts.title}>
          {Object.entries(texts.rooms).map(([one, title]) => (
            <a href={linkTo(one)} aria-current={one === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <span class="about" title={site.about.database}>
          {site.about.read_only ? `${texts.readOnly} · ` : ''}
          {site.about.version}
        </span>
        <select
          aria-label={texts.language}
          value={language}
          onChange={({ currentTarget }) => changeLanguage(currentTarget.value)}
        >
          {Object.entries(languageNames).map(([code, shown]) => (
            <option value={code}>{shown}</option>
          ))}
        </select>
      </header>
      <main id="content" tabIndex={-1}>
        {room === undefined ? <Notice kind="bad">{texts.notFound}</Notice> : room(route)}
      </main>
      {name !== 'commands' && <LastChange key={name} site={site} />}
      <SecretDialog />
    </>
  );
}

/** The command line of the last change; a form of a command shows its own. */
function LastChange({ site: { commands } }: { readonly site: Site }) {
  const [line, setLine] = useState<string | null>(null);
  useRan(({ path, given }) => {
    const command = commands.find((one) => one.path === path);
    if (command?.reading === false) setLine(commandLine(command, given));
  });
  return line === null ? null : (
    <footer>
      <CommandLine line={line} />
    </footer>
  );
}

/** The token stands behind `#`, so that no server and no log gets it. */
async function open(): Promise<Site> {
  const token = location.hash.slice(1);
  if (token !== '' && !token.startsWith('/')) {
    history.replaceState(null, '', location.pathname);
    await signIn(token);
  }
  const { data, meta } = await loadCommands();
  return { commands: data, about: meta };
}

document.documentElement.lang = language;
const place = document.getElementById('studio');
if (place !== null) {
  place.textContent = '';
  render(<Studio />, place);
}
