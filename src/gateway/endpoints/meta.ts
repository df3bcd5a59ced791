/**
 * The gateway about itself: the table of its routes, the OpenAPI document, and the HTML reference made from it
 * (docs/reference/gateway.md#routes-about-the-gateway).
 */
import type { Registry } from '../../content/objects/definition.js';
import { AppError } from '../../errors/app-error.js';
import { derived } from '../../http/interface/api.js';
import type { Call, Endpoint, Reply } from '../../http/interface/endpoint.js';
import { type ListedEndpoint, listEndpoints, listedEndpointSchema } from '../openapi/endpoint-list.js';
import { buildOpenApi } from '../openapi/openapi.js';
import type { OpenApiDocument } from '../openapi/openapi-types.js';
import { docsAssets, renderDocs } from '../reference/docs-page.js';

interface MetaDeps {
  /** The whole table of the gateway, these rows included. */
  readonly endpoints: () => readonly Endpoint[];
  readonly registry: Registry;
  /** Public base of the gateway, for example `/api/v1`. */
  readonly base: () => string;
  /** The same with scheme and host in front, where they are configured. */
  readonly address: () => string;
  readonly version: string;
  /** The largest page of a list. */
  readonly maxLimit: () => number;
  readonly docsEnabled: () => boolean;
}

/** Seconds for answers that change only with a release, the registry or a setting. */
const metaSeconds = 60;
/** Style and script are asked for under an address that names the release. */
const assetSeconds = 86_400;

const openApiType = 'application/openapi+json';

/**
 * The page loads nothing but its own style and script and talks to this server only; nothing on it is inline,
 * so that injected markup could not run.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Rendered {
  readonly document: OpenApiDocument;
  readonly documentText: string;
  readonly html: string;
}

export function metaEndpoints(deps: MetaDeps): Endpoint[] {
  const { registry, version } = deps;
  // The table and the registry are frozen by the time of the first request: only settings can change.
  const rendered = derived(
    () => `${deps.maxLimit()} ${deps.address()}`,
    (): Rendered => {
      const [base, address, maxLimit] = [deps.base(), deps.address(), deps.maxLimit()];
      const source = { endpoints: deps.endpoints(), registry, base, version, maxLimit };
      const document = buildOpenApi({ ...source, address, filters: 'each' });
      // The page asks the server that it came from and no other, and people write filters into one line.
      const shown = buildOpenApi({ ...source, address: base, filters: 'together' });
      return { document, documentText: JSON.stringify(document), html: renderDocs({ document: shown, registry }) };
    },
  );
  const row = { method: 'GET', access: { kind: 'public' }, object: null, tags: ['Meta'], parameters: [] } as const;
  const documented = { type: 'object', description: 'An OpenAPI 3.1 document' } as const;
  return [
    {
      ...row,
      name: 'docs',
      path: '/docs',
      summary: 'Read the API reference',
      response: { status: 200, description: 'This reference, for people', type: 'text/html' },
      // Clients that ask for JSON everywhere get the same reference in their own terms.
      produces: ['text/html', 'application/json', openApiType],
      handler: async (call) => {
        checkEnabled(deps);
        return call.mediaType === 'text/html' ? page(rendered().html) : bareDocument(rendered().documentText);
      },
    },
    ...Object.values(docsAssets).map(
      ({ name, path, type, read, summary }): Endpoint => ({
        ...row,
        name,
        path: `/docs/${path}`,
        summary,
        response: { status: 200, description: summary, type },
        produces: [type],
        handler: async () => {
          checkEnabled(deps);
          return asset(type, read());
        },
      }),
    ),
    {
      ...row,
      name: 'meta.endpoints',
      path: '/meta/endpoints',
      summary: 'List the routes of the gateway',
      response: {
        status: 200,
        description: 'Every route with its methods, rights and parameters',
        schema: {
          type: 'object',
          required: ['data', 'meta'],
          properties: {
            data: {
              type: 'object',
              required: ['endpoints'],
              properties: { endpoints: { type: 'array', items: listedEndpointSchema } },
            },
            meta: { type: 'object', required: ['count'], properties: { count: { type: 'integer', examples: [34] } } },
          },
        },
      },
      handler: (call) => answerEndpoints(deps, call),
    },
    {
      ...row,
      name: 'meta.openapi',
      path: '/meta/openapi',
      summary: 'Read the OpenAPI document in the envelope',
      response: {
        status: 200,
        description: 'The document; meta counts routes and objects',
        schema: {
          type: 'object',
          required: ['data', 'meta'],
          properties: {
            data: documented,
            meta: {
              type: 'object',
              required: ['routes', 'objects'],
              properties: {
                routes: { type: 'integer', examples: [34] },
                objects: { type: 'integer', examples: [8] },
              },
            },
          },
        },
      },
      handler: async () => {
        const meta = { routes: listed(deps, deps.base()).length };
        return json({ data: rendered().document, meta: { ...meta, objects: registry.objects.size } });
      },
    },
    {
      ...row,
      name: 'meta.openapi.json',
      path: '/meta/openapi.json',
      summary: 'Read the OpenAPI document',
      response: { status: 200, description: 'The bare document', type: openApiType, schema: documented },
      produces: [openApiType, 'application/json'],
      handler: async () => bareDocument(rendered().documentText),
    },
  ];
}

function checkEnabled({ docsEnabled }: MetaDeps): void {
  if (!docsEnabled()) throw new AppError('not_found', { message: 'The API reference is switched off' });
}

function listed({ endpoints, registry, maxLimit }: MetaDeps, base: string): ListedEndpoint[] {
  return listEndpoints({ endpoints: endpoints(), registry, base, maxLimit: maxLimit() });
}

async function answerEndpoints(deps: MetaDeps, call: Call): Promise<Reply> {
  const endpoints = listed(deps, call.base);
  return json({ data: { endpoints }, meta: { count: endpoints.length } });
}

function json(value: unknown): Reply {
  return { status: 200, body: { kind: 'json', value }, caching: { kind: 'static', seconds: metaSeconds } };
}

function bareDocument(text: string): Reply {
  return {
    status: 200,
    body: { kind: 'bytes', type: `${openApiType}; charset=utf-8`, bytes: text },
    caching: { kind: 'static', seconds: metaSeconds },
  };
}

function page(html: string): Reply {
  return {
    status: 200,
    headers: { 'Content-Security-Policy': contentSecurityPolicy },
    body: { kind: 'bytes', type: 'text/html; charset=utf-8', bytes: html },
    caching: { kind: 'static', seconds: metaSeconds },
  };
}

function asset(type: string, text: string): Reply {
  return {
    status: 200,
    body: { kind: 'bytes', type: `${type}; charset=utf-8`, bytes: text },
    caching: { kind: 'static', seconds: assetSeconds },
  };
}
