/** Copies one table, from where an interrupted run ended if the source is the same; then compares the target. */
import { AppError } from '../../errors/app-error.js';
import type { Database, Param, RawValue, Tx, WriteOptions } from '../../store/base/database.js';
import { addColumnStatement, createTableStatements } from '../copy-tables/create-table.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { type Batch, countRows, insertRows, raiseNextId, readBatches, removeRows } from '../copy-tables/rows.js';
import { inSnapshot, readingKey, type TableShape } from '../copy-tables/table-shape.js';
import {
  hasCopied,
  readPosition,
  readToken,
  type TableProgress,
  writePosition,
  writeProgress,
} from '../models/copy-progress.js';
import { addedColumns, type ColumnMap, mapColumns, noRepairs } from './column-map.js';
import type { TablePlan, TableReport } from './plan-copy.js';
import { canonicalRow, digestTable, largeToBytes, RowDigest } from './row-form.js';
import { checkIntegers, explainRefusal } from './row-refusals.js';

interface TableCopy {
  readonly plan: TablePlan;
  readonly target: Database;
  /** Every transaction checks by it that no other process has taken the copy over; without it none can go on later. */
  readonly token?: string;
  readonly earlier?: TableProgress | undefined;
  /** Integers that SQLite has no place for become bytes, which the next copy reads; otherwise they are refused. */
  readonly keepsLargeIntegers?: boolean;
  readonly onRows: (rows: number) => void;
}

export type CopiedTable = Omit<TableReport, 'seconds'>;

interface Point {
  readonly digest: RowDigest;
  readonly position: string | null;
}

/** Into a target that is thrown away if this fails. Throws refused when a table is read back with other rows. */
export async function copyTables(
  tables: readonly TablePlan[],
  copy: Pick<TableCopy, 'target' | 'keepsLargeIntegers'>,
  onProgress: (rows: number, total: number) => void,
): Promise<CopiedTable[]> {
  const total = tables.reduce((sum, { rows }) => sum + rows, 0);
  const copied: CopiedTable[] = [];
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    // Each row is written and read back.
    onProgress(Math.ceil(done / 2), total);
  };
  for (const plan of tables) {
    const table = await copyTable({ ...copy, plan, onRows });
    if (!table.verified) {
      throw new AppError('refused', {
        message: `The table ${plan.source.name} has ${table.source_rows} rows, but its copy has ${table.copied} or other ones. Nothing was changed`,
      });
    }
    copied.push(table);
  }
  return copied;
}

/** Throws refused when the target does not accept a row. */
export async function copyTable(copy: TableCopy): Promise<CopiedTable> {
  const { plan, target } = copy;
  const shape = await prepareTable(copy);
  const map = mapColumns(plan.source, shape, plan.repairsEncoding);
  const start = await findStart(copy, map);
  const { digest, filled } = await copyRows(copy, { map, start });
  const { nextId } = plan.source;
  if (nextId !== null && nextId > 1n && shape.nextId !== null) {
    await target.write((tx) => raiseNextId(tx, { table: plan.name, nextId }));
  }
  const columns = { columns: map.targetColumns, kinds: map.kinds };
  const found = await digestTable(target.primary, { table: shape, ...columns, onRows: copy.onRows });
  const sourceRows = await countRows(plan.reader, plan.source.name);
  const duplicates = map.distinct.length > 0 ? sourceRows - digest.rows : 0;
  // Where the rows of a table without a snapshot change meanwhile, only the next run of a copy can read them again.
  const expected = copy.token === undefined && !inSnapshot(plan.source) ? digest.rows : sourceRows - duplicates;
  const verified = found.isSame(digest) && (await countRows(target.primary, plan.name)) === expected;
  if (!verified) await writeClaimed(copy, (tx) => note(copy, tx, unbegun(plan.name)));
  const counts = { source_rows: sourceRows, copied: found.rows, resumed_rows: start.digest.rows, duplicates };
  return { ...reportOf(plan, map), ...counts, verified, nulls_filled: filled };
}

