/** Speaks the Model Context Protocol on two streams. */
import type { Readable, Writable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { dashboardSchema } from '../../src/banners/endpoints/statistics.js';
import { AppError } from '../../src/errors/app-error.js';
import { objectSchema } from '../../src/http/interface/endpoint.js';
import { isReference, type JsonSchema, type OpenApiDocument } from '../../src/http/interface/openapi.js';
import { reportFailure } from '../../src/log/observation.js';
import { catalogSchema, type Json, pageListSchema, pageSchema } from '../../src/pages/http/schemas.js';
import type { JsonObject } from '../../src/values/json.js';
import type { SiteDeps } from '../deps.js';
import type { SiteServices } from './site-services.js';
import { inputProblem, type ServiceName, type Tool, tools } from './tools.js';

interface Serving {
  readonly services: SiteServices;
  readonly writes: boolean;
  readonly deps: Pick<SiteDeps, 'version' | 'log'>;
  readonly input: Readable;
  readonly output: Writable;
  readonly stop: AbortSignal;
}

/** Resolves when the client has gone, or `stop` aborts. */
export async function serveTools({ services, writes, deps, input, output, stop }: Serving): Promise<void> {
  const offered = tools.filter((tool) => writes || !tool.writes);
  const instructions =
    'Content of a website. Resources are its pages; page documents hold the sections of pages that are made of them.';
  const server = new Server({ name: 'hcd', version: deps.version }, { capabilities: { tools: {} }, instructions });
  const underWay = new Set<Promise<unknown>>();
  server.setRequestHandler(ListToolsRequestSchema, () => {
    const document = services.document();
    return { tools: offered.map((tool) => ({ ...described(tool), outputSchema: outputSchemaOf(tool, document) })) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = offered.find(({ name }) => name === params.name);
    if (tool === undefined)
      return refused(`There is no tool ${params.name}; tools: ${offered.map(({ name }) => name).join(', ')}`);
    const called = call(tool, params.arguments ?? {}, { services, deps });
    underWay.add(called);
    return called.finally(() => underWay.delete(called));
  });
  await new Promise<void>((resolve, reject) => {
    const end = (): void => void server.close().catch(reject);
    server.onclose = resolve;
    stop.addEventListener('abort', end, { once: true });
    // A client that is done closes the input; earlier questions are still answered.
    const endWhenAnswered = (): void => {
      if (underWay.size === 0) setImmediate(end);
      else void Promise.allSettled(underWay).then(endWhenAnswered);
    };
    input.once('end', () => setImmediate(endWhenAnswered));
    server.connect(new StdioServerTransport(input, output)).catch(reject);
    if (stop.aborted) end();
  });
}

function described({ name, description, members, required, writes }: Tool) {
  return {
    name,
    description,
    inputSchema: {
      type: 'object' as const,
      properties: Object.fromEntries(
        Object.entries(members).map(([member, { accepts: _words, ...schema }]) => [member, schema]),
      ),
      required: [...required],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: !writes, destructiveHint: false, openWorldHint: false },
  };
}

async function call(tool: Tool, input: JsonObject, { services, deps }: Pick<Serving, 'services' | 'deps'>) {
  const problem = inputProblem(tool, input);
  if (problem !== null) return refused(problem);
  const { answer } = tool;
  try {
    if (answer.by === 'service') return said(await services.serve(tool, answer, input));
    const { status, body } = await services.ask(answer.request(input));
    return status < 400 ? said(body) : refused(JSON.stringify(body));
  } catch (error) {
    if (error instanceof AppError && error.kind !== 'internal') return refused(wordsOf(error));
    reportFailure(deps.log, { during: `the tool ${tool.name}`, error });
    return refused('The site could not answer; its log says why.');
  }
}

function wordsOf({ message, details }: AppError): string {
  const fields = Object.entries(details.fields ?? {}).map(([name, found]) => `${name}: ${found.join('; ')}`);
  return [message, ...fields].join('\n');
}

/** As text too, for clients that know no structured results. */
function said(value: JsonObject) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(value) }], structuredContent: { ...value } };
}

function refused(message: string) {
  return { content: [{ type: 'text' as const, text: message }], isError: true };
}

const number = { type: 'integer' };
const versions = { id: number, published_revision: number };
const problems = { type: 'array', items: { type: 'string' }, description: 'What keeps the draft from being published' };

const ofServices: Readonly<Record<ServiceName, Json>> = {
  pages: pageListSchema,
  document: pageSchema,
  draft: objectSchema({ ...versions, revision: number, document: { type: 'object' } }),
  types: catalogSchema,
  statistics: dashboardSchema,
  publish: objectSchema(versions),
  edit: objectSchema({ ...versions, revision: number, missing: problems }),
};

function outputSchemaOf({ answer }: Tool, { paths, components }: OpenApiDocument): Json & { type: 'object' } {
  if (answer.by === 'service') return { ...ofServices[answer.service], type: 'object' };
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const responses = operations.find(({ operationId }) => operationId === answer.operation)?.responses ?? {};
  const response = responses['200'] ?? responses['201'];
  const given =
    response === undefined || isReference(response) ? {} : (response.content?.['application/json']?.schema ?? {});
  const $defs: Record<string, Json> = {};
  const named = (reference: string): JsonSchema => components.schemas[reference.slice(place.length)] ?? {};
  const gather = (schema: JsonSchema): Json => {
    const text = JSON.stringify(schema, shortened);
    for (const [reference] of text.matchAll(/#\/components\/schemas\/[^"]+/g)) {
      const name = reference.slice(place.length);
      if (Object.hasOwn($defs, name)) continue;
      $defs[name] = {};
      $defs[name] = gather(named(reference));
    }
    return JSON.parse(text.replaceAll(place, '#/$defs/')) as Json;
  };
  const whole = given.$ref === undefined ? given : named(given.$ref);
  return { ...gather(whole), required: whole.required, $defs, type: 'object' };
}

const place = '#/components/schemas/';

/** Assistants read schemas in full, so related records are only named. With `fields` no field is required. */
function shortened(key: string, value: unknown): unknown {
  if (key === 'x-object' || (Array.isArray(value) && (key === 'required' || key === 'examples'))) return undefined;
  const { type, description } = (value ?? {}) as JsonSchema;
  return typeof description === 'string' && description.startsWith('With include=') ? { type, description } : value;
}
