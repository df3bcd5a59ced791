/**
 * Copies one table: goes on where an interrupted run ended, if the source still holds what that run copied, else begins
 * again; then reads the target back and compares.
 */
import { AppError } from '../../errors/app-error.js';
import type { Database, Param, Tx, WriteOptions } from '../../store/base/database.js';
import { addColumnStatement, createTableStatements } from '../copy-tables/create-table.js';
import {
  readCopied,
  readPosition,
  readToken,
  type TableProgress,
  writePosition,
  writeProgress,
} from '../copy-tables/progress-rows.js';
import { type Batch, countRows, readBatches } from '../copy-tables/read-rows.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { readingKey, type TableShape } from '../copy-tables/table-shape.js';
import { insertRows, raiseNextId, removeRows } from '../copy-tables/write-rows.js';
import { addedColumns, type ColumnMap, mapColumns } from './column-map.js';
import type { TablePlan } from './plan-copy.js';
import { digestTable, RowDigest } from './row-digest.js';
import { canonicalRow } from './row-form.js';
import { checkIntegers, explainRefusal } from './row-refusals.js';

interface TableCopy {
  readonly plan: TablePlan;
  readonly target: Database;
  /** By which every transaction makes sure that no other process has taken the copy over. */
  readonly token: string;
  /** What an interrupted run noted of this table. */
  readonly earlier: TableProgress | undefined;
  readonly onRows: (rows: number) => void;
}

export interface CopiedTable {
  readonly sourceRows: number;
  readonly copied: number;
  readonly verified: boolean;
  readonly resumedRows: number;
  /** An interrupted run had copied rows that the source has changed since. */
  readonly changed: boolean;
  readonly nullsFilled: number;
  readonly duplicates: number;
  readonly lost: readonly string[];
}

/** The state of a table's copy between two batches. */
interface Point {
  readonly digest: RowDigest;
  readonly position: string | null;
}

/** Copies the rows and verifies them; refused when the target takes a row not. */
export async function copyTable(copy: TableCopy): Promise<CopiedTable> {
  const { plan, target } = copy;
  const shape = await prepareTable(copy);
  const map = mapColumns(plan.source, shape);
  const start = await findStart(copy, map);
  const { digest, filled } = await copyRows(copy, { map, start: start.point });
  const { nextId } = plan.source;
  if (nextId !== null && nextId > 1n && shape.nextId !== null) {
    await target.write((tx) => raiseNextId(tx, { table: plan.name, nextId }));
  }
  const columns = { columns: map.targetColumns, kinds: map.kinds };
  const found = await digestTable(target.primary, { table: shape, ...columns, onRows: copy.onRows });
  const sourceRows = await countRows(plan.reader, plan.source.name);
  const expected = map.distinct.length > 0 ? digest.rows : sourceRows;
  const verified = found.isSame(digest) && (await countRows(target.primary, plan.name)) === expected;
  // The next run copies again what differs.
  if (!verified) await writeClaimed(copy, (tx) => writeProgress(tx, unbegun(plan.name)));
  return {
    sourceRows,
    copied: found.rows,
    verified,
    resumedRows: start.point.digest.rows,
    changed: start.changed,
    nullsFilled: filled,
    duplicates: sourceRows - (map.distinct.length > 0 ? digest.rows : sourceRows),
    lost: map.lost,
  };
}

/** The table of a complete copy as it is reported; null when source or target are not as the copy noted them. */
export async function compareTable({
  plan,
  target,
  noted,
}: Pick<TableCopy, 'plan' | 'target'> & {
  readonly noted: TableProgress | undefined;
}): Promise<CopiedTable | null> {
  const shape = (await readShapes(target.primary, plan.name)).get(plan.name);
  if (shape === undefined || noted === undefined) return null;
  const map = mapColumns(plan.source, shape);
  const digest = new RowDigest();
  let filled = 0;
  for await (const { rows } of readBatches(plan.reader, readOf({ plan }, map))) {
    for (const row of rows) {
      const converted = map.convert(row);
      digest.add(canonicalRow(map.kinds, converted.row));
      filled += converted.filled;
    }
  }
  const found = await digestTable(target.primary, { table: shape, columns: map.targetColumns, kinds: map.kinds });
  if (!digest.isSame(RowDigest.from(noted.digest, noted.copied)) || !found.isSame(digest)) return null;
  const sourceRows = await countRows(plan.reader, plan.source.name);
  return {
    sourceRows,
    copied: found.rows,
    verified: true,
    resumedRows: found.rows,
    changed: false,
    nullsFilled: filled,
    duplicates: sourceRows - digest.rows,
    lost: map.lost,
  };
}

/** The target's table as it is; that of an extra is made first. */
async function prepareTable({ plan, target }: TableCopy): Promise<TableShape> {
  if (plan.kind === 'extra') {
    for (const sql of createTableStatements({ source: plan.source, name: plan.name, dialect: target.dialect })) {
      await target.write((tx) => tx.run({ sql, params: [] })).catch((cause: unknown) => refuseTable(plan, cause));
    }
  }
  const shape = await readShape(target, plan);
  // A site of an older release keeps the columns that this one lacks, so that a copy back runs under its CMS again.
  const added = plan.kind === 'core' ? addedColumns(plan.source, { target: shape, dialect: target.dialect }) : [];
  for (const column of added) {
    const sql = addColumnStatement({ source: plan.source, name: plan.name, dialect: target.dialect }, column);
    await target.write((tx) => tx.run({ sql, params: [] })).catch((cause: unknown) => refuseTable(plan, cause));
  }
  return added.length === 0 ? shape : readShape(target, plan);
}

