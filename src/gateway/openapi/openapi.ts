/** The OpenAPI 3.1 document, built only from the endpoint table, the registry and the error catalogue. */
import { coreObjects, knownScopes } from '../../content/objects/core-objects.js';
import { type ObjectDefinition, type Registry, rightOf } from '../../content/objects/definition.js';
import type { Endpoint, Method } from '../../http/interface/endpoint.js';
import { type DescribedOperation, openApiDocument, pathTemplate } from '../../http/interface/openapi.js';
import { secureCookieName } from '../http/checks.js';
import { listParameters, shapeParameters } from '../http/parameter-docs.js';
import { fixedSchemas, responseHeaders, sharedResponses } from './openapi-components.js';
import { describeOperation, isPublic, type OperationSource, scopeOf } from './openapi-operations.js';
import { describeParameters } from './openapi-parameters.js';
import { nameSchemas, objectSchemas } from './openapi-schemas.js';

interface DocumentSource {
  readonly endpoints: readonly Endpoint[];
  readonly registry: Registry;
  readonly base: string;
  readonly address: string;
  readonly version: string;
  readonly maxLimit: number;
  /** Generators need one parameter for each filter. */
  readonly filters: 'each' | 'together';
}

const description = [
  'Answers are `{data, meta}` and, on lists, `links`. Refusals are problem documents (RFC 9457) whose `type` is a page',
  'of this server with cause and fix. Send an API key or access token as `Authorization: Bearer <token>`, or an API key',
  'as `X-API-Key`. A credential that is sent and wrong is refused on every route, public ones included.',
].join(' ');

export function buildOpenApi(source: DocumentSource) {
  const { endpoints, registry, base, address, version } = source;
  const names = nameSchemas(registry);
  const schemas = [...registry.objects.values()].map((definition) => objectSchemas({ definition, registry, names }));
  const document = openApiDocument({
    info: {
      title: 'Content gateway',
      version,
      summary: 'Reads and changes the content of a content-management system.',
      description,
    },
    url: address === '' ? '/' : address,
    endpoints: contentFirst(endpoints),
    operations: operationsOf(source, names),
    components: {
      schemas: Object.assign({}, fixedSchemas, ...schemas),
      responses: sharedResponses(base),
      headers: responseHeaders,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key (gk_...) or OAuth access token (gt_...)' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'API key (gk_...)' },
        ...oauthSchemes(registry, address),
        cookieAuth: {
          type: 'apiKey',
          in: 'cookie',
          name: secureCookieName,
          description:
            'Session of a person, from POST /auth/session (hcd_session without TLS). POST, PUT, PATCH and DELETE need its X-CSRF-Token',
        },
        csrfToken: {
          type: 'apiKey',
          in: 'header',
          name: 'X-CSRF-Token',
          description: 'Sent with the session cookie: data.csrf_token of POST and GET /auth/session',
        },
      },
    },
  });
  return { ...document, 'x-objects': [...registry.objects.keys()] };
}

function* operationsOf(
  { endpoints, registry, maxLimit, filters }: DocumentSource,
  names: OperationSource['names'],
): Iterable<DescribedOperation> {
  const unused = uniqueNames();
  for (const endpoint of endpoints) {
    const definition = registry.objects.get(endpoint.object ?? '');
    const { parameters, summary } = endpoint;
    const shared = { endpoint, summary, parameters, definition, registry, names, maxLimit, filters };
    const row = { ...shared, operationId: unused(operationId(endpoint)) };
    yield { endpoint, operation: describeOperation(row) };
    for (const { path, source } of expansions(row)) {
      yield { endpoint, path, operation: describeOperation({ ...source, operationId: unused(source.operationId) }) };
    }
  }
}

/** Adds a number to a repeated name, because names of extra objects are free. */
function uniqueNames(): (name: string) => string {
  const used = new Set<string>();
  return (name) => {
    let found = name;
    for (let number = 2; used.has(found); number += 1) found = `${name}${number}`;
    used.add(found);
    return found;
  };
}

/** Public routes are about the gateway itself, so their tags are last. */
function contentFirst(endpoints: readonly Endpoint[]): Endpoint[] {
  const content = endpoints.filter(({ access }) => access.kind !== 'public' && access.kind !== 'session');
  return [...content, ...endpoints];
}

interface Expansion {
  readonly path: string;
  readonly source: OperationSource;
}

