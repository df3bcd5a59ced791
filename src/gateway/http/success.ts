/** The success envelope of the gateway: `{data, meta}`, and `links` on lists (docs/gateway.md#answers). */
import { contextTag, keyTag, mediaObject, objectTag, uriTag, type Warning } from '../../content/live/mutation.js';
import type { ObjectDefinition, Registry } from '../../content/objects/definition.js';
import type { Paging } from '../../content/query/ast.js';
import type { Attached } from '../../content/reading/includes.js';
import type { RecordList } from '../../content/reading/list-records.js';
import { dependenciesOf } from '../../content/reading/may-match.js';
import type { FoundRow, RecordJson, RowSet } from '../../content/reading/select-rows.js';
import { filesBase, readMediaAddress } from '../../files/media-path.js';
import { jsonReply } from '../../http/answers/representation.js';
import {
  type Call,
  type Dependency,
  type Endpoint,
  objectSchema,
  type Reply,
  text,
} from '../../http/interface/endpoint.js';
import { previewParameter } from '../../http/interface/request-headers.js';
import { after } from '../../values/after.js';
import { isJsonObject } from '../../values/json.js';
import type { GatewayDeps } from './deps.js';

export function remarksMeta({
  truncated,
  isCutShort = false,
  untyped,
  unresolved,
  warnings = [],
}: Omit<Attached, 'dependsOn'> & {
  readonly isCutShort?: boolean;
  readonly warnings?: readonly Warning[];
}): Readonly<Record<string, unknown>> {
  const cut = { ...Object.fromEntries(truncated), ...(isCutShort ? { bytes: true } : {}) };
  return {
    ...(Object.keys(cut).length === 0 ? {} : { truncated: cut }),
    ...(untyped.length === 0 ? {} : { untyped }),
    ...(unresolved.length === 0 ? {} : { unresolved }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/** Callers with a credential learn which parameters were ignored: a misspelled one would go unnoticed. */
export function namingIgnored(endpoint: Endpoint): Endpoint {
  const name = (reply: Reply, ignored: readonly string[]): Reply => {
    const value = reply.body.kind === 'json' ? reply.body.value : undefined;
    if (!isJsonObject(value) || !isJsonObject(value['meta'])) return reply;
    return { ...reply, body: { kind: 'json', value: { ...value, meta: { ...value['meta'], ignored } } } };
  };
  return {
    ...endpoint,
    handler(call) {
      // A preview counts on routes without drafts, too: it has to be valid there.
      const ignored = call.ignored.filter((parameter) => parameter !== previewParameter);
      if (ignored.length === 0 || call.identity.kind === 'anonymous') return endpoint.handler(call);
      const reply = endpoint.handler(call);
      return after(reply, (made) => name(made, ignored));
    },
  };
}

export function presentList(
  call: Call,
  list: RecordList,
  options: { readonly paging: Paging; readonly caching: ContentCaching; readonly maxOffset: number },
): Reply {
  const { paging } = options;
  const offset = paging.kind === 'offset' ? paging.offset : null;
  const meta = {
    total: list.total,
    ...(list.isTotalLeast ? { total_at_least: true } : {}),
    count: list.rows.length,
    limit: paging.limit,
    offset,
    has_more: list.hasMore,
    ...(list.nextCursor === null ? {} : { next_cursor: list.nextCursor }),
    ...(list.missing === null ? {} : { missing: list.missing }),
    ...(list.leftOut === null ? {} : { left_out: list.leftOut }),
    ...remarksMeta(list),
  };
  const data = list.rows.map((row) => row.record);
  return jsonReply({ data, meta, links: linksOf(call, list, options) }, options.caching);
}

const count = { type: 'integer', minimum: 0 } as const;

export const cursorMetaSchema = objectSchema(
  { count, limit: count, has_more: { type: 'boolean' } },
  { next_cursor: text },
);

/** Of a list that goes on by cursor alone. */
export function cursorMeta({ count, limit, next }: { count: number; limit: number; next: string | null }) {
  return { count, limit, has_more: next !== null, ...(next === null ? {} : { next_cursor: next }) };
}

type Links = { self: string; next?: string; prev?: string };

/** A cursor page leads on by cursor and not back. */
function linksOf(
  call: Call,
  list: RecordList,
  { paging, maxOffset }: { readonly paging: Paging; readonly maxOffset: number },
): Links {
  // Named records have no other pages, and take no paging.
  if (list.missing !== null) return { self: link(call, {}) };
  if (paging.kind === 'cursor') {
    const links: Links = { self: link(call, { limit: paging.limit, cursor: paging.cursor }) };
    if (list.nextCursor !== null) links.next = link(call, { limit: paging.limit, cursor: list.nextCursor });
    return links;
  }
  const { limit, offset } = paging;
  const links: Links = { self: link(call, { limit, offset }) };
  // A larger offset would lead back to this page without end.
  const isLastOffset = offset + limit > maxOffset;
  if (isLastOffset && list.nextCursor !== null) links.next = link(call, { limit, cursor: list.nextCursor });
  else if (list.hasMore)
    links.next = link(call, { limit, offset: offset + (list.isCutShort ? list.rows.length : limit) });
  if (offset > 0) links.prev = link(call, { limit, offset: Math.max(0, offset - limit) });
  return links;
}

/** The place in a list, and a secret: links are copied and logged. */
const leftOut: ReadonlySet<string> = new Set(['page', 'limit', 'offset', 'cursor', previewParameter]);

function link(call: Call, position: Readonly<Record<string, string | number>>): string {
  const kept = call.query
    .filter(([name]) => !leftOut.has(name))
    .map(([name, value]): [string, string] => [name, value]);
  const query = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(position)) query.set(name, String(value));
  return `${call.path}?${query.toString()}`;
}

interface CachedAnswer {
  readonly context: string;
  readonly rows: readonly FoundRow[];
  readonly isSet: boolean;
  /** Rows named by their keys get tags although they are not shown. */
  readonly dependsOn: readonly RowSet[];
}

type ContentCaching = Reply['caching'] & { readonly kind: 'content' };

/** Tags for caches in front of the server, dependencies for our own; made on demand. */
export function cachingOf(
  { registry, reader }: Pick<GatewayDeps, 'registry' | 'reader'>,
  definition: ObjectDefinition,
  answer: CachedAnswer,
): ContentCaching {
  return lazyCaching(() => answerTags(registry, definition, answer), dependenciesOf(reader, answer.dependsOn));
}

function lazyCaching(make: () => AnswerTags, dependsOn: () => readonly Dependency[]): ContentCaching {
  let tags = make;
  const read = (): AnswerTags => {
    const made = tags();
    // A kept answer must not keep its rows in memory too.
    tags = () => made;
    return made;
  };
  return {
    kind: 'content',
    dependsOn,
    get tags() {
      return read().tags;
    },
    get coarseTags() {
      return read().coarseTags;
    },
  };
}

interface AnswerTags {
  readonly tags: readonly string[];
  /** The sets alone: each change of a row in them announces them too, so they cover all tags of lists. */
  readonly coarseTags: readonly string[];
}

export function setTags(definition: ObjectDefinition, context: string): string[] {
  return [objectTag(definition.name), contextTag(context)];
}

function answerTags(registry: Registry, definition: ObjectDefinition, answer: CachedAnswer): AnswerTags {
  const sets = new Set(answer.isSet ? setTags(definition, answer.context) : []);
  const rows = new Set<string>();
  const files = new Set<string>();
  const shown = new Set<ObjectDefinition>([definition]);
  const collect = (current: ObjectDefinition, row: FoundRow): void => {
    rows.add(keyTag(current.name, row.key));
    if (row.uri !== '') rows.add(uriTag(row.uri));
    for (const path of shownFiles(row.record)) files.add(keyTag(mediaObject, path));
    for (const relation of current.relations) {
      const target = registry.objects.get(relation.target);
      const value = row.record[relation.name];
      if (!target || typeof value !== 'object' || value === null) continue;
      shown.add(target);
      if (relation.type === 'to_many') for (const tag of setTags(target, answer.context)) sets.add(tag);
      for (const related of Array.isArray(value) ? value : [value]) {
        if (isRecord(related)) collect(target, relatedRow(related, target));
      }
    }
  };
  for (const row of answer.rows) collect(definition, row);
  // Resources from which values are inherited.
  for (const set of answer.dependsOn) for (const key of namedKeys(set)) rows.add(keyTag(set.definition.name, key));
  return {
    tags: [...sets, ...rows, ...files],
    coarseTags: [
      ...new Set([...shown].flatMap((one) => setTags(one, answer.context))),
      ...(files.size === 0 ? [] : [objectTag(mediaObject)]),
    ],
  };
}

/** Of `images=full`: the address and the size of a picture follow from its file. */
function shownFiles({ tvs }: RecordJson): readonly string[] {
  if (!isJsonObject(tvs)) return [];
  return Object.values(tvs).flatMap((value) => {
    const url = isJsonObject(value) ? value['url'] : undefined;
    const at = typeof url === 'string' ? url.indexOf(`${filesBase}/`) : -1;
    if (typeof url !== 'string' || at === -1) return [];
    const [address = ''] = url.slice(at + filesBase.length + 1).split('?', 1);
    return readMediaAddress(address) ?? [];
  });
}

function namedKeys({ definition, where }: RowSet): readonly (string | number)[] {
  const isOfKey = where.kind === 'in' && where.ref.column === definition.fields[definition.primaryKey]?.column;
  if (!isOfKey || where.negated) return [];
  return where.values.filter((value) => typeof value === 'string' || typeof value === 'number');
}

function isRecord(value: unknown): value is RecordJson {
  return isJsonObject(value);
}

/** Relations show fixed fields, the key and the URI among them. */
function relatedRow(record: RecordJson, definition: ObjectDefinition): FoundRow {
  const key = record[definition.primaryKey];
  const uri = record['uri'];
  return {
    key: typeof key === 'number' || typeof key === 'string' ? key : '',
    uri: typeof uri === 'string' ? uri : '',
    record,
  };
}
