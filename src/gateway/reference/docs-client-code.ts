/** Code that calls an operation with hcd-client. */
import type { SampleRequest } from './docs-sample-request.js';

/** Null if the client has no function for the operation. */
export function clientCode(request: SampleRequest): string | null {
  const { api, path, keys, query } = request;
  if (api === 'pages') return path.startsWith('/pages/{') ? `const page = ${call('document', keys[0])}` : null;
  if (api === 'banners') return null;
  switch (path) {
    case '/pages':
      return `const home = ${call('page', '', { fields: query['fields'] })}`;
    case '/pages/{uri}':
      return `const page = ${call('page', keys[0], query)}`;
    case '/tree':
      return `const menu = ${call('tree', query)}`;
    default:
      return recordCode(request) ?? requestCode(request);
  }
}

/** Null for operations on other things than records. */
function recordCode({ method, path, objects, keys, query, body }: SampleRequest): string | null {
  const [, named, key] = /^(?:\/objects)?\/([a-z_]+|\{name\})(\/\{\w+\})?$/.exec(path) ?? [];
  const object = named === '{name}' ? keys[0] : named;
  if (!objects.includes(String(object))) return null;
  const id = keys.at(-1);
  switch (method) {
    case 'get':
      return key === undefined
        ? `const { data, meta } = ${call('list', object, query)}`
        : `const record = ${call('get', object, id, query)}`;
    case 'post':
      return `const record = ${call('create', object, body)}`;
    case 'patch':
      return `const record = ${call('update', object, id, body)}`;
    case 'delete':
      return call('remove', object, id);
    case 'put':
      return null;
  }
}

/** The client reads JSON, and has no cookies. */
function requestCode({ method, route, query, body, answer, access }: SampleRequest): string | null {
  if (answer === 'text' || access === 'session') return null;
  const asked = { ...(hasMembers(query) && { query }), ...(body !== undefined && { body }) };
  return `const { status, body } = ${call('request', method.toUpperCase(), route, asked)}`;
}

function call(name: string, ...given: readonly unknown[]): string {
  const shown = given.filter((one) => typeof one !== 'object' || hasMembers(one));
  return `await hcd.${name}(${shown.map(literal).join(', ')});`;
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => one !== undefined);
}

export function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  const shown = members.map(([name, one]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : literal(name)}: ${literal(one)}`);
  return shown.length === 0 ? '{}' : `{ ${shown.join(', ')} }`;
}