/** A generic row becomes one for each extra object; core objects have their own routes. */
function expansions(row: OperationSource): Expansion[] {
  const { endpoint, registry } = row;
  const { access } = endpoint;
  if (access.kind !== 'object_scope' || !/:name(?=\/|$)/.test(endpoint.path)) return [];
  const extras = [...registry.objects.values()].filter(({ name }) => !coreObjects.some((core) => core.name === name));
  return extras
    .filter((definition) => definition[rightOf[access.action]])
    .map((definition) => ({
      path: endpoint.path.replace(/:name(?=\/|$)/, definition.name),
      source: {
        ...row,
        definition,
        operationId: operationId(endpoint, definition.name),
        summary: `${endpoint.summary}: ${definition.name}`,
        parameters: ownParameters(row, definition),
      },
    }));
}

/** Only documented names reach a handler, so the object's own parameters follow the generic row. */
function ownParameters({ endpoint }: OperationSource, definition: ObjectDefinition): Endpoint['parameters'] {
  const generic = endpoint.parameters.filter((parameter) => parameter.in !== 'path' || parameter.name !== 'name');
  const isList = endpoint.name.endsWith('.list');
  const own = isList ? listParameters(definition) : shapeParameters(definition);
  const ownNames = new Set(own.map(({ name }) => name));
  const objectWords = new Set(['include', 'tv_fields', 'include_tv', 'includeDeleted', 'q']);
  return generic
    .filter(({ name }) => ownNames.has(name) || !objectWords.has(name))
    .map((parameter) => own.find((one) => one.name === parameter.name && one.in === parameter.in) ?? parameter);
}

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
  'resources.tree GET': 'getResourceTree',
  'pages.get GET': 'getPageByUri',
  'contexts.settings GET': 'getContextSettings',
};

function operationId({ name, method }: Pick<Endpoint, 'name' | 'method'>, object?: string): string {
  const known = special[`${name} ${method}`];
  if (known !== undefined) return known;
  const words = name.split('.');
  const subject = object ?? words.slice(0, -1).join('_');
  const isList = words.at(-1) === 'list';
  return `${isList && method === 'GET' ? 'list' : verbs[method]}${pascal(isList ? subject : singular(subject))}`;
}

const verbs: Readonly<Record<Method, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

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

/** Scopes of single contexts are left out: they are not part of the program. */
function oauthSchemes(registry: Registry, base: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const scopes = Object.fromEntries(knownScopes(registry, []).map((scope) => [scope, meaningOf(scope)]));
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Access token (gt_...) of an OAuth client; while gateway_oauth_enabled is on',
      flows: { clientCredentials: { tokenUrl: `${base}/auth/token`, scopes } },
    },
    oauthClient: { type: 'http', scheme: 'basic', description: 'Id and secret of an OAuth client' },
  };
}

function meaningOf(scope: string): string {
  if (scope === '*') return 'Everything';
  if (scope === 'resources.static') return 'Static resources: making them, changing which file they send';
  if (scope === 'resources.bindings') return 'Values of template variables that the CMS evaluates, such as @CHUNK';
  if (scope === 'preview') return 'Content that is not published';
  const [object = '', action = ''] = scope.split('.');
  return object === 'fields'
    ? `The protected field ${action}`
    : `${action.replace(/^./, (a) => a.toUpperCase())} ${object}`;
}

type ListedEndpoint = ReturnType<typeof describe>;

type ListSource = Pick<DocumentSource, 'endpoints' | 'registry' | 'base' | 'maxLimit'>;

/** The endpoint table as `GET /meta/endpoints` shows it: one entry per route name and path. */
export function listEndpoints({ endpoints, ...about }: ListSource): ListedEndpoint[] {
  const listed = new Map<string, ListedEndpoint>();
  for (const endpoint of endpoints) {
    const key = `${endpoint.name} ${endpoint.path}`;
    const known = listed.get(key);
    if (known) listed.set(key, { ...known, methods: [...known.methods, endpoint.method] });
    else listed.set(key, describe(endpoint, about));
  }
  return [...listed.values()];
}

function describe(endpoint: Endpoint, { registry, base, maxLimit }: Omit<ListSource, 'endpoints'>) {
  const { name, method, access, object = null, summary, tags } = endpoint;
  const path = `${base}${pathTemplate(endpoint.path)}`;
  const definition = registry.objects.get(object ?? '');
  return {
    name,
    methods: [method],
    path,
    // Older clients read this name.
    pattern: path,
    public: isPublic(access),
    permission: scopeOf(access),
    object,
    description: summary,
    tags,
    parameters: describeParameters({ ...endpoint, definition, registry, maxLimit, filters: 'together' }).map(
      ({ name: parameter, in: place, required, description, schema }) => ({
        ...{ name: parameter, in: place, required, description, schema },
      }),
    ),
  };
}
