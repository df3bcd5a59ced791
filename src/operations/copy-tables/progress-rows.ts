/**
 * The progress of a copy, kept in the target in `hcd_copy`: one row for the copy itself (no name) and one per table that
 * was begun. They stay when the copy is complete, so that a process that was killed before it could say so is repeated
 * without harm.
 */
import type { RawValue, Reader, Tx } from '../../store/base/database.js';
import { hasTable, nowMilliseconds } from '../../store/state/ledger.js';

const table = 'hcd_copy';

export interface TableProgress {
  /** Real name in the target. */
  readonly name: string;
  readonly state: 'copying' | 'copied';
  /** Where the last committed batch ended, as JSON; null before the first and in tables without a key. */
  readonly position: string | null;
  readonly copied: number;
  /** Digest of the rows that were copied, 32 hexadecimal digits. */
  readonly digest: string;
}

interface CopyProgress {
  /** What is copied, as JSON: source and choice of tables. */
  readonly run: string;
  readonly tables: ReadonlyMap<string, TableProgress>;
}

/** The copy under way; null without one. */
export function readProgress(reader: Reader): Promise<CopyProgress | null> {
  return readCopy(reader, 'copying');
}

/** The copy that was completed, with what it wrote into each table; null without one. */
export function readFinished(reader: Reader): Promise<CopyProgress | null> {
  return readCopy(reader, 'copied');
}

async function readCopy(reader: Reader, wanted: TableProgress['state']): Promise<CopyProgress | null> {
  if (!(await hasTable(reader, table))) return null;
  const rows = await reader.select({
    sql: `SELECT name, state, position, copied, digest FROM ${table}`,
    params: [],
  });
  const run = rows.find(([name, state]) => name === '' && state === wanted)?.[2];
  if (run === undefined || run === null) return null;
  const tables = rows
    .filter(([name]) => name !== '')
    .map(([name, state, position, copied, digest]): TableProgress => {
      return {
        name: String(name),
        state: state === 'copied' ? 'copied' : 'copying',
        position: position === null || position === undefined ? null : String(position),
        copied: Number(copied),
        digest: String(digest),
      };
    });
  return { run: String(run), tables: new Map(tables.map((one) => [one.name, one])) };
}

/**
 * Takes the copy for the process that knows the token, away from any other. `isBegun` says whether there is one to take,
 * `finished` what was completed there before; false when either has changed meanwhile.
 */
export async function claimCopy(
  tx: Tx,
  claim: { run: string; token: string; isBegun: boolean; finished: string | null },
): Promise<boolean> {
  if (((await readToken(tx)) !== null) !== claim.isBegun) return false;
  if (((await readFinished(tx))?.run ?? null) !== claim.finished) return false;
  // What an earlier, complete copy noted says nothing of this one.
  if (!claim.isBegun) await tx.run({ sql: `DELETE FROM ${table}`, params: [] });
  await writeProgress(tx, { name: '', state: 'copying', position: claim.run, copied: 0, digest: claim.token });
  return true;
}

/** Token of the process that copies; null while no process does. No other process can take the copy until the transaction ends. */
export async function readToken(tx: Tx): Promise<string | null> {
  const lock = tx.dialect === 'mariadb' ? ' FOR UPDATE' : '';
  const [row] = await tx.select({ sql: `SELECT digest, state FROM ${table} WHERE name = ''${lock}`, params: [] });
  return row === undefined || row[1] === 'copied' ? null : String(row[0]);
}

/** Notes how far a table is, in the transaction of its rows. */
export async function writeProgress(tx: Tx, progress: TableProgress): Promise<void> {
  const { name, state, position, copied, digest } = progress;
  await tx.run({ sql: `DELETE FROM ${table} WHERE name = ?`, params: [name] });
  await tx.run({
    sql: `INSERT INTO ${table} (name, state, position, copied, digest, updated_at) VALUES (?, ?, ?, ?, ?, ${nowMilliseconds(tx.dialect)})`,
    params: [name, state, position, copied, digest],
  });
}

/** How many rows of a table are copied; null before it was begun. */
export async function readCopied(reader: Reader, name: string): Promise<number | null> {
  const [row] = await reader.select({ sql: `SELECT copied FROM ${table} WHERE name = ?`, params: [name] });
  return row === undefined ? null : Number(row[0]);
}

/** Notes that the copy is complete. */
export async function endProgress(tx: Tx): Promise<void> {
  await tx.run({ sql: `UPDATE ${table} SET state = 'copied', digest = '' WHERE name = ''`, params: [] });
}

/** The values as JSON; bytes and integers beyond the exact numbers are marked. */
export function writePosition(values: readonly RawValue[]): string {
  return JSON.stringify(
    values.map((value) => {
      if (typeof value === 'bigint') return { integer: String(value) };
      return Buffer.isBuffer(value) ? { bytes: value.toString('hex') } : value;
    }),
  );
}

/** The values that writePosition was given. */
export function readPosition(text: string): readonly RawValue[] {
  const values: unknown = JSON.parse(text);
  return Array.isArray(values) ? values.map(decodeValue) : [];
}

function decodeValue(value: unknown): RawValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (typeof value === 'object' && 'bytes' in value) return Buffer.from(String(value.bytes), 'hex');
  if (typeof value === 'object' && 'integer' in value) return BigInt(String(value.integer));
  throw new Error('hcd_copy holds a position that this program did not write');
}
