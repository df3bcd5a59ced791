/** The site for those who run it: its state, problems, credentials, settings, resources and audit log. */
import { linkTo, type Route } from '../site.js';
import { texts } from '../texts.js';
import { FindingsTab, StatusTab } from './health.js';
import { AccessTab, AuditTab, SettingsTab } from './lists.js';
import { ResourcePage, ResourcesTab } from './resources.js';

const tabs = {
  status: () => <StatusTab />,
  findings: () => <FindingsTab />,
  resources: (id: string | undefined) => (id === undefined ? <ResourcesTab /> : <ResourcePage key={id} id={id} />),
  access: () => <AccessTab />,
  settings: () => <SettingsTab />,
  audit: () => <AuditTab />,
} as const;

type Tab = keyof typeof tabs;

const names = Object.keys(tabs).filter((name): name is Tab => name in tabs);

/** Routes: a tab, and a resource behind `resources`. */
export function SiteRoom({ route: [name, id] }: { readonly route: Route }) {
  const open = names.find((one) => one === name) ?? 'status';
  return (
    <>
      <nav class="tabs" aria-label={texts.rooms.site}>
        {names.map((one) => (
          <a href={linkTo('site', one)} aria-current={one === open ? 'page' : undefined}>
            {texts.site.tabs[one]}
          </a>
        ))}
      </nav>
      {tabs[open](id)}
    </>
  );
}
