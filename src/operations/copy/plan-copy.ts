/** Decides which tables are copied, and why the others are not. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../clock/clock.js';
import type { DialectName, Reader } from '../../store/base/database.js';
import { maintenanceLimits } from '../../store/base/limits.js';
import { buildTables, type MigrationRun } from '../../store/migrations/migrate.js';
import type { Migration } from '../../store/migrations/migration.js';
import { openDatabase, type Store } from '../../store/open/open.js';
import { keepsCounting, shortName } from '../copy-tables/create-table.js';
import { readOthers, readShapes } from '../copy-tables/read-shapes.js';
import { countRows } from '../copy-tables/rows.js';
import {
  type CopyColumn,
  inSnapshot,
  isUniqueInPart,
  type TableShape,
  type TableShapes,
} from '../copy-tables/table-shape.js';

export interface TablePlan {
  readonly kind: TableReport['kind'];
  readonly source: TableShape;
  readonly reader: Reader;
  readonly name: string;
  readonly repairsEncoding: boolean;
  readonly rows: number;
}

export type CopyPlan = Awaited<ReturnType<typeof planCopy>>;

interface PlanInput {
  readonly choice: CopyChoice;
  readonly source: { readonly content: Reader; readonly own: Reader; readonly prefix: string };
  readonly target: { readonly prefix: string; readonly dialect: DialectName };
  readonly known: { readonly content: TableShapes; readonly own: TableShapes; readonly prefix: string };
}

/** The ledger, the progress of a copy, and recent activity concern their own database only. */
const unmoved: readonly string[] = [
  'hcd_migrations',
  'hcd_copy',
  'hcd_rate_counters',
  'hcd_changes',
  'hcd_processes',
  'hcd_refusals',
  // Made again from the resources.
  'hcd_search',
  'hcd_tv_values',
  'hcd_known_resources',
];

export async function planCopy(input: PlanInput) {
  const { source, target, known, choice } = input;
  const content = await readContent(source.content, source.prefix);
  const own = await readShapes(source.own, ownPrefix);
  const planned: TablePlan[] = [];
  const skipped: SkippedTable[] = [];
  const missing: string[] = [];
  const passing = new Set<string>(passingTables.filter((name) => !choice.include.includes(name)));
  const plan = async (table: Omit<TablePlan, 'rows' | 'repairsEncoding'>) => {
    // The tables of the program are always written as UTF-8.
    const repairsEncoding = choice.repairEncoding === true && table.kind !== 'own';
    planned.push({ ...table, repairsEncoding, rows: await countRows(table.reader, table.source.name) });
  };
  const skip = async (reader: Reader, { name: table }: TableShape, reason: string) => {
    skipped.push({ table, rows: await countRows(reader, table), reason });
  };

  for (const name of [...known.content.keys()].map((one) => one.slice(known.prefix.length))) {
    const table = content.get(source.prefix + name);
    if (table === undefined) missing.push(target.prefix + name);
    else if (passing.has(name)) await skip(source.content, table, `not asked for: --include ${name}`);
    else await plan({ kind: 'core', source: table, reader: source.content, name: target.prefix + name });
  }
  for (const table of own.values()) {
    if (unmoved.includes(table.name)) continue;
    if (!known.own.has(table.name)) await skip(source.own, table, 'this program does not know it');
    else await plan({ kind: 'own', source: table, reader: source.own, name: table.name });
  }
  for (const table of content.values()) {
    const name = table.name.slice(source.prefix.length);
    if (known.content.has(known.prefix + name)) continue;
    if (choice.tables === 'core') await skip(source.content, table, 'table of an extra: --tables all');
    else await plan({ kind: 'extra', source: table, reader: source.content, name: target.prefix + name });
  }
  const names = planned.map((table) => table.source.name);
  const others = await readOthers(source.content, (name) =>
    choice.tables === 'core' ? names.includes(name) : name.startsWith(source.prefix) && !name.startsWith(ownPrefix),
  );
  const notes = [...noteEngines(planned), ...noteLosses(planned, { dialect: target.dialect, others })];
  return { tables: planned, skipped, missing: noteMissing(missing), notes };
}

/** Of content tables whose own prefix does not matter. */
export const knownPrefix = 'modx_';

export function knownTables(steps: readonly Migration[]): Promise<PlanInput['known']> {
  return withPattern({ steps, prefix: knownPrefix }, readKnown);
}

export async function readKnown({ content, own, prefix }: Pattern): Promise<PlanInput['known']> {
  return { content: await readContent(content, prefix), own: await readShapes(own, ownPrefix), prefix };
}

/** Also where the content tables have no prefix, the program's own tables are not content. */
async function readContent(reader: Reader, prefix: string): Promise<TableShapes> {
  const tables = await readShapes(reader, prefix);
  return new Map([...tables].filter(([name]) => !name.startsWith(ownPrefix)));
}

function noteMissing(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`The source has no ${names.join(', ')}: a new store's rows stay there.`];
}

function noteEngines(tables: readonly TablePlan[]): string[] {
  const loose = tables.filter(({ source }) => !inSnapshot(source));
  if (loose.length === 0) return [];
  return [
    `${loose.length} tables of the source (${loose[0]?.source.name} and others like it) are not InnoDB: they are read as they are at the moment of each read, so stop all writes to the source during the copy.`,
  ];
}

