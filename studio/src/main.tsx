/** The page of Studio. */
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { SecretDialog } from './action.js';
import { answerOf, type Change, toRunError, useChanges } from './api.js';
import { BannerList, BannerPage } from './banners/banners.js';
import { PositionList, PositionPage } from './banners/positions.js';
import { Statistics } from './banners/statistics.js';
import { CommandLine } from './command-form.js';
import { CommandsRoom } from './commands-room.js';
import { DeliveriesRoom } from './deliveries.js';
import { PagesRoom } from './pages/pages-room.js';
import { Busy, Button, ErrorNotice, Notice } from './parts.js';
import { ResourcePage, ResourcesTab } from './site/resources.js';
import { AccessTab, AuditTab, FindingsTab, SettingsTab, StatusTab } from './site/tabs.js';
import { commandOf, linkTo, openSite, site, useRoute } from './site.js';
import { changeLanguage, language, languageNames, texts } from './texts.js';

const rooms: Readonly<Record<keyof typeof texts.rooms, (words: readonly string[]) => preact.ComponentChild>> = {
  pages: ([id]) => <PagesRoom id={id} />,
  banners: tabbed('banners', {
    list: () => <BannerList />,
    statistics: () => <Statistics />,
    positions: (id) => (id === undefined ? <PositionList /> : <PositionPage key={id} id={id} />),
    new: () => <BannerPage key="new" id="" />,
    banner: (id = '') => <BannerPage key={id} id={id} />,
  }),
  deliveries: (words) => <DeliveriesRoom words={words} />,
  site: tabbed('site', {
    status: () => <StatusTab />,
    findings: () => <FindingsTab />,
    resources: (id) => (id === undefined ? <ResourcesTab /> : <ResourcePage key={id} id={id} />),
    access: () => <AccessTab />,
    settings: () => <SettingsTab />,
    audit: () => <AuditTab />,
  }),
  commands: ([path]) => <CommandsRoom path={path} />,
};

/** By the first word of the address, some of them as tabs; the first where it names none. */
function tabbed(
  room: 'banners' | 'site',
  views: Readonly<Record<string, (...ids: readonly string[]) => preact.ComponentChildren>>,
) {
  return ([name = '', ...ids]: readonly string[]) => {
    const open = Object.hasOwn(views, name) ? name : (Object.keys(views)[0] ?? '');
    return (
      <>
        <Places kind="tabs" label={texts.rooms[room]} names={texts[room].tabs} above={[room]} open={open} />
        {views[open]?.(...ids)}
      </>
    );
  };
}

interface PlacesProps {
  readonly label: string;
  readonly kind?: string;
  readonly names: Readonly<Record<string, string>>;
  readonly above?: readonly string[];
  readonly open: string;
}

function Places({ label, kind, names, above = [], open }: PlacesProps) {
  return (
    <nav class={kind} aria-label={label}>
      {Object.entries(names).map(([name, title]) => (
        <a href={linkTo(...above, name)} aria-current={name === open ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

function Shell() {
  const [name = 'pages', ...words] = useRoute().words;
  const { about } = site;
  const room = Object.entries(rooms).find(([one]) => one === name)?.[1];
  return (
    <>
      <Button label={texts.skip} kind="skip" act={() => document.getElementById('content')?.focus()} />
      <header>
        <b>hcd studio</b>
        <Places label="hcd studio" names={texts.rooms} open={name} />
        <span class="about" title={about.database}>
          {about.read_only ? `${texts.readOnly} · ` : ''}
          {about.version}
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
        {room === undefined ? <Notice kind="bad">{texts.notFound}</Notice> : room(words)}
      </main>
      {name !== 'commands' && <LastChange key={name} />}
      <SecretDialog />
    </>
  );
}

/** The command line of the last change; a form of a command shows its own. */
function LastChange() {
  const [last, setLast] = useState<Change | null>(null);
  useChanges(setLast);
  const command = last && commandOf(last.path);
  return (
    command && (
      <footer>
        <CommandLine command={command} given={last.given} />
      </footer>
    )
  );
}

/** The token stands behind `#`, so that no server and no log gets it. */
async function open(): Promise<void> {
  const token = location.hash.slice(1);
  if (token !== '' && !token.startsWith('/')) {
    history.replaceState(null, '', location.pathname);
    await answerOf('/session', { token });
  }
  const { data: commands, meta: about } = await (await answerOf('/commands')).json();
  openSite({ commands, about });
}

const place = document.getElementById('studio') ?? document.body;

async function start(): Promise<void> {
  render(<Busy />, place);
  try {
    await open();
    render(<Shell />, place);
  } catch (error) {
    render(
      <main>
        <ErrorNotice error={toRunError(error)} retry={() => void start()} />
      </main>,
      place,
    );
  }
}

document.documentElement.lang = language;
void start();
