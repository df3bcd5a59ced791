/** Ready-to-paste curl lines for the sample site, against the address on which the next `hcd serve` listens. */
import { bannersBase } from '../../src/apis/banners/api.js';
import { pagesBase } from '../../src/apis/pages/api.js';
import type { Config } from '../../src/config/definitions.js';
import { sampleRequests } from '../../src/services/load-sample/sample-requests.js';
import type { ApiName } from '../serve/api-names.js';

export interface CurlLine {
  readonly shows: string;
  readonly url: string;
  /** The line itself, safe for a shell. */
  readonly line: string;
}

export interface CurlOptions {
  readonly config: Pick<Config, 'host' | 'port'>;
  /** Value of gateway_api_prefix. */
  readonly prefix: string;
  /** null: the line asks the shell for it. */
  readonly bannersKey: string | null;
  /** The APIs that are switched on. */
  readonly apis: readonly ApiName[];
}

/** One line per request that is worth trying. */
export function curlLines({ config, prefix, bannersKey, apis }: CurlOptions): readonly CurlLine[] {
  const origin = serverOrigin(config);
  const bases: Readonly<Record<ApiName, string>> = {
    gateway: `${prefix}/v1`,
    pages: pagesBase,
    banners: bannersBase,
  };
  return sampleRequests()
    .filter(({ api }) => apis.includes(api))
    .map(({ api, shows, path }) => {
      // The base of the banner API is a file name: the bare address is its root.
      const url = `${origin}${bases[api]}${path === '/' ? '' : path}`;
      const header = api === 'banners' ? `-H "X-API-Key: ${bannersKey ?? '$HCD_BANNERS_API_KEY'}" ` : '';
      return { shows, url, line: `curl -s ${header}'${url}'` };
    });
}

/** Lines for people: each request under a heading that says what it shows. */
export function curlText(lines: readonly CurlLine[]): string {
  return lines.map(({ shows, line }) => `# ${shows}\n${line}\n`).join('');
}

/** An address that a client on this machine can use: a server on all addresses answers on the loopback one. */
export function serverOrigin({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
