/** The order of resources in files: parents first, then by place. */
import type { RawRow, Reader } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';

/** In about 100 bytes for each resource: none of its texts is kept. */
export interface ResourceIndex {
  /** Which of the resources at its place, from 1; undefined for an unknown id. */
  readonly nthOf: (id: number) => number | undefined;
  readonly rankOf: (id: number) => number;
  readonly contextOf: (id: number) => string | undefined;
  /** One resource of each circle of parents. */
  readonly loose: ReadonlySet<number>;
  readonly ordered: (filter: { readonly contexts?: readonly string[]; readonly since?: number }) => readonly number[];
}

/** For each page the database sorts all rows. */
const together = 20_000;
/** The resource that is delivered comes first. Ids of other resources do not count: they differ elsewhere. */
export const placeOrder = '`deleted`, `published` DESC, `menuindex`, `id`';

export async function indexResources(content: Reader, prefix: string): Promise<ResourceIndex> {
  const { ids, parents, changed, contexts, nths } = await readRows(content, `\`${prefix}site_content\``);
  const ranks = new Map(ids.map((id, rank) => [id, rank]));
  const { depths, loose } = depthsOf(parents.map((parent) => ranks.get(parent)));
  return {
    loose: new Set([...loose].map((rank) => ids[rank] ?? 0)),
    nthOf: (id) => nths[ranks.get(id) ?? -1],
    rankOf: (id) => ranks.get(id) ?? 0,
    contextOf: (id) => contexts[ranks.get(id) ?? -1],
    ordered({ contexts: wanted, since }) {
      const byDepth: number[][] = [];
      for (const [rank, id] of ids.entries()) {
        if (wanted?.includes(contexts[rank] ?? '') === false) continue;
        if (since !== undefined && (changed[rank] ?? 0) < since) continue;
        const depth = depths[rank] ?? 0;
        byDepth[depth] ??= [];
        byDepth[depth].push(id);
      }
      return byDepth.flat();
    },
  };
}

/** In the order of places; `changed` is the later of the times of creation and of the last change. */
async function readRows(content: Reader, table: string) {
  const ids: number[] = [];
  const parents: number[] = [];
  const changed: number[] = [];
  const nths: number[] = [];
  const contexts: string[] = [];
  const known = new Map<string, string>();
  const { exactText } = dialectOf(content.dialect);
  const uri = "COALESCE(`uri`, '')";
  const sql = `SELECT \`id\`, \`parent\`, \`editedon\`, \`createdon\`, \`context_key\`, ${uri} FROM ${table}
    ORDER BY ${exactText('`context_key`')}, ${exactText(uri)}, ${placeOrder} LIMIT ${together} OFFSET ?`;
  let before: RawRow = [];
  let rows: readonly RawRow[];
  do {
    rows = await content.select({ sql, params: [ids.length] });
    for (const row of rows) {
      const [id, parent, editedOn, createdOn, context] = row;
      const isSame = context === before[4] && row[5] === before[5];
      nths.push(isSame ? (nths.at(-1) ?? 0) + 1 : 1);
      ids.push(Number(id));
      parents.push(Number(parent));
      changed.push(Math.max(Number(editedOn), Number(createdOn)));
      // One text for all rows of a context.
      const key = known.get(String(context)) ?? String(context);
      known.set(key, key);
      contexts.push(key);
      before = row;
    }
  } while (rows.length === together);
  return { ids, parents, changed, contexts, nths };
}

const unknown = -1;
const onPath = -2;

/** Levels above each row; one row of each circle counts as one without a parent. */
function depthsOf(parents: readonly (number | undefined)[]) {
  const loose = new Set<number>();
  const depths = parents.map(() => unknown);
  for (const start of parents.keys()) {
    const path: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && depths[at] === unknown) {
      depths[at] = onPath;
      path.push(at);
      at = parents[at];
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
