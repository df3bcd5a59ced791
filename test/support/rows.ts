/** Endpoint rows of the small test gateway: one of each kind that the mechanism treats differently. */
import { AppError } from '../../src/errors/app-error.js';
import type { Call, Endpoint, Reply } from '../../src/http/interface/endpoint.js';
import { row } from './server.js';

/** Shows what the handler was given. */
export async function echo(call: Call): Promise<Reply> {
  const { params, query, path, base, method, mediaType, clientIp, requestId } = call;
  const value = { params, query, path, base, method, mediaType, clientIp, requestId, identity: call.identity.kind };
  return { status: 200, body: { kind: 'json', value }, caching: { kind: 'never' } };
}

/** A body that stays the same. */
export async function fixed(): Promise<Reply> {
  return {
    status: 200,
    body: { kind: 'json', value: { data: 'fixed' } },
    caching: { kind: 'content', tags: ['gateway:things'] },
  };
}

async function fault(): Promise<Reply> {
  throw new TypeError('secret detail in SELECT * FROM table');
}

async function unstorable(): Promise<Reply> {
  return { status: 200, body: { kind: 'json', value: 10n }, caching: { kind: 'never' } };
}

async function storeGone(): Promise<Reply> {
  throw new AppError('database_unreachable', { message: 'connect ECONNREFUSED 10.0.0.1', details: { retryAfter: 7 } });
}

const limitParameter = { name: 'limit', in: 'query', description: 'Most rows.', schema: { type: 'integer' } } as const;
const filterParameter = {
  name: 'filter',
  in: 'query',
  description: 'Filters.',
  schema: { type: 'object' },
  brackets: 'names',
} as const;
const utmParameter = { name: 'utm_*', in: 'query', description: 'Campaign.', schema: { type: 'string' } } as const;

export const testRows: readonly Endpoint[] = [
  row({ name: 'discovery', path: '/', handler: echo, whenDisabled: true }),
  row({
    name: 'things.list',
    path: '/things',
    handler: echo,
    parameters: [limitParameter, filterParameter, utmParameter],
  }),
  row({ name: 'things.create', method: 'POST', path: '/things', handler: echo }),
  row({ name: 'things.get', path: '/things/:id', handler: echo }),
  row({ name: 'things.update', method: 'PATCH', path: '/things/:id', handler: echo }),
  row({ name: 'things.delete', method: 'DELETE', path: '/things/:id', handler: echo }),
  row({ name: 'files.get', path: '/files/*rest', handler: echo }),
  row({
    name: 'objects.list',
    path: '/objects/:name',
    handler: echo,
    exists: ({ name }) => name === 'known',
    access: { kind: 'scope', scope: 'other.read' },
  }),
  row({ name: 'secret', path: '/secret', handler: echo, access: { kind: 'scope', scope: 'things.read' } }),
  row({ name: 'denied', path: '/denied', handler: echo, access: { kind: 'scope', scope: 'other.read' } }),
  row({ name: 'fixed', path: '/fixed', handler: fixed }),
  row({ name: 'fault', path: '/fault', handler: fault }),
  row({ name: 'unstorable', path: '/unstorable', handler: unstorable }),
  row({ name: 'store-gone', path: '/store-gone', handler: storeGone }),
];