async function readShape(target: Database, { name }: TablePlan): Promise<TableShape> {
  const shape = (await readShapes(target.primary, name)).get(name);
  if (shape === undefined) throw new Error(`the target has no table ${name}`);
  return shape;
}

function refuseTable({ source }: TablePlan, cause: unknown): never {
  if (!(cause instanceof AppError) || cause.kind === 'unavailable') throw cause;
  throw new AppError('refused', {
    message: `The table ${source.name} cannot be made in the target: its columns or indexes are too long there, or of a type that the target lacks. Leave out the tables of extras with --tables core, or change the table in the source.`,
    cause,
  });
}

function unbegun(name: string): TableProgress {
  return { name, state: 'copying', position: null, copied: 0, digest: new RowDigest().toString() };
}

/** Where to begin. An earlier run counts if the source still has exactly the rows which that run took from it. */
async function findStart(copy: TableCopy, map: ColumnMap): Promise<{ point: Point; changed: boolean }> {
  const { plan, earlier } = copy;
  const begun = earlier !== undefined && earlier.position !== null && readingKey(plan.source) !== null;
  if (begun && earlier.position !== null) {
    const digest = new RowDigest();
    const until = readPosition(earlier.position);
    for await (const { rows } of readBatches(plan.reader, { ...readOf(copy, map), until })) {
      for (const row of rows) digest.add(canonicalRow(map.kinds, map.convert(row).row));
    }
    const noted = RowDigest.from(earlier.digest, earlier.copied);
    if (digest.isSame(noted)) {
      copy.onRows(digest.rows);
      return { point: { digest, position: earlier.position }, changed: false };
    }
  }
  // Also the rows that the migrations put there give way.
  await writeClaimed(copy, async (tx) => {
    await removeRows(tx, plan.name);
    await writeProgress(tx, unbegun(plan.name));
  });
  return { point: { digest: new RowDigest(), position: null }, changed: begun };
}

function readOf({ plan }: Pick<TableCopy, 'plan'>, { sourceColumns, distinct }: ColumnMap) {
  return { table: plan.source, columns: sourceColumns, distinct };
}

interface CopyFrom {
  readonly map: ColumnMap;
  readonly start: Point;
}

async function copyRows(copy: TableCopy, { map, start }: CopyFrom): Promise<{ digest: RowDigest; filled: number }> {
  const after = start.position === null ? {} : { after: readPosition(start.position) };
  const batches = readBatches(copy.plan.reader, { ...readOf(copy, map), ...after });
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
  await writeClaimed(copy, (tx) => writeProgress(tx, progressAt(copy, { point, state: 'copied' })));
  return { digest: point.digest, filled };
}

interface BatchWrite {
  readonly map: ColumnMap;
  readonly point: Point;
  readonly batch: Batch;
}

/** Rows and progress in one transaction: a crash leaves both or neither. */
async function writeBatch(
  copy: TableCopy,
  { map, point, batch }: BatchWrite,
): Promise<{ point: Point; filled: number }> {
  const { plan, target } = copy;
  const digest = point.digest.copy();
  const rows: (readonly Param[])[] = [];
  let filled = 0;
  for (const row of batch.rows) {
    const converted = map.convert(row);
    if (target.dialect === 'sqlite') checkIntegers(converted.row, { table: plan.source, columns: map.targetColumns });
    digest.add(canonicalRow(map.kinds, converted.row));
    rows.push(converted.row);
    filled += converted.filled;
  }
  const next = { digest, position: typeof batch.end === 'number' ? null : writePosition(batch.end) };
  const write = { table: plan.name, columns: map.targetColumns, rows };
  try {
    await writeClaimed<true>(
      copy,
      async (tx) => {
        await insertRows(tx, write);
        await writeProgress(tx, progressAt(copy, { point: next, state: 'copying' }));
        return true;
      },
      // The answer to COMMIT never came: the progress says whether the batch is there.
      { outcome: async (tx) => ((await readCopied(tx, plan.name)) === digest.rows ? true : undefined) },
    );
  } catch (error) {
    throw await explainRefusal(error, { target, write, table: plan.source });
  }
  return { point: next, filled };
}

/** Two copies into one target would each take the other's rows for its own: the one that came later has it. */
export function writeClaimed<T>(
  { target, token }: Pick<TableCopy, 'target' | 'token'>,
  work: (tx: Tx) => Promise<T>,
  options: WriteOptions<T> = {},
): Promise<T> {
  return target.write(async (tx) => {
    if ((await readToken(tx)) !== token) throw takenOver();
    return work(tx);
  }, options);
}

/** The refusal of a process whose copy another one has taken over. */
export function takenOver(): AppError {
  return new AppError('refused', {
    message: 'Another process copies into the same database. Let it end, then run the same command again.',
  });
}

function progressAt(
  { plan }: TableCopy,
  { point, state }: { point: Point; state: TableProgress['state'] },
): TableProgress {
  const { digest, position } = point;
  return { name: plan.name, state, position, copied: digest.rows, digest: digest.toString() };
}
