/** Ready-to-paste curl lines for the sample site. */
import { bannersBase } from '../../src/banners/endpoints/api.js';
import type { ApiName } from '../../src/config/value-type.js';
import { sampleUsername } from '../../src/operations/sample/sample-credentials.js';
import { type SampleRequest, sampleRequests } from '../../src/operations/sample/sample-files.js';
import { pagesBase } from '../../src/pages/endpoints/api.js';

export interface CurlLine {
  readonly shows: string;
  readonly method: string;
  readonly url: string;
  readonly line: string;
  readonly isFirst: boolean;
}

/** Null: it cannot be shown again, and the line reads it from a variable of the shell. */
interface CurlSecrets {
  readonly bannersKey: string | null;
  readonly key: string | null;
  readonly password: string | null;
  readonly pageToken: string | null;
}

interface CurlOptions {
  readonly originOf: (api: ApiName) => string;
  readonly prefix: string;
  readonly secrets: CurlSecrets;
  readonly apis: readonly ApiName[];
}

const few = 5;

const cookieFile = 'hcd-cookies.txt';

export function curlLines({ originOf, prefix, secrets, apis }: CurlOptions): readonly CurlLine[] {
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
        ...credentialParts(request, { secrets, sessionUrl: `${originOf('gateway')}${bases.gateway}/auth/session` }),
        ...bodyParts(request, secrets),
        `'${url}'`,
      ];
      return { shows, method, url, line: parts.join(' '), isFirst: request.isFirst ?? false };
    });
}

function credentialParts(
  { api, caller }: SampleRequest,
  { secrets, sessionUrl }: { readonly secrets: CurlSecrets; readonly sessionUrl: string },
): readonly string[] {
  if (api === 'banners') return [`-H "X-API-Key: ${secrets.bannersKey ?? '$HCD_BANNERS_API_KEY'}"`];
  switch (caller) {
    case 'anyone':
      return [];
    case 'key':
      return [`-H "Authorization: Bearer ${secrets.key ?? '$GATEWAY_KEY'}"`];
    case 'token':
      return [`-H "Authorization: Bearer ${secrets.pageToken ?? '$PAGES_TOKEN'}"`];
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

function bodyParts({ caller, body }: SampleRequest, { password }: CurlSecrets): readonly string[] {
  const json = "-H 'Content-Type: application/json'";
  if (caller === 'login') {
    const text = JSON.stringify({ username: sampleUsername, password: password ?? '$EDITOR_PASSWORD' });
    // Only variables that the shell fills in are in double quotes.
    return [json, password === null ? `-d "${text.replaceAll('"', '\\"')}"` : `-d '${text}'`];
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
