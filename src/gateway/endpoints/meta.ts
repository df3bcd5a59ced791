/** The gateway about itself: routes, OpenAPI, HTML reference (docs/reference/gateway.md#routes-about-the-gateway). */
import { offeredObjects } from '../../content/query/authorize.js';
import { AppError } from '../../errors/app-error.js';
import { htmlReply, jsonReply, textReply } from '../../http/answers/representation.js';
import { type Endpoint, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import { derived } from '../../values/kept-values.js';
import { readAsset } from '../../values/read-asset.js';
import { escapeHtml } from '../../values/text.js';
import type { GatewayDeps } from '../http/deps.js';

/** These answers change only with a release, the registry or a setting. */
const caching = { kind: 'static', seconds: 60 } as const;
const assetCaching = { kind: 'static', seconds: 86_400 } as const;

const openApiType = 'application/openapi+json';

/** Nothing on the page is inline, so injected markup cannot run. */
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

const listedEndpointSchema = objectSchema<object>({
  name: { ...text, examples: ['resources.list'] },
  methods: { type: 'array', items: { ...text, examples: ['GET'] } },
  path: { ...text, examples: ['/api/v1/resources'] },
  pattern: { ...text, description: 'The same as path', examples: ['/api/v1/resources'] },
  public: { type: 'boolean', description: 'Whether anonymous callers may use it' },
  permission: {
    type: ['string', 'null'],
    description: 'Scope that a key or token needs; null for none, and where the path decides',
    examples: ['resources.read'],
  },
  object: { type: ['string', 'null'], examples: ['resources'] },
  description: { ...text, examples: ['List resources'] },
  tags: { type: 'array', items: { ...text, examples: ['Resources'] } },
  parameters: {
    type: 'array',
    items: objectSchema<object>({
      name: { ...text, examples: ['limit'] },
      in: { ...text, enum: ['path', 'query', 'header'], examples: ['query'] },
      required: { type: 'boolean' },
      description: text,
      schema: { type: 'object', description: 'JSON Schema of the value' },
    }),
  },
});

type MetaDeps = Pick<GatewayDeps, 'registry' | 'base' | 'version' | 'settings' | 'otherDocuments'>;

export function metaEndpoints(deps: MetaDeps, endpoints: () => readonly Endpoint[]): Endpoint[] {
  const { registry, base, version, settings, otherDocuments } = deps;
  const address = () => `${settings().gateway_public_url}${base()}`;
  const source = () => {
    const { gateway_max_limit: maxLimit, gateway_extended_columns: isExtended } = settings();
    return { endpoints: endpoints(), registry: offeredObjects(registry, isExtended), maxLimit };
  };
  // Loaded with the first request: most servers never make them.
  const listed = async (path: string) => {
    const { listEndpoints } = await import('../openapi/openapi.js');
    return listEndpoints({ ...source(), base: path });
  };
  // The table and the registry are frozen by the time of the first request: only settings can change.
  const rendered = derived(
    () => {
      const { gateway_max_limit: limit, gateway_extended_columns: isExtended } = settings();
      return [limit, isExtended, address(), ...otherDocuments().map(({ name }) => name)].join(' ');
    },
    async () => {
      const { buildOpenApi } = await import('../openapi/openapi.js');
      const about = { ...source(), base: base(), version };
      const document = buildOpenApi({ ...about, address: address(), filters: 'each' });
      // The page calls its own server, and people write filters on one line.
      const shown = buildOpenApi({ ...about, address: base(), filters: 'together' });
      return {
        document,
        text: JSON.stringify(document),
        html: renderDocs({
          ...{ base: base(), version },
          documents: [{ name: 'gateway', document: shown }, ...otherDocuments()],
        }),
      };
    },
  );
  const checkEnabled = (): void => {
    if (settings().gateway_swagger_enabled) return;
    throw new AppError('not_found', { message: 'The API reference is turned off' });
  };
  const bareDocument = async (): Promise<Reply> => textReply(openApiType, (await rendered()).text, caching);
  const row = { method: 'GET', access: { kind: 'public' }, tags: ['Meta'], parameters: [] } as const;
  const documented = { type: 'object', description: 'An OpenAPI 3.1 document' } as const;
  return [
    {
      ...row,
      name: 'docs',
      path: '/docs',
      summary: 'Read the API reference',
      response: { status: 200, description: 'This reference, for people', type: 'text/html', schema: documented },
      // Clients that ask for JSON everywhere get the same reference as JSON.
      produces: ['text/html', 'application/json', openApiType],
      async handler(call) {
        checkEnabled();
        if (call.mediaType !== 'text/html') return bareDocument();
        return htmlReply((await rendered()).html, { policy: contentSecurityPolicy, caching });
      },
    },
    ...docsAssets.map(
      ({ name, file, type, summary }): Endpoint => ({
        ...row,
        name,
        path: `/docs/${file}`,
        summary,
        response: { status: 200, description: summary, type },
        produces: [type],
        handler() {
          checkEnabled();
          return textReply(type, readAsset('gateway-docs', file).toString(), assetCaching);
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
        schema: objectSchema({
          data: objectSchema({ endpoints: { type: 'array', items: listedEndpointSchema } }),
          meta: objectSchema({ count: { type: 'integer', examples: [34] } }),
        }),
      },
      async handler(call) {
        const list = await listed(call.base);
        return jsonReply({ data: { endpoints: list }, meta: { count: list.length } }, caching);
      },
    },
    {
      ...row,
      name: 'meta.openapi',
      path: '/meta/openapi',
      summary: 'Read the OpenAPI document in the envelope',
      response: {
        status: 200,
        description: 'The document; meta counts routes and objects',
        schema: objectSchema({
          data: documented,
          meta: objectSchema({
            routes: { type: 'integer', examples: [34] },
            objects: { type: 'integer', examples: [8] },
          }),
        }),
      },
      async handler() {
        const { length: routes } = await listed(base());
        return jsonReply(
          { data: (await rendered()).document, meta: { routes, objects: registry.objects.size } },
          caching,
        );
      },
    },
    {
      ...row,
      name: 'meta.openapi.json',
      path: '/meta/openapi.json',
      summary: 'Read the OpenAPI document',
      response: { status: 200, description: 'The bare document', type: openApiType, schema: documented },
      produces: [openApiType, 'application/json'],
      handler: bareDocument,
    },
  ];
}

/** Swagger UI itself comes from its package: `npm run build` copies it next to what is ours. */
const docsAssets = [
  { name: 'docs.style', file: 'style.css', type: 'text/css', summary: 'Style of the API reference' },
  { name: 'docs.script', file: 'app.js', type: 'text/javascript', summary: 'Script of the API reference' },
  { name: 'docs.swagger_style', file: 'swagger-ui.css', type: 'text/css', summary: 'Style of Swagger UI' },
  { name: 'docs.swagger_script', file: 'swagger-ui.js', type: 'text/javascript', summary: 'Script of Swagger UI' },
] as const;

/** The API reference: Swagger UI over the documents of the interfaces, with nothing from another host. */
export function renderDocs({
  base,
  version,
  documents,
}: {
  readonly base: string;
  readonly version: string;
  readonly documents: readonly { readonly name: string; readonly document: object }[];
}): string {
  const shown = escapeHtml(version);
  const address = (file: string) => `${escapeHtml(base)}/docs/${file}?v=${encodeURIComponent(version)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>hcd ${shown}: API reference</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${address('swagger-ui.css')}">
<link rel="stylesheet" href="${address('style.css')}">
<script src="${address('swagger-ui.js')}" defer></script>
<script src="${address('app.js')}" defer></script>
</head>
<body>
<header>
<p><a href="/">hcd ${shown}</a></p>
<nav aria-label="Interfaces">
${documents.map(({ name }) => `<a href="#api-${name}">${name[0]?.toUpperCase()}${name.slice(1)}</a>`).join('\n')}
<a href="${escapeHtml(base)}/problems">Error codes</a>
</nav>
</header>
<div id="reference"><noscript>This page needs JavaScript. ${escapeHtml(base)}/meta/openapi.json is the same for programs.</noscript></div>
${documents.map(({ name, document }) => `<script type="application/json" id="api-${name}">${inScript(document)}</script>`).join('\n')}
</body>
</html>
`;
}

function inScript(document: object): string {
  return JSON.stringify(document).replaceAll('<', '\\u003c');
}
