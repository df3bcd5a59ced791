/**
 * The log of content changes in `hcd_changes`: under the generation that a change raised, what it changed. A generation
 * without a row, or with an empty one, may have changed anything. Rows live for minutes: whoever missed more drops all.
 */
import type { Database, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

/** Milliseconds that a change is kept for processes that fell behind. */
const lifetime = 300_000;
/** Rows that one clean-up looks at. */
const batch = 1000;

export interface ChangeRow {
  readonly generation: number;
  /** What changed, as it was given to writeChange; null = more than is worth telling. */
  readonly payload: string | null;
}

/** Adds the change of a generation that this transaction has raised. */
export async function writeChange(tx: Tx, { generation, payload }: ChangeRow): Promise<void> {
  const sql = `INSERT INTO \`hcd_changes\` (\`generation\`, \`created_on\`, \`payload\`) VALUES (?, ${nowMilliseconds(tx.dialect)}, ?)`;
  await tx.run({ sql, params: [generation, payload] });
}

/** The changes after one generation up to another one, in their order; missing where nothing was written. */
export async function readChanges(
  reader: Reader,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<ChangeRow[]> {
  const rows = await reader.select({
    sql: 'SELECT `generation`, `payload` FROM `hcd_changes` WHERE `generation` > ? AND `generation` <= ? ORDER BY `generation`',
    params: [after, upTo],
  });
  return rows.map(([generation, payload]) => ({
    generation: Number(generation),
    payload: payload === null || payload === undefined ? null : String(payload),
  }));
}

/** Removes some of the changes that nobody needs any more; true when there may be more of them. */
export async function removeOldChanges(own: Database): Promise<boolean> {
  // The oldest rows by their key: what is counted stays small however many there are.
  const [row] = await own.primary.select({
    sql: `SELECT MAX(\`generation\`), COUNT(*) FROM (SELECT \`generation\`, \`created_on\` FROM \`hcd_changes\` ORDER BY \`generation\` LIMIT ${batch}) AS \`oldest\`
WHERE \`created_on\` < ${nowMilliseconds(own.dialect)} - ${lifetime}`,
    params: [],
  });
  const [last, count] = row ?? [];
  if (last === null || last === undefined) return false;
  await own.write((tx) => tx.run({ sql: 'DELETE FROM `hcd_changes` WHERE `generation` <= ?', params: [last] }));
  return Number(count) >= batch;
}
