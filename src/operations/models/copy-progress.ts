/** The progress of a copy, kept in the target, also after completion so that a killed process can run again. */
import { AppError } from '../../errors/app-error.js';
import { hasTable } from '../../store/base/columns.js';
import type { RawValue, Reader, Tx } from '../../store/base/database.js';
import { fromNow, integer, key, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import type { Store } from '../../store/open/open.js';

const copying = 'copying';
const copied = 'copied';

const copyProgress = defineModel('hcd_copy', {
  /** Real name of the table in the target; empty for the copy itself. */
  name: key(text(128)),
  state: text(10),
  /** The end of the last committed batch as JSON, null without one; for the copy itself, what is copied. */
  position: orNull(text()),
  copied: integer(),
  /** 32 hexadecimal digits; for the copy itself, the token of the process that copies. */
  digest: text(32),
  updatedAt: time(),
});

export type TableProgress = Omit<RowOf<typeof copyProgress>, 'updatedAt'>;

export function readProgress(reader: Reader) {
  return readCopy(reader, copying);
}

export function readFinished(reader: Reader) {
  return readCopy(reader, copied);
}

async function readCopy(reader: Reader, wanted: string) {
  if (!(await hasTable(reader, copyProgress.table))) return null;
  const tables = new Map<string, TableProgress>(
    (await copyProgress.on(reader).findAll()).map((row) => [row.name, row]),
  );
  const copy = tables.get('');
  tables.delete('');
  return copy?.state === wanted && copy.position !== null ? { run: copy.position, tables } : null;
}

/** `isBegun` and `finished` are the expected state; false when it has changed meanwhile. */
export async function claimCopy(
  tx: Tx,
  claim: { run: string; token: string; isBegun: boolean; finished: string | null },
): Promise<boolean> {
  if (((await readToken(tx)) !== null) !== claim.isBegun) return false;
  if (((await readFinished(tx))?.run ?? null) !== claim.finished) return false;
  // The notes of an earlier, complete copy do not apply to this one.
  if (!claim.isBegun) await copyProgress.on(tx).destroy({ where: {} });
  await writeProgress(tx, { name: '', state: copying, position: claim.run, copied: 0, digest: claim.token });
  return true;
}

/** Null while no process copies. No other process can take the copy until the transaction ends. */
export async function readToken(tx: Tx): Promise<string | null> {
  const [row] = await copyProgress.on(tx).lookUpAll({ name: '' }, { lock: true });
  return row === undefined || row.state === copied ? null : row.digest;
}

export async function writeProgress(tx: Tx, progress: TableProgress): Promise<void> {
  await copyProgress.on(tx).destroy({ where: { name: progress.name } });
  await copyProgress.on(tx).create({ ...progress, updatedAt: fromNow(tx) });
}

export async function hasCopied(tx: Tx, name: string, rows: number): Promise<boolean> {
  return (await copyProgress.on(tx).count({ where: { name, copied: rows } })) > 0;
}

export async function endProgress(tx: Tx): Promise<void> {
  await copyProgress.on(tx).update({ state: copied, digest: '' }, { where: { name: '' } });
}

/** Bytes and integers beyond the exact numbers are marked. */
export function writePosition(values: readonly RawValue[]): string {
  return JSON.stringify(
    values.map((value) => {
      if (typeof value === 'bigint') return { integer: String(value) };
      return Buffer.isBuffer(value) ? { bytes: value.toString('hex') } : value;
    }),
  );
}

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

/** Throws database_not_ready while a copy into this store is unfinished. */
export async function checkCopyFinished({ own }: Store): Promise<void> {
  if ((await readProgress(own.primary)) === null) return;
  throw new AppError('database_not_ready', {
    message:
      'A copy into this database is not finished. Run the same hcd db copy again: it continues where it stopped.',
  });
}
