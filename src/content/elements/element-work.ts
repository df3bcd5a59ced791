/** What the use cases of elements share: the stored row, the checks of values, and their columns. */
import { AppError, Problems } from '../../errors/app-error.js';
import type { Column, Table } from '../../store/base/columns.js';
import type { Param } from '../../store/base/database.js';
import { touch } from '../../store/base/transaction.js';
import type { ColumnValues } from '../../store/models/model.js';
import type { EventAction } from '../../webhooks/rules/events.js';
import type { FieldValues, Mutation, Warning } from '../live/mutation.js';
import { readerOf, type Write } from '../mutations/run-mutation.js';
import type { FieldDefinition } from '../objects/definition.js';
import { storedValue } from '../objects/values.js';
import { all, hasKey } from '../query/predicate.js';
import { type LoadedRow, selectRows } from '../reading/select-rows.js';
import { valueProblem } from '../resources/check-values.js';
import { deepestWritten, isPhpWritable, serializePhpValue } from '../rules/php-value.js';
import type { ElementKind } from './element-kinds.js';

export type ElementWrite = Pick<Write, 'tx' | 'writer' | 'caller'>;

export interface ElementWork extends ElementWrite {
  readonly kind: ElementKind;
  readonly prefix: string;
  readonly table: Table;
  readonly problems: Problems;
  readonly warnings: Warning[];
}

export type ElementKey = number | string;

export interface ElementChange {
  readonly mutation: Mutation;
  /** Resources whose template variables may have other values now. */
  readonly resources: readonly number[];
}

export function startElement(write: ElementWrite, kind: ElementKind): ElementWork {
  const { store } = write.writer;
  const table = store.tables.get(store.prefix + kind.definition.table);
  if (table === undefined) throw new AppError('database_not_ready', { message: `There is no table of ${kind.object}` });
  touch(write.tx, 'live');
  return { ...write, kind, prefix: store.prefix, table, problems: new Problems(), warnings: [] };
}

/** Every row, or the one with the key, which stays locked. */
export function readElements(
  work: ElementWork,
  kind: ElementKind,
  asked: { readonly key?: ElementKey; readonly fields?: readonly string[] } = {},
): Promise<LoadedRow[]> {
  const { definition, nameField } = kind;
  const { key, fields = [definition.primaryKey, nameField] } = asked;
  const where = key === undefined ? all([]) : hasKey(definition, key);
  return selectRows(readerOf(work), definition, { needed: fields, where, lock: key !== undefined });
}

export async function loadElement(work: ElementWork, key: ElementKey): Promise<LoadedRow> {
  const { kind } = work;
  const fields = Object.keys(kind.definition.fields);
  const [row] = await readElements(work, kind, { key, fields });
  if (row === undefined) throw new AppError('not_found', { message: `There is no ${kind.singular} ${key}` });
  return row;
}

export function mutationOf({ kind, warnings }: ElementWork, action: EventAction, key: ElementKey): Mutation {
  const ofElement = { object: kind.object, action, key, context: null, uri: null, parent: null } as const;
  return { ...ofElement, rows: [], changesAll: true, warnings };
}

/** Values that their columns hold. A site of an old release may lack a column. */
export function checkColumns({ kind, table, problems }: ElementWork, values: FieldValues): void {
  for (const [name, value] of Object.entries(values)) {
    const field = kind.written.fields[name];
    if (field === undefined || name === kind.join) continue;
    const column = table.columns.get(field.column);
    if (column === undefined) problems.add(name, 'is not a column of this site');
    else if (kind.serialized.includes(name)) {
      if (value === null || isPhpWritable(value)) continue;
      problems.add(name, `must be a list or an object of at most ${deepestWritten} levels, or null`);
    } else {
      const problem = valueProblem(value, { field: inRange(field, column), column });
      if (problem !== null) problems.add(name, problem);
    }
  }
}

const signed = [-2_147_483_648, 2_147_483_647] as const;

function inRange(field: FieldDefinition, { range }: Column): FieldDefinition {
  return field.type === 'integer' ? { ...field, range: field.range ?? range ?? signed } : field;
}

export function columnsOf({ kind }: ElementWork, values: FieldValues): ColumnValues {
  const columns: Record<string, Param> = {};
  for (const [name, value] of Object.entries(values)) {
    const field = kind.written.fields[name];
    if (field === undefined || name === kind.join) continue;
    const isSerialized = kind.serialized.includes(name);
    if (!isSerialized) columns[field.column] = storedValue(field, value);
    else columns[field.column] = isPhpWritable(value) ? serializePhpValue(value) : null;
  }
  return columns;
}
