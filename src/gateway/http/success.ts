/** The success envelope of the gateway: `{data, meta}` and `links` on lists (docs/gateway.md#answers). */
import type { Paging } from '../../content/query/ast.js';
import type { RecordList } from '../../content/reading/list-records.js';
import type { FoundRecord } from '../../content/reading/read-record.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import type { ContentCaching } from './cache-tags.js';

interface Envelope {
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** A single value; `caching` names the rows that the answer shows. */
export function presentOne(
  data: unknown,
  options: { readonly meta?: Readonly<Record<string, unknown>>; readonly caching: ContentCaching },
): Reply {
  return {
    status: 200,
    body: { kind: 'json', value: { data, meta: options.meta ?? {} } satisfies Envelope },
    caching: options.caching,
  };
}

/** `meta.truncated` when to_many relations were cut, else nothing. */
export function truncatedMeta(found: Pick<FoundRecord, 'truncated'>): Readonly<Record<string, unknown>> {
  return found.truncated.size === 0 ? {} : { truncated: Object.fromEntries(found.truncated) };
}

/** A page of records with totals and links. */
export function presentList(
  call: Call,
  list: RecordList,
  options: { readonly paging: Paging; readonly caching: ContentCaching; readonly maxOffset: number },
): Reply {
  const { paging } = options;
  const offset = paging.kind === 'offset' ? paging.offset : null;
  const meta = {
    total: list.total,
    count: list.rows.length,
    limit: paging.limit,
    offset,
    has_more: list.hasMore,
    ...(list.nextCursor === null ? {} : { next_cursor: list.nextCursor }),
    ...truncatedMeta(list),
  };
  return {
    status: 200,
    body: {
      kind: 'json',
      value: { data: list.rows.map((row) => row.record), meta, links: linksOf(call, list, options) },
    },
    caching: options.caching,
  };
}

type Links = { self: string; next?: string; prev?: string };

/** Path and query of this page and its neighbours; a cursor page leads on by cursor and not back. */
function linksOf(
  call: Call,
  list: RecordList,
  { paging, maxOffset }: { readonly paging: Paging; readonly maxOffset: number },
): Links {
  if (paging.kind === 'cursor') {
    const links: Links = { self: link(call, { limit: paging.limit, cursor: paging.cursor }) };
    if (list.nextCursor !== null) links.next = link(call, { limit: paging.limit, cursor: list.nextCursor });
    return links;
  }
  const { limit, offset } = paging;
  const links: Links = { self: link(call, { limit, offset }) };
  // A larger offset would be cut back to the same page for ever.
  const isLastOffset = offset + limit > maxOffset;
  if (isLastOffset && list.nextCursor !== null) links.next = link(call, { limit, cursor: list.nextCursor });
  else if (list.hasMore) links.next = link(call, { limit, offset: offset + limit });
  if (offset > 0) links.prev = link(call, { limit, offset: Math.max(0, offset - limit) });
  return links;
}

const positional = new Set(['page', 'limit', 'offset', 'cursor']);

function link(call: Call, position: Readonly<Record<string, string | number>>): string {
  const kept = call.query
    .filter(([name]) => !positional.has(name))
    .map(([name, value]): [string, string] => [name, value]);
  const query = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(position)) query.set(name, String(value));
  return `${call.path}?${query.toString()}`;
}