export async function compareTable(
  { plan, target }: Pick<TableCopy, 'plan' | 'target'>,
  noted: TableProgress | undefined,
): Promise<CopiedTable | null> {
  const shape = (await readShapes(target.primary, plan.name)).get(plan.name);
  if (shape === undefined || noted === undefined) return null;
  const map = mapColumns(plan.source, shape, plan.repairsEncoding);
  const { digest, filled } = await digestSource(plan, map);
  const found = await digestTable(target.primary, { table: shape, columns: map.targetColumns, kinds: map.kinds });
  if (!digest.isSame(RowDigest.from(noted.digest, noted.copied)) || !found.isSame(digest)) return null;
  const sourceRows = await countRows(plan.reader, plan.source.name);
  const counts = { source_rows: sourceRows, copied: found.rows, resumed_rows: found.rows };
  const duplicates = sourceRows - digest.rows;
  return { ...reportOf(plan, map), ...counts, duplicates, verified: true, nulls_filled: filled };
}

function reportOf({ name, kind }: TablePlan, { repairs, lost }: ColumnMap) {
  return { table: name, kind, ...repairs, columns_lost: lost };
}

async function prepareTable(copy: TableCopy): Promise<TableShape> {
  const { plan, target } = copy;
  const { source, name } = plan;
  const table = { source, name, dialect: target.dialect };
  const change = (sql: string) =>
    target.write((tx) => tx.run({ sql, params: [] })).catch((cause: unknown) => refuseTable(copy, cause));
  if (plan.kind === 'extra') for (const sql of createTableStatements(table)) await change(sql);
  const shape = await readShape(target, name);
  // A site of an older release keeps the columns that this one lacks, so that a copy back runs under its CMS again.
  const added = plan.kind === 'core' ? addedColumns(source, { target: shape, dialect: target.dialect }) : [];
  for (const column of added) await change(addColumnStatement(table, column));
  return added.length === 0 ? shape : readShape(target, name);
}

async function readShape(target: Database, name: string): Promise<TableShape> {
  const shape = (await readShapes(target.primary, name)).get(name);
  if (shape === undefined) throw new Error(`the target has no table ${name}`);
  return shape;
}

function refuseTable({ plan, token }: TableCopy, cause: unknown): never {
  if (!(cause instanceof AppError) || cause.kind === 'unavailable') throw cause;
  const why = 'its columns or indexes are too long there, or of a type that the target lacks';
  // Only a copy has a choice of tables.
  const fix =
    token === undefined ? '' : ' Leave out the tables of extras with --tables core, or change the table in the source.';
  throw new AppError('refused', {
    message: `The table ${plan.source.name} cannot be made in the target: ${why}.${fix}`,
    cause,
  });
}

function unbegun(name: string): TableProgress {
  return progressAt(name, { digest: new RowDigest(), position: null });
}

/** An earlier run counts if the source still has exactly the rows which that run took from it. */
async function findStart(copy: TableCopy, map: ColumnMap): Promise<Point> {
  const { plan, earlier } = copy;
  const position = earlier?.position ?? null;
  if (earlier !== undefined && position !== null && readingKey(plan.source) !== null) {
    const { digest } = await digestSource(plan, map, readPosition(position));
    if (digest.isSame(RowDigest.from(earlier.digest, earlier.copied))) {
      copy.onRows(digest.rows);
      return { digest, position };
    }
  }
  if (map.repairs !== undefined) Object.assign(map.repairs, noRepairs());
  // This also removes the rows that the migrations put there.
  await writeClaimed(copy, async (tx) => {
    await removeRows(tx, plan.name);
    await note(copy, tx, unbegun(plan.name));
  });
  return { digest: new RowDigest(), position: null };
}

function readOf({ source }: TablePlan, { sourceColumns, distinct }: ColumnMap) {
  return { table: source, columns: sourceColumns, distinct };
}