/** Only tables of extras are made like those of the source. */
function noteLosses(
  tables: readonly TablePlan[],
  { dialect, others }: { readonly dialect: DialectName; readonly others: ReadonlyMap<string, readonly string[]> },
): string[] {
  const extras = tables.flatMap(({ kind, source }) => (kind === 'extra' ? source : []));
  const namesOf = (find: (table: TableShape) => readonly string[]) =>
    extras.flatMap((table) => find(table).map((name) => `${table.name}.${name}`));
  const columns = (isLost: (column: CopyColumn, table: TableShape) => boolean) =>
    namesOf((table) => [...table.columns.values()].flatMap((one) => (isLost(one, table) ? one.name : [])));
  const unmade = 'Not made in the target: the';
  const losses: readonly (readonly [string, readonly string[], string?])[] = [
    [`${unmade} special indexes`, namesOf(({ specialIndexes }) => specialIndexes)],
    [
      'SQLite has no indexes that are unique on the first characters of a column, so these are not unique there:',
      namesOf((table) =>
        dialect === 'mariadb' ? [] : table.indexes.filter(isUniqueInPart).map((index) => shortName(index, table)),
      ),
    ],
    [
      'The target does not count in these columns (AUTO_INCREMENT):',
      columns((one, table) => one.counts && !keepsCounting(one, table, dialect)),
    ],
    [`${unmade} computed columns`, columns(({ computed }) => computed), '; their values are copied'],
    [`${unmade} default expressions`, columns(({ isCalculated }) => isCalculated)],
    ...[...others].map(([kind, names]) => [`${unmade} ${kind}`, names] as const),
  ];
  return losses.flatMap(([what, names, more = '']) =>
    names.length === 0 ? [] : `${what} ${names.join(', ')}${more}.`,
  );
}

type Pattern = Pick<Store, 'content' | 'own' | 'prefix'>;

export const ownPrefix = 'hcd_';

/** The pattern is a SQLite file that is removed after the work. */
export async function withPattern<T>(
  { steps, prefix }: { readonly steps: readonly Migration[]; readonly prefix: string },
  work: (pattern: Pattern) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-pattern-'));
  try {
    const database = await openDatabase({ url: `sqlite:${join(folder, 'pattern.sqlite')}`, limits: maintenanceLimits });
    try {
      await buildTables(database, { steps, prefixes: { content: prefix, own: ownPrefix }, version: '' });
      return await work({ content: database, own: database, prefix });
    } finally {
      await database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Their rows are worth little elsewhere. Names without prefix. */
export const passingTables = Object.freeze(['session', 'manager_log'] as const);

export interface CopyChoice {
  /** core: the tables that the migrations know; all: those of extras too. */
  readonly tables: 'core' | 'all';
  readonly include: readonly (typeof passingTables)[number][];
  readonly repairEncoding?: boolean | undefined;
}

export interface CopyRequest extends CopyChoice {
  readonly source: Store;
  readonly target: Store;
  readonly migrations: readonly Migration[];
  readonly sourceName: string;
  readonly runOf: (store: Store) => MigrationRun;
  readonly clock: Clock;
  /** Rows copied and read back so far, and all rows to copy and to read back. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface TableReport {
  readonly table: string;
  readonly kind: 'core' | 'extra' | 'own';
  readonly source_rows: number;
  readonly copied: number;
  /** The target, read back, holds exactly the rows of the source, as many as should be there. */
  readonly verified: boolean;
  readonly seconds: number;
  /** Rows that an earlier, interrupted run had copied and that were still the same in the source. */
  readonly resumed_rows: number;
  /** Rows left out because the target takes only one row with their values. */
  readonly duplicates: number;
  /** NULLs that became the default of a column that takes no NULL. */
  readonly nulls_filled: number;
  /** With --repair-encoding: double-encoded texts that were repaired. */
  readonly texts_repaired?: number;
  /** With --repair-encoding: texts that are double-encoded in part and stayed; columns and keys of the first ones. */
  readonly texts_unclear?: readonly string[];
  /** Columns of the source for which the target has no place. */
  readonly columns_lost: readonly string[];
}

export interface SkippedTable {
  readonly table: string;
  readonly rows: number;
  readonly reason: string;
}

export interface CopyReport {
  readonly tables: readonly TableReport[];
  readonly skipped: readonly SkippedTable[];
  /** Whole sentences about what is not exactly as in the source. */
  readonly notes: readonly string[];
  readonly complete: boolean;
}

export function noteTables(tables: readonly Omit<TableReport, 'seconds'>[]): string[] {
  return tables.flatMap(({ table, columns_lost: lost, duplicates, nulls_filled: filled, ...texts }) => [
    ...(texts.texts_repaired ? [`${table}: ${texts.texts_repaired} double-encoded texts were repaired.`] : []),
    ...(texts.texts_unclear?.length
      ? [`${table}: texts that are double-encoded in part stayed as they are: ${texts.texts_unclear.join(', ')}.`]
      : []),
    ...(lost.length === 0 ? [] : [`${table}: the target has no place for the columns ${lost.join(', ')}.`]),
    ...(duplicates === 0 ? [] : [`${table}: ${duplicates} rows were left out whose unique values an earlier row has.`]),
    ...(filled === 0
      ? []
      : [`${table}: ${filled} NULLs became the default of their column, which does not accept NULL.`]),
  ]);
}
