/** Names of operations for generated clients: a verb and what it is about, such as `listResources` and `getResource`. */
import type { Endpoint } from '../../http/interface/endpoint.js';

/** Routes that are about no registered object, by name of the row and method. */
const special: Readonly<Record<string, string>> = {
  'discovery GET': 'getDiscovery',
  'health GET': 'getHealth',
  'schema GET': 'getSchema',
  'docs GET': 'getDocs',
  'docs.style GET': 'getDocsStyle',
  'docs.script GET': 'getDocsScript',
  'meta.endpoints GET': 'listEndpoints',
  'meta.openapi GET': 'getOpenApi',
  'meta.openapi.json GET': 'getOpenApiDocument',
  'auth.token POST': 'createToken',
  'auth.revoke POST': 'revokeToken',
  'auth.introspect POST': 'introspectToken',
  'auth.session.get GET': 'getSession',
  'auth.session.create POST': 'createSession',
  'auth.session.delete DELETE': 'deleteSession',
  'pages.get GET': 'getPageByUri',
  'contexts.settings GET': 'getContextSettings',
};

/** `object` is the registered object where the row serves any of them. */
export function operationId({ name, method }: Pick<Endpoint, 'name' | 'method'>, object?: string): string {
  const known = special[`${name} ${method}`];
  if (known !== undefined) return known;
  const words = name.split('.');
  const subject = object ?? words.slice(0, -1).join('_');
  const isList = words.at(-1) === 'list';
  return `${verbOf(method, isList)}${pascal(isList ? subject : singular(subject))}`;
}

function verbOf(method: Endpoint['method'], isList: boolean): string {
  switch (method) {
    case 'GET':
      return isList ? 'list' : 'get';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'replace';
    case 'PATCH':
      return 'update';
    case 'DELETE':
      return 'delete';
  }
}

function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('') || 'Object';
}

/** Good enough for names of tables; a word that it leaves alone is still a name. */
function singular(name: string): string {
  if (/(?:ss|us|is|news|series|species)$/i.test(name)) return name;
  if (/[^aeiou]ies$/i.test(name)) return name.replace(/ies$/i, 'y');
  if (/(?:ss|x|ch|sh)es$/i.test(name)) return name.replace(/es$/i, '');
  return name.replace(/s$/i, '');
}