async function digestSource(
  plan: TablePlan,
  map: ColumnMap,
  until?: readonly RawValue[],
): Promise<{ digest: RowDigest; filled: number }> {
  const digest = new RowDigest();
  let filled = 0;
  const read = { ...readOf(plan, map), ...(until === undefined ? {} : { until }) };
  for await (const { rows } of readBatches(plan.reader, read)) {
    for (const row of rows) {
      const converted = map.convert(row);
      digest.add(canonicalRow(map.kinds, converted.row));
      filled += converted.filled;
    }
  }
  return { digest, filled };
}

async function copyRows(
  copy: TableCopy,
  { map, start }: { readonly map: ColumnMap; readonly start: Point },
): Promise<{ digest: RowDigest; filled: number }> {
  const { plan } = copy;
  const after = start.position === null ? {} : { after: readPosition(start.position) };
  const batches = readBatches(plan.reader, { ...readOf(plan, map), ...after });
  let point = start;
  let filled = 0;
  // The next batch is read while this one is written.
  let coming = batches.next();
  for (;;) {
    const { done, value } = await coming;
    if (done === true || value === undefined) break;
    coming = batches.next();
    // Its failure is met when its turn comes, also after a failed write.
    coming.catch(() => undefined);
    try {
      const written = await writeBatch(copy, { map, point, batch: value });
      point = written.point;
      filled += written.filled;
    } catch (error) {
      await coming.catch(() => undefined);
      throw error;
    }
    copy.onRows(value.rows.length);
  }
  await writeClaimed(copy, (tx) => note(copy, tx, { ...progressAt(plan.name, point), state: 'copied' }));
  return { digest: point.digest, filled };
}

/** Rows and progress in one transaction: a crash leaves both or neither. */
async function writeBatch(
  copy: TableCopy,
  { map, point, batch }: { readonly map: ColumnMap; readonly point: Point; readonly batch: Batch },
): Promise<{ point: Point; filled: number }> {
  const { plan, target } = copy;
  const digest = point.digest.copy();
  const rows: (readonly Param[])[] = [];
  let filled = 0;
  for (const row of batch.rows) {
    const converted = map.convert(row);
    const values = copy.keepsLargeIntegers ? converted.row.map(largeToBytes) : converted.row;
    if (target.dialect === 'sqlite') checkIntegers(values, { table: plan.source, columns: map.targetColumns });
    digest.add(canonicalRow(map.kinds, values));
    rows.push(values);
    filled += converted.filled;
  }
  const next = { digest, position: typeof batch.end === 'number' ? null : writePosition(batch.end) };
  const write = { table: plan.name, columns: map.targetColumns, rows };
  try {
    await writeClaimed<true>(
      copy,
      async (tx) => {
        await insertRows(tx, write);
        await note(copy, tx, progressAt(plan.name, next));
        return true;
      },
      // After a lost answer to COMMIT, the progress says whether the batch is there.
      { outcome: async (tx) => ((await hasCopied(tx, plan.name, digest.rows)) ? true : undefined) },
    );
  } catch (error) {
    throw await explainRefusal(error, { target, write, table: plan.source });
  }
  return { point: next, filled };
}

/** Of two copies into one target the later one takes over; otherwise each would treat the other's rows as its own. */
export function writeClaimed<T>(
  { target, token }: Pick<TableCopy, 'target' | 'token'>,
  work: (tx: Tx) => Promise<T>,
  options: WriteOptions<T> = {},
): Promise<T> {
  if (token === undefined) return target.write(work, { mayBeUndone: true });
  return target.write(async (tx) => {
    if ((await readToken(tx)) !== token) throw takenOver();
    return work(tx);
  }, options);
}

async function note({ token }: TableCopy, tx: Tx, progress: TableProgress): Promise<void> {
  if (token !== undefined) await writeProgress(tx, progress);
}

export function takenOver(): AppError {
  return new AppError('refused', {
    message: 'Another process copies into the same database. Let it end, then run the same command again.',
  });
}

function progressAt(name: string, { digest, position }: Point): TableProgress {
  return { name, state: 'copying', position, copied: digest.rows, digest: digest.toString() };
}
