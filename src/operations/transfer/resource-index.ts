/** The order of resources in files: parents first, then by place. */
import type { RawRow, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';

/** In about 50 bytes for each resource: no texts are kept. */
export interface ResourceIndex {
  /** Which of the resources at its place, from 1; undefined for an unknown id. */
  readonly nthOf: (id: number) => number | undefined;
  readonly rankOf: (id: number) => number;
  readonly contextOf: (id: number) => string | undefined;
  /** One resource of each circle of parents. */
  readonly loose: ReadonlySet<number>;
  readonly ordered: (filter: { readonly contexts?: readonly string[]; readonly since?: number }) => readonly number[];
}

/** By id, and in the order of places, for which the database sorts all rows each time. */
const together = { ids: 5000, places: 20_000 };
/** The resource that is delivered comes first. Ids of other resources do not count: they differ elsewhere. */
export const placeOrder = '`deleted`, `published` DESC, `menuindex`, `id`';

export async function indexResources(content: Reader, prefix: string): Promise<ResourceIndex> {
  const table = `\`${prefix}site_content\``;
  const { ids, parents, changed, contextNumbers, contexts } = await readRows(content, table);
  const at = (id: number): number | undefined => indexIn(ids, id);
  const { order, rank, nth } = await readOrder(content, { table, size: ids.length, at });
  const { depths, loose } = depthsOf(order, (index) => at(parents[index] ?? 0));
  return {
    loose: new Set([...loose].map((index) => ids[index] ?? 0)),
    nthOf(id) {
      const index = at(id);
      return index === undefined ? undefined : nth[index];
    },
    rankOf: (id) => rank[at(id) ?? -1] ?? 0,
    contextOf: (id) => contexts[contextNumbers[at(id) ?? -1] ?? -1],
    ordered({ contexts: keys, since }) {
      const wanted = keys && new Set(keys.map((key) => contexts.indexOf(key)));
      const byDepth: number[][] = [];
      for (const index of order) {
        if (wanted?.has(contextNumbers[index] ?? -1) === false) continue;
        if (since !== undefined && (changed[index] ?? 0) < since) continue;
        const depth = depths[index] ?? 0;
        byDepth[depth] ??= [];
        byDepth[depth].push(ids[index] ?? 0);
      }
      return byDepth.flat();
    },
  };
}

/** In the order of the ids; `changed` is the later of the times of creation and of the last change. */
async function readRows(content: Reader, table: string) {
  const ids: number[] = [];
  const parents: number[] = [];
  const changed: number[] = [];
  const contextNumbers: number[] = [];
  const contexts = new Map<string, number>();
  for (let after = 0; ; ) {
    const rows = await content.select({
      sql: `SELECT \`id\`, \`parent\`, \`context_key\`, \`editedon\`, \`createdon\` FROM ${table}
        WHERE \`id\` > ? ORDER BY \`id\` LIMIT ${together.ids}`,
      params: [after],
    });
    for (const [id, parent, context, editedOn, createdOn] of rows) {
      after = Number(id);
      const number = contexts.get(String(context)) ?? contexts.size;
      contexts.set(String(context), number);
      ids.push(after);
      parents.push(Number(parent));
      changed.push(Math.max(Number(editedOn), Number(createdOn)));
      contextNumbers.push(number);
    }
    if (rows.length < together.ids) break;
  }
  return {
    ids: Float64Array.from(ids),
    parents: Float64Array.from(parents),
    changed: Float64Array.from(changed),
    contextNumbers: Uint32Array.from(contextNumbers),
    contexts: [...contexts.keys()],
  };
}

/** `order`: the rows as places sort them; `rank`: the position of each row in it. */
async function readOrder(
  content: Reader,
  {
    table,
    size,
    at,
  }: { readonly table: string; readonly size: number; readonly at: (id: number) => number | undefined },
) {
  const [order, rank, nth] = [new Uint32Array(size), new Uint32Array(size), new Uint32Array(size)];
  const { exactText } = dialectOf(content.dialect);
  const uri = "COALESCE(`uri`, '')";
  const sql = `SELECT \`id\`, \`context_key\`, ${uri} FROM ${table}
    ORDER BY ${exactText('`context_key`')}, ${exactText(uri)}, ${placeOrder} LIMIT ${together.places} OFFSET ?`;
  let before: RawRow = [];
  let count = 0;
  for (let position = 0; position < size; ) {
    const rows = await content.select({ sql, params: [position] });
    if (rows.length === 0) break;
    for (const row of rows) {
      const index = at(Number(row[0])) ?? 0;
      count = row[1] === before[1] && row[2] === before[2] ? count + 1 : 1;
      [order[position], rank[index], nth[index]] = [index, position, count];
      before = row;
      position += 1;
    }
  }
  return { order, rank, nth };
}

function indexIn(list: Float64Array, wanted: number): number | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted ? low : undefined;
}

const unknown = -1;
const onPath = -2;

/** Levels above each row; one row of each circle counts as one without a parent. */
function depthsOf(order: Uint32Array, parentOf: (index: number) => number | undefined) {
  const loose = new Set<number>();
  const depths = new Int32Array(order.length).fill(unknown);
  for (const start of order) {
    const path: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && depths[at] === unknown) {
      depths[at] = onPath;
      path.push(at);
      at = parentOf(at);
    }
    const last = path.at(-1);
    if (last !== undefined && at !== undefined && depths[at] === onPath) loose.add(last);
    let depth = Math.max(-1, at === undefined ? -1 : (depths[at] ?? -1));
    for (const index of path.toReversed()) {
      depth += 1;
      depths[index] = depth;
    }
  }
  return { depths, loose };
}
