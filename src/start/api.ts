/** `/` shows people and programs where the interfaces are; public, like `/favicon.ico`, which browsers ask for. */

import { plainPage } from '../http/answers/plain-page.js';
import { jsonReply } from '../http/answers/representation.js';
import { type ApiModule, type ApiPolicy, mountAt, type RenderError } from '../http/interface/api.js';
import type { Endpoint, Reply } from '../http/interface/endpoint.js';
import { checkRoute } from '../http/stages/checks.js';
import { derived } from '../values/kept-values.js';
import { readAsset } from '../values/read-asset.js';
import { escapeHtml } from '../values/text.js';

interface StartApiDeps {
  readonly version: string;
  /** Another list after every change of settings. */
  readonly places: () => readonly Place[];
  /** Shape of errors where no interface is mounted. */
  readonly unmounted: RenderError;
}

const pageSeconds = 60;
const iconSeconds = 86_400;

export function startApis(deps: StartApiDeps): readonly ApiModule[] {
  return [
    rootModule('/', startEndpoint(deps), deps.unmounted),
    rootModule('/favicon.ico', iconEndpoint(), deps.unmounted),
  ];
}

function rootModule(base: string, endpoint: Endpoint, unmounted: RenderError): ApiModule {
  const policy: ApiPolicy = {
    enabled: true,
    mounts: [mountAt(base)],
    answersOptions: false,
    caching: { kind: 'private' },
    cors: null,
  };
  return {
    name: 'start',
    endpoints: [endpoint],
    checks: [checkRoute()],
    parameterProblem: 'bad_request',
    policy: () => policy,
    renderError: unmounted,
  };
}

const row = {
  method: 'GET',
  path: '/',
  access: { kind: 'public' },
  tags: ['Start'],
  parameters: [],
} as const;

function startEndpoint({ version, places }: StartApiDeps): Endpoint {
  const index = derived(places, (list) => startIndex(version, list));
  return {
    ...row,
    name: 'start',
    summary: 'Where the interfaces are',
    response: { status: 200, description: 'The interfaces of this server.' },
    // Browsers ask for HTML; clients that accept everything get JSON.
    produces: ['application/json', 'text/html'],
    handler({ mediaType }): Reply {
      const caching = { kind: 'static', seconds: pageSeconds } as const;
      if (mediaType !== 'text/html') return jsonReply({ data: index(), meta: {} }, caching);
      return plainPage({ title: `hcd ${version}`, content: startContent(index()), caching });
    },
  };
}

function iconEndpoint(): Endpoint {
  let icon: Buffer | undefined;
  return {
    ...row,
    name: 'favicon',
    summary: 'The icon of the pages of this server',
    response: { status: 200, description: 'The icon.', type: 'image/x-icon' },
    produces: [],
    handler(): Reply {
      icon ??= readAsset('start', 'favicon.ico');
      return {
        status: 200,
        body: { kind: 'bytes', type: 'image/x-icon', bytes: icon },
        caching: { kind: 'static', seconds: iconSeconds },
      };
    },
  };
}

function startContent({ version, interfaces }: StartIndex): string {
  const docs = interfaces[0]?.links['docs'];
  const go =
    docs === undefined
      ? '<p class="note">The API reference is part of the content gateway, which is not on here.</p>\n'
      : `<p><a class="go" href="${escapeHtml(docs)}">API reference</a></p>\n`;
  return `<h1>This server delivers content</h1>
<p class="lead">hcd ${escapeHtml(version)}: content, pages and banners of a site over HTTP.</p>
${go}${interfaces.map(section).join('')}`;
}

function section({ name, title, summary, enabled, address, links }: StartIndex['interfaces'][number]): string {
  const { docs, ...routes } = links;
  const reference = docs === undefined ? '' : `<p><a href="${escapeHtml(docs)}">API reference</a></p>\n`;
  // Not as links: most of them need a credential, and none is made for people.
  const items = Object.entries(routes).map(
    ([label, path]) => `<dt>${escapeHtml(labels[label] ?? label)}</dt><dd><code>${escapeHtml(path)}</code></dd>\n`,
  );
  const rest = enabled
    ? `${reference}<dl>\n${items.join('')}</dl>`
    : `<p class="note">To turn it on: <code>hcd setting set ${about[name].setting} 1</code></p>`;
  return `<section>
<h2>${escapeHtml(title)} <span class="chip${enabled ? ' on' : ''}">${enabled ? 'on' : 'off'}</span></h2>
<p>${escapeHtml(summary)} <code>${escapeHtml(address)}</code></p>
${rest}
</section>
`;
}

const labels: Readonly<Record<string, string>> = {
  discovery: 'Version and routes',
  routes: 'Version and routes',
  health: 'Health',
  endpoints: 'Routes in detail',
  openapi: 'OpenAPI document',
  resources: 'Resources',
  pages: 'Pages',
  banners: 'Banners',
};

type StartIndex = ReturnType<typeof startIndex>;

export interface Place {
  readonly name: keyof typeof about;
  readonly address: string;
  readonly enabled: boolean;
}

/** One page of the gateway is the reference of all interfaces. */
const about = {
  gateway: {
    title: 'Content gateway',
    setting: 'gateway_enabled',
    summary: 'Reads and changes content.',
    reference: '/docs',
    links: {
      discovery: '',
      health: '/health',
      endpoints: '/meta/endpoints',
      openapi: '/meta/openapi.json',
      resources: '/resources',
    },
  },
  pages: {
    title: 'Page delivery',
    setting: 'pages_rest_api_enabled',
    summary: 'Delivers published pages; needs a token.',
    reference: '/docs#api-pages',
    links: { routes: '', openapi: '/openapi.json', pages: '/pages' },
  },
  banners: {
    title: 'Banners',
    setting: 'banners_api_enabled',
    summary: 'Banners, positions and statistics; needs the key.',
    reference: '/docs#api-banners',
    links: { discovery: '', openapi: '/openapi.json', banners: '/ads' },
  },
} as const;

function startIndex(version: string, places: readonly Place[]) {
  const gateway = places.find(({ name, enabled }) => name === 'gateway' && enabled);
  return {
    name: 'hcd',
    version,
    interfaces: places.map(({ name, address, enabled }) => {
      const { title, summary, reference, links } = about[name];
      const whole = Object.entries(links).map(([label, rest]) => [label, `${address}${rest}`]);
      const docs = gateway === undefined || !enabled ? [] : [['docs', `${gateway.address}${reference}`]];
      const all: Readonly<Record<string, string>> = Object.fromEntries([...whole, ...docs]);
      return { name, title, summary, enabled, address, links: all };
    }),
  };
}
