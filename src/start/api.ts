/**
 * The root of the server: `/` tells people and programs where the interfaces are, and `/favicon.ico` is what browsers
 * ask for beside it. Both are public and know nothing of content.
 */
import { readFileSync } from 'node:fs';
import type { ApiModule, ApiPolicy, RenderError } from '../http/interface/api.js';
import { derived } from '../http/interface/derived.js';
import type { Endpoint, Reply } from '../http/interface/endpoint.js';
import { checkRoute } from '../http/stages/checks.js';
import { assetPath } from '../values/asset-path.js';
import { type Place, startIndex } from './start-index.js';
import { renderStartPage, startStyle } from './start-page.js';

export interface StartApiDeps {
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
    // Browsers name HTML; what takes anything is given JSON.
    produces: ['application/json', 'text/html'],
    handler({ mediaType }): Reply {
      const caching = { kind: 'static', seconds: pageSeconds } as const;
      if (mediaType !== 'text/html')
        return { status: 200, body: { kind: 'json', value: { data: index(), meta: {} } }, caching };
      return {
        status: 200,
        headers: { 'Content-Security-Policy': policy },
        body: { kind: 'bytes', type: 'text/html; charset=utf-8', bytes: renderStartPage(index()) },
        caching,
      };
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
      icon ??= readFileSync(assetPath('start', 'favicon.ico'));
      return {
        status: 200,
        body: { kind: 'bytes', type: 'image/x-icon', bytes: icon },
        caching: { kind: 'static', seconds: iconSeconds },
      };
    },
  };
}
