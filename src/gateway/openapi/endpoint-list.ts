/** The endpoint table as `GET /meta/endpoints` shows it: one entry per route name and path. */
import type { Registry } from '../../content/objects/definition.js';
import type { Endpoint } from '../../http/interface/endpoint.js';
import { pathTemplate } from '../../http/interface/openapi.js';
import { isPublic, scopeOf } from './openapi-operations.js';
import { describeParameters } from './openapi-parameters.js';

type ListedEndpoint = ReturnType<typeof describe>;

interface ListSource {
  readonly endpoints: readonly Endpoint[];
  readonly registry: Registry;
  readonly base: string;
  readonly maxLimit: number;
}

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
  const { name, method, access, object, summary, tags } = endpoint;
  const path = `${base}${pathTemplate(endpoint.path)}`;
  const definition = object === null ? undefined : registry.get(object);
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
    parameters: describeParameters({
      parameters: endpoint.parameters,
      definition,
      registry,
      maxLimit,
      filters: 'together',
    }).map((parameter) => ({
      name: parameter.name,
      in: parameter.in,
      required: parameter.required,
      description: parameter.description,
      schema: parameter.schema,
    })),
  };
}
