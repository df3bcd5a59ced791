/** Ready-to-paste curl lines for the sample site. */
import { bannersBase } from '../../src/banners/endpoints/api.js';
import type { ApiName } from '../../src/config/value-type.js';
import { sampleUsername } from '../../src/operations/sample/sample-credentials.js';
import { type SampleRequest, sampleRequests } from '../../src/operations/sample/sample-files.js';
import { pagesBase } from '../../src/pages/endpoints/api.js';
import type { ShownCredentials } from './load-demo.js';

export interface CurlLine {
  readonly shows: string;
  readonly method: string;
  readonly url: string;
  readonly line: string;
  readonly isFirst: boolean;
}

interface CurlOptions {
  readonly originOf: (api: ApiName) => string;
  readonly prefix: string;
  readonly shown: ShownCredentials;
  readonly apis: readonly ApiName[];
}

const few = 5;

const cookieFile = 'hcd-cookies.txt';

export function curlLines({ originOf, prefix, shown, apis }: CurlOptions): readonly CurlLine[] {
  const bases: Readonly<Record<ApiName, string>> = {
    gateway: `${prefix}/v1`,
    pages: pagesBase,
    banners: bannersBase,
  };
  return sampleRequests()
    .filter(({ api }) => apis.includes(api))
    .map((request) => {
      const { api, shows, method = 'GET', path } = request;
      // The base of the banner API is a file name: the bare address is its root.
      const url = `${originOf(api)}${bases[api]}${path === '/' ? '' : path}`;
      const parts = [
        'curl -s',
        // Brackets in an address are a pattern to curl.
        ...(path.includes('[') ? ['-g'] : []),
        ...(method === 'GET' ? [] : [`-X ${method}`]),
        ...credentialParts(request, { shown, sessionUrl: `${originOf('gateway')}${bases.gateway}/auth/session` }),
        ...bodyParts(request, shown),
        `'${url}'`,
      ];
      return { shows, method, url, line: parts.join(' '), isFirst: request.isFirst ?? false };
    });
}

function credentialParts(
  { api, caller }: SampleRequest,
  { shown, sessionUrl }: { readonly shown: ShownCredentials; readonly sessionUrl: string },
): readonly string[] {
  if (api === 'banners') return [`-H "X-API-Key: ${shown.bannersKey ?? '$HCD_BANNERS_API_KEY'}"`];
  switch (caller) {
    case 'anyone':
      return [];
    case 'key':
      return [`-H "Authorization: Bearer ${shown.credentials?.key.key ?? '$GATEWAY_KEY'}"`];
    case 'token':
      return [`-H "Authorization: Bearer ${shown.pageToken?.token ?? '$PAGES_TOKEN'}"`];
    case 'login':
      return [`-c ${cookieFile}`];
    case 'session': {
      const token = `$(curl -s -b ${cookieFile} '${sessionUrl}' | sed 's/.*"csrf_token":"\\([^"]*\\)".*/\\1/')`;
      return [`-b ${cookieFile}`, `-H "X-CSRF-Token: ${token}"`];
    }
    default:
      return caller satisfies never;
  }
}

function bodyParts({ caller, body }: SampleRequest, { credentials }: ShownCredentials): readonly string[] {
  const json = "-H 'Content-Type: application/json'";
  if (caller === 'login') {
    const password = credentials?.user.password;
    const text = JSON.stringify({ username: sampleUsername, password: password ?? '$EDITOR_PASSWORD' });
    // Only variables that the shell fills in are in double quotes.
    return [json, password === undefined ? `-d "${text.replaceAll('"', '\\"')}"` : `-d '${text}'`];
  }
  return body === undefined ? [] : [json, `-d '${JSON.stringify(body)}'`];
}

export function curlText(lines: readonly CurlLine[]): string {
  return lines.map(({ shows, line }) => `# ${shows}\n${line}\n`).join('');
}

export function firstLines(lines: readonly CurlLine[]): readonly CurlLine[] {
  const chosen = [...new Set([...lines.filter(({ isFirst }) => isFirst), ...lines])].slice(0, few);
  return lines.filter((line) => chosen.includes(line));
}

export function referenceUrl(origin: string, prefix: string): string {
  return `${origin}${prefix}/v1/docs`;
}
