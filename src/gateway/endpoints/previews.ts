/** Previews over HTTP: create one, list your own, end one (docs/previews.md). */
import { usableContexts } from '../../content/query/authorize.js';
import { uriInPreview } from '../../content/reading/read-record.js';
import { readerFor } from '../../content/reading/select-rows.js';
import { AppError, invalidField, Problems } from '../../errors/app-error.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, jsonType, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import {
  frontendUrl,
  issuePreview,
  listPreviews,
  mostListed,
  previewLife,
  previewUrl,
  revokePreview,
} from '../../identity/previews/manage-previews.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { isJsonObject } from '../../values/json.js';
import { isIdText, largestUnsigned } from '../../values/unsigned.js';
import { callerOf, type GatewayDeps } from '../http/deps.js';
import { pathParameter } from '../http/parameter-docs.js';
import { credentialBodyBytes } from './write-answers.js';

const id = { type: 'integer', minimum: 1 } as const;
const time = { ...text, format: 'date-time' } as const;

const members = {
  resource: { ...id, description: 'Id of the resource to show' },
  context: { ...text, maxLength: 100, description: 'Key of the context to show as a whole, instead of a resource' },
  expires: {
    type: 'integer',
    minimum: 1,
    maximum: previewLife.max,
    default: previewLife.default,
    description: 'Seconds until it ends',
  },
} as const;

const listed = objectSchema({
  id,
  resource: { type: ['integer', 'null'], description: 'Null: the whole context' },
  context: text,
  state: { ...text, enum: ['active', 'revoked', 'expired'] },
  expires_on: time,
  created_on: time,
});

export function previewEndpoints(deps: GatewayDeps): Endpoint[] {
  const row = { access: { kind: 'scope', scope: 'preview' }, tags: ['Previews'] } as const;
  return [
    {
      ...row,
      access: { ...row.access, also: 'resources.read' },
      name: 'previews.create',
      method: 'POST',
      path: '/previews',
      summary: 'Make a preview of a resource or a context',
      parameters: [],
      request: {
        types: [jsonType],
        required: true,
        maxBytes: credentialBodyBytes,
        schema: { ...objectSchema({}, members), additionalProperties: false },
      },
      response: {
        status: 201,
        description: 'The preview; its token is not shown again',
        schema: objectSchema({
          ...{ id, token: text, url: { ...text, format: 'uri-reference' }, expires_on: time },
          frontend_url: { type: ['string', 'null'], format: 'uri', description: 'Null without gateway_preview_url' },
        }),
      },
      handler: (call) => create(deps, call),
    },
    {
      ...row,
      name: 'previews.list',
      method: 'GET',
      path: '/previews',
      summary: 'List the previews that this caller made',
      parameters: [],
      response: {
        status: 200,
        description: `The previews that work, the newest first, at most ${mostListed}`,
        schema: objectSchema<Readonly<Record<string, unknown>>>({
          data: { type: 'array', items: listed },
          meta: objectSchema({ count: { type: 'integer' } }),
        }),
      },
      handler: (call) => list(deps, call),
    },
    {
      ...row,
      name: 'previews.delete',
      method: 'DELETE',
      path: '/previews/:id',
      summary: 'End a preview that this caller made',
      parameters: [pathParameter('id', 'Number of the preview', { schema: id })],
      response: {
        status: 200,
        description: 'The preview has ended',
        schema: objectSchema({ id, revoked: { type: 'boolean', const: true } }),
      },
      handler: (call) => revoke(deps, call),
    },
  ];
}

async function create(deps: GatewayDeps, call: Call): Promise<Reply> {
  const { resource, context, life } = readRequest(call);
  const target =
    resource === null ? await contextTarget(deps, call, context) : await resourceTarget(deps, call, resource);
  const { gateway_public_url: place, gateway_preview_url: form } = deps.settings();
  const preview = await issuePreview(deps.writer.store, {
    ...target,
    maker: call.identity,
    userId: call.identity.userId,
    life,
    now: deps.now(),
  });
  const data = {
    id: preview.id,
    token: preview.token,
    url: previewUrl(`${place}${deps.base()}`, preview),
    frontend_url: frontendUrl(form, { ...preview, uri: target.uri }),
    expires_on: isoTimeOfMs(preview.expiresOn),
  };
  return { ...jsonReply({ data, meta: {} }, { kind: 'never' }), status: 201 };
}

async function list(deps: GatewayDeps, { identity }: Call): Promise<Reply> {
  const found = await listPreviews(deps.writer.store, { maker: identity, usable: true, now: deps.now() });
  const data = found.map(({ expiresOn, createdOn, id: number, resource, context, state }) => ({
    ...{ id: number, resource, context, state },
    ...{ expires_on: isoTimeOfMs(expiresOn), created_on: isoTimeOfMs(createdOn) },
  }));
  return jsonReply({ data, meta: { count: data.length } }, { kind: 'content', tags: [] });
}

async function revoke(deps: GatewayDeps, { identity, params }: Call): Promise<Reply> {
  const given = params['id'] ?? '';
  if (!isIdText(given)) throw invalidField('id', 'must be the number of a preview');
  await revokePreview(deps.writer.store, { id: Number(given), maker: identity, now: deps.now() });
  return jsonReply({ data: { id: Number(given), revoked: true }, meta: {} }, { kind: 'never' });
}

interface PreviewTarget {
  readonly context: string;
  readonly resource: number | null;
  readonly draftRevision: number | null;
  readonly uri: string;
}

async function contextTarget(deps: GatewayDeps, call: Call, context: string): Promise<PreviewTarget> {
  const caller = await callerOf(deps, call.identity);
  const usable = usableContexts(caller);
  if (!usable.includes(context)) throw invalidField('context', `must be one of: ${usable.join(', ')}`);
  return { context, resource: null, draftRevision: null, uri: '' };
}

/** Reads in the first context that the caller may read. Throws not_found. */
async function resourceTarget(deps: GatewayDeps, call: Call, resource: number): Promise<PreviewTarget> {
  const caller = await callerOf(deps, call.identity);
  const reader = readerFor(deps.reader, call.asker);
  for (const context of usableContexts(caller)) {
    const uri = await uriInPreview(reader, { caller, context, resource });
    if (uri !== null) return { context, resource, draftRevision: await deps.draftRevision(resource), uri };
  }
  throw new AppError('not_found', { message: `There is no resource ${resource} that this caller can preview` });
}

function readRequest({ body }: Call) {
  const value = body?.kind === 'json' ? body.value : null;
  const problems = new Problems();
  if (!isJsonObject(value)) problems.add('body', 'must be a JSON object with resource or context');
  const { resource, context, expires, ...others } = isJsonObject(value) ? value : {};
  if (isJsonObject(value) && (resource === undefined) === (context === undefined)) {
    problems.add('resource', 'give either resource or context');
  }
  const number = readInteger('resource', resource, largestUnsigned, problems);
  const key = typeof context === 'string' && /^\S{1,100}$/.test(context) ? context : '';
  if (context !== undefined && key === '') problems.add('context', 'must be the key of a context');
  const life = readInteger('expires', expires, previewLife.max, problems) ?? previewLife.default;
  for (const name of Object.keys(others)) problems.add(name, 'is unknown; send resource or context, and expires');
  problems.throwIfAny();
  return { resource: number, context: key, life };
}

function readInteger(name: string, value: unknown, most: number, problems: Problems): number | null {
  if (value === undefined) return null;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most) return value;
  problems.add(name, `must be a whole number from 1 to ${most}`);
  return null;
}
