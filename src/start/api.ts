/**
 * The root of the server: `/` shows people and programs where the interfaces are, and browsers request
 * `/favicon.ico` with it. Both are public and know nothing of content.
 */
import { type ApiModule, type ApiPolicy, derived, type RenderError } from '../http/interface/api.js';
import { type Endpoint, htmlReply, jsonReply, type Reply } from '../http/interface/endpoint.js';
import { checkRoute } from '../http/stages/checks.js';
import { escapeHtml } from '../values/escape-html.js';
import { readAsset } from '../values/read-asset.js';

interface StartApiDeps {
  readonly version: string;
  /** The interfaces that are served; another list after every change of settings. */
  readonly places: () => readonly Place[];
  /** SHA-256 in lower-case hex. */
  readonly sha256: (text: string) => string;
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
    mounts: [{ base, linkBase: base, routeParameters: [], prefixes: [''] }],
    maxPathBytes: Number.POSITIVE_INFINITY,
    answersOptions: false,
    caching: { kind: 'private' },
    cors: null,
  };
  return {
    name: 'start',
    endpoints: [endpoint],
    checks: [checkRoute()],
    headers: {},
    vary: '',
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy: () => policy,
    renderError: unmounted,
  };
}

const row = {
  method: 'GET',
  path: '/',
  access: { kind: 'public' },
  object: null,
  tags: ['Start'],
  parameters: [],
} as const;

function startEndpoint({ version, places, sha256 }: StartApiDeps): Endpoint {
  const digest = Buffer.from(sha256(startStyle), 'hex').toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
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
      return htmlReply(renderStartPage(index()), { policy, caching });
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

/** The style, whose digest is the only one that the policy of the page allows. */
const startStyle = `:root{color-scheme:light dark;--paper:#fff;--ink:#1b2430;--muted:#566274;--line:#dfe3e8;--accent:#0b5cad}
@media (prefers-color-scheme:dark){:root{--paper:#12161c;--ink:#e6eaf0;--muted:#9ba8b8;--line:#2a323d;--accent:#7ab8ff}}
body{margin:3rem auto;padding:0 1.25rem;max-width:42rem;background:var(--paper);color:var(--ink);font:1rem/1.55 ui-sans-serif,system-ui,sans-serif}
h1{margin:0;font-size:1.5rem}h1 small{color:var(--muted);font-size:1rem;font-weight:400}
h2{margin:0;font-size:1.1rem}h2 small{color:var(--muted);font-size:.9rem;font-weight:400}
section{margin-top:1.25rem;padding-top:1.25rem;border-top:1px solid var(--line)}
p{margin:.35rem 0;color:var(--muted)}ul{margin:.35rem 0 0;padding:0;list-style:none}
a{color:var(--accent)}code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.92em;overflow-wrap:anywhere}
`;

function renderStartPage({ name, version, interfaces }: StartIndex): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)} ${escapeHtml(version)}</title>
<link rel="icon" href="/favicon.ico">
<style>${startStyle}</style>
</head>
<body>
<h1>${escapeHtml(name)} <small>${escapeHtml(version)}</small></h1>
<p>A headless content delivery server. These interfaces are here:</p>
<main>
${interfaces.map(section).join('')}</main>
</body>
</html>
`;
}

function section({ title, summary, enabled, address, links }: StartIndex['interfaces'][number]): string {
  const items = Object.entries(links).map(
    ([label, href]) =>
      `<li><a href="${escapeHtml(href)}">${escapeHtml(label)}</a> <code>${escapeHtml(href)}</code></li>\n`,
  );
  return `<section>
<h2>${escapeHtml(title)} <small>${enabled ? 'on' : 'switched off'}</small></h2>
<p>${escapeHtml(summary)} <code>${escapeHtml(address)}</code></p>
<ul>
${enabled ? items.join('') : ''}</ul>
</section>
`;
}

export interface StartIndex {
  readonly name: string;
  readonly version: string;
  readonly interfaces: readonly {
    readonly name: 'gateway' | 'pages' | 'banners';
    readonly title: string;
    readonly summary: string;
    readonly enabled: boolean;
    readonly address: string;
    readonly links: Readonly<Record<string, string>>;
  }[];
}

/** Where an interface is, and whether it is on. */
export interface Place {
  readonly name: StartIndex['interfaces'][number]['name'];
  readonly address: string;
  readonly enabled: boolean;
}

const about = {
  gateway: {
    title: 'Content gateway',
    summary: 'Reads and changes content.',
    links: {
      discovery: '',
      docs: '/docs',
      health: '/health',
      endpoints: '/meta/endpoints',
      openapi: '/meta/openapi.json',
      resources: '/resources',
    },
  },
  pages: {
    title: 'Page delivery',
    summary: 'Delivers published pages; needs a token.',
    links: { routes: '', openapi: '/openapi.json', pages: '/pages' },
  },
  banners: {
    title: 'Banners',
    summary: 'Banners, positions and statistics; needs the key.',
    links: { discovery: '', openapi: '/openapi.json', banners: '/ads' },
  },
} as const;

function startIndex(version: string, places: readonly Place[]): StartIndex {
  return {
    name: 'hcd',
    version,
    interfaces: places.map(({ name, address, enabled }) => {
      const { title, summary, links } = about[name];
      const whole = Object.entries(links).map(([label, rest]) => [label, `${address}${rest}`] as const);
      return { name, title, summary, enabled, address, links: Object.fromEntries(whole) };
    }),
  };
}
