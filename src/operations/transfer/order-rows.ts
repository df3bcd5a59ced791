/** The order of rows that refer to rows of their own table: what is above comes first, then names decide. */
import type { RawRow } from '../../store/base/database.js';
import type { Filter, Scope } from './kind.js';
import type { Place } from './names.js';

interface Entry extends Place {
  readonly id: number;
  readonly parent: number;
  nth: number;
  /** Levels above it; null while it is not known. */
  depth: number | null;
  readonly isWanted: boolean;
  /** Decides which of several at one place is the first. */
  readonly rank: readonly [deleted: number, hidden: number, menuindex: number];
}

/** Rows of one statement. */
const together = 5000;
const columns = '`id`, `parent`, `context_key`, `uri`, `deleted`, `published`, `menuindex`, `editedon`, `createdon`';

/** Ids of resources. All places are kept in memory from then on: about 200 bytes each. */
export async function orderResources({ readers, prefix, names }: Scope, filter: Filter): Promise<readonly number[]> {
  const entries = new Map<number, Entry>();
  // The same text for each row of a context.
  const contexts = new Map<string, string>();
  for (let after = 0; ; ) {
    const rows = await readers.content.select({
      sql: `SELECT ${columns} FROM \`${prefix}site_content\` WHERE \`id\` > ? ORDER BY \`id\` LIMIT ${together}`,
      params: [after],
    });
    for (const row of rows) {
      const entry = entryOf(row, { filter, contexts });
      entries.set(entry.id, entry);
      after = entry.id;
    }
    if (rows.length < together) break;
  }
  const sorted = [...entries.values()].sort(comparePlaces);
  for (const [at, entry] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before?.context === entry.context && before.uri === entry.uri) entry.nth = before.nth + 1;
  }
  for (const entry of sorted) setDepth(entry, entries);
  names.useAll(entries);
  return sorted
    .filter(({ isWanted }) => isWanted)
    .sort((one, other) => (one.depth ?? 0) - (other.depth ?? 0) || comparePlaces(one, other))
    .map(({ id }) => id);
}

function entryOf(
  [id, parent, context, uri, deleted, published, menuindex, editedOn, createdOn]: RawRow,
  {
    filter: { contexts: wanted, since },
    contexts,
  }: { readonly filter: Filter; readonly contexts: Map<string, string> },
): Entry {
  const key = contexts.get(String(context)) ?? String(context);
  contexts.set(key, key);
  const isInContext = wanted === undefined || wanted.includes(key);
  return {
    ...{ id: Number(id), parent: Number(parent), context: key, uri: String(uri ?? ''), nth: 1, depth: null },
    rank: [Number(deleted), 1 - Number(published), Number(menuindex)],
    isWanted: isInContext && (since === undefined || Math.max(Number(editedOn), Number(createdOn)) >= since),
  };
}

function comparePlaces(one: Entry, other: Entry): number {
  if (one.context !== other.context) return one.context < other.context ? -1 : 1;
  if (one.uri !== other.uri) return one.uri < other.uri ? -1 : 1;
  const at = one.rank.findIndex((value, index) => value !== other.rank[index]);
  return at < 0 ? one.id - other.id : (one.rank[at] ?? 0) - (other.rank[at] ?? 0);
}

/** A row in a circle counts as one without a parent. */
function setDepth(entry: Entry, entries: ReadonlyMap<number, Entry>): void {
  const path = new Set<Entry>();
  let at: Entry | undefined = entry;
  while (at !== undefined && at.depth === null && !path.has(at)) {
    path.add(at);
    at = entries.get(at.parent);
  }
  let depth = at?.depth ?? -1;
  for (const one of [...path].toReversed()) {
    depth += 1;
    one.depth = depth;
  }
}

/** Ids of categories. */
export async function orderCategories({ names }: Scope): Promise<readonly number[]> {
  const paths = [...(await names.categoryPaths())].map(([id, path]) => ({ id, path, text: path.join('\n') }));
  paths.sort((one, other) => one.path.length - other.path.length || (one.text < other.text ? -1 : 1));
  return paths.map(({ id }) => id);
}
