/** Decides which tables are copied, and why the others are not. */

import type { Reader } from '../../store/base/database.js';
import type { Migration } from '../../store/migrations/migration.js';
import { countRows } from '../copy-tables/read-rows.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { inSnapshot, type TableShape, type TableShapes } from '../copy-tables/table-shape.js';
import { type CopyChoice, passingTables, type SkippedTable, type TableReport } from './copy-request.js';
import { ownPrefix, type Pattern, withPattern } from './pattern.js';

export interface TablePlan {
  readonly kind: TableReport['kind'];
  readonly source: TableShape;
  readonly reader: Reader;
  readonly name: string;
  readonly repairsEncoding: boolean;
  readonly rows: number;
}

export interface CopyPlan {
  readonly tables: readonly TablePlan[];
  readonly skipped: readonly SkippedTable[];
  readonly notes: readonly string[];
}

interface PlanInput {
  readonly choice: CopyChoice;
  readonly source: { readonly content: Reader; readonly own: Reader; readonly prefix: string };
  readonly target: { readonly prefix: string };
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

export async function planCopy(input: PlanInput): Promise<CopyPlan> {
  const { source, target, known, choice } = input;
  const content = await readContent(source.content, source.prefix);
  const own = await readShapes(source.own, ownPrefix);
  const planned: TablePlan[] = [];
  const skipped: SkippedTable[] = [];
  const missing: string[] = [];
  const plan = async (table: Omit<TablePlan, 'rows' | 'repairsEncoding'>) => {
    // The tables of the program are always written as UTF-8.
    const repairsEncoding = choice.repairEncoding === true && table.kind !== 'own';
    planned.push({ ...table, repairsEncoding, rows: await countRows(table.reader, table.source.name) });
  };
  const skip = async (reader: Reader, { name: table }: TableShape, reason: string) => {
    skipped.push({ table, rows: await countRows(reader, table), reason });
  };

  for (const name of withoutPrefix(known.content, known.prefix)) {
    const table = content.get(source.prefix + name);
    if (table === undefined) missing.push(target.prefix + name);
    else if (isLeftOut(name, choice)) await skip(source.content, table, `not asked for: --include ${name}`);
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
  const notes = [...noteMissing(missing), ...noteEngines(planned), ...noteIndexes(planned)];
  return { tables: planned, skipped, notes };
}

/** Of content tables whose own prefix does not matter. */
export const knownPrefix = 'modx_';

/** The tables that the steps make. */
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

function withoutPrefix(tables: TableShapes, prefix: string): string[] {
  return [...tables.keys()].map((name) => name.slice(prefix.length));
}

function isLeftOut(name: string, { include }: CopyChoice): boolean {
  const passing = passingTables.find((one) => one === name);
  return passing !== undefined && !include.includes(passing);
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

function noteIndexes(tables: readonly TablePlan[]): string[] {
  const special = tables
    .filter(({ kind }) => kind === 'extra')
    .flatMap(({ source }) => source.specialIndexes.map((index) => `${source.name}.${index}`));
  return special.length === 0 ? [] : [`Not made in the target: the special indexes ${special.join(', ')}.`];
}
