/** Code that calls an operation: with curl, with fetch, and with hcd-client if it has a function. */
import { clientCode, literal } from './docs-client-code.js';
import { type ApiName, requestOf, type SampleRequest, type SampleSource } from './docs-sample-request.js';

interface CodeSample {
  readonly label: 'curl' | 'fetch' | 'client';
  readonly code: string;
}

const variables: Readonly<Record<ApiName, string>> = { gateway: 'KEY', pages: 'PAGE_TOKEN', banners: 'BANNER_KEY' };

export function codeSamples(source: SampleSource): readonly CodeSample[] {
  const request = requestOf(source);
  const client = clientCode(request);
  return [
    { label: 'curl', code: curlCode(request) },
    { label: 'fetch', code: fetchCode(request) },
    ...(client === null ? [] : [{ label: 'client', code: client } as const]),
  ];
}

function curlCode({ api, method, address, body, access }: SampleRequest): string {
  const credential = api === 'banners' ? 'X-API-Key: ' : 'Authorization: Bearer ';
  const words = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`}`,
    access === 'key' && `-H "${credential}$${variables[api]}"`,
    access === 'session' && '-b cookies.txt',
    access === 'session' && method !== 'get' && '-H "X-CSRF-Token: $CSRF_TOKEN"',
    body !== undefined && "-H 'Content-Type: application/json'",
    body !== undefined && `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    `"$SITE${address}"`,
  ];
  const shown = words.filter((word) => word !== false);
  return shown.join(shown.length > 2 ? ' \\\n  ' : ' ');
}

function fetchCode({ api, method, address, body, access, answer }: SampleRequest): string {
  const token = { gateway: 'key', pages: 'pageToken', banners: 'bannerKey' }[api];
  const headers = [
    access === 'key' && `Authorization: \`Bearer \${${token}}\``,
    access === 'session' && method !== 'get' && "'X-CSRF-Token': csrfToken",
    body !== undefined && "'Content-Type': 'application/json'",
  ].filter((one) => one !== false);
  const options = [
    method !== 'get' && `method: '${method.toUpperCase()}'`,
    access === 'session' && "credentials: 'include'",
    headers.length > 0 && `headers: { ${headers.join(', ')} }`,
    body !== undefined && `body: JSON.stringify(${literal(body)})`,
  ].filter((one) => one !== false);
  const more = options.length > 0 ? `, {\n${options.map((one) => `  ${one},\n`).join('')}}` : '';
  return `const response = await fetch(\`\${site}${address}\`${more});${reading[answer]}`;
}

const reading: Readonly<Record<SampleRequest['answer'], string>> = {
  data: '\nconst { data } = await response.json();',
  object: '\nconst { object } = await response.json();',
  whole: '\nconst answer = await response.json();',
  text: '\nconst text = await response.text();',
  none: '',
};
