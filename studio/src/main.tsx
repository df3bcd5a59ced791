/** The page of Studio. */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SecretDialog } from './action.js';
import { loadCommands, type RunDetail, type RunError, ranEvent, signIn, toRunError } from './api.js';
import { BannersRoom } from './banners/banners-room.js';
import { CommandLine } from './command-form.js';
import { commandLine } from './command-line.js';
import { CommandsRoom } from './commands-room.js';
import { DeliveriesRoom } from './deliveries/deliveries-room.js';
import { PagesRoom } from './pages/pages-room.js';
import { Busy, ErrorNotice, Notice } from './parts.js';
import { linkTo, type Route, useRoute } from './route.js';
import { SiteRoom } from './site/site-room.js';
import { type Site, SiteContext } from './site.js';
import { changeLanguage, language, languageNames, texts } from './texts.js';

interface Room {
  readonly name: keyof typeof texts.rooms;
  readonly view: (site: Site, route: Route) => preact.ComponentChild;
}

const rooms: readonly Room[] = [
  { name: 'pages', view: (_site, [id]) => <PagesRoom id={id} /> },
  { name: 'banners', view: (_, route) => <BannersRoom route={route} /> },
  { name: 'deliveries', view: (_site, route) => <DeliveriesRoom route={route} /> },
  { name: 'site', view: (_site, route) => <SiteRoom route={route} /> },
  { name: 'commands', view: ({ commands }, [path]) => <CommandsRoom {...{ commands, path }} /> },
];

function Studio() {
  const [site, setSite] = useState<Site | null>(null);
  const [error, setError] = useState<RunError | null>(null);
  const load = (): void => {
    setError(null);
    open().then(setSite, (thrown: unknown) => setError(toRunError(thrown)));
  };
  useEffect(load, []);
  if (error !== null) return <main>{<ErrorNotice error={error} retry={load} />}</main>;
  if (site === null) return <Busy />;
  return (
    <SiteContext.Provider value={site}>
      <Shell site={site} />
    </SiteContext.Provider>
  );
}

function Shell({ site }: { readonly site: Site }) {
  const [name, ...route] = useRoute();
  const room = name === undefined ? rooms[0] : rooms.find((one) => one.name === name);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        {texts.skip}
      </button>
      <header>
        <b>{texts.title}</b>
        <nav aria-label={texts.title}>
          {rooms.map((one) => (
            <a href={linkTo(one.name)} aria-current={one === room ? 'page' : undefined}>
              {texts.rooms[one.name]}
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
        {room === undefined ? <Notice kind="bad">{texts.notFound}</Notice> : room.view(site, route)}
      </main>
      {room?.name === 'commands' ? null : <LastChange key={room?.name} site={site} />}
      <SecretDialog />
    </>
  );
}

/** The command line of the last change; a form of a command shows its own. */
function LastChange({ site: { commands } }: { readonly site: Site }) {
  const [line, setLine] = useState<string | null>(null);
  useEffect(() => {
    const follow = (event: Event): void => {
      if (!(event instanceof CustomEvent)) return;
      const { path, given }: RunDetail = event.detail;
      const command = commands.find((one) => one.path === path);
      if (command?.reading === false) setLine(commandLine(command, given));
    };
    addEventListener(ranEvent, follow);
    return () => removeEventListener(ranEvent, follow);
  }, [commands]);
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
