/** Creates, changes and removes records of extra objects: one row of one table, on which no other row depends. */

import { AppError, invalidField, invalidFields, Problems } from '../../errors/app-error.js';
import { readTables, type Table } from '../../store/base/columns.js';
import type { Reader } from '../../store/base/database.js';
import { classifyFailure } from '../../store/base/errors.js';
import {
  type ColumnValues,
  deleteRows,
  hasRow,
  insertRow,
  type RowAddress,
  updateRows,
} from '../../store/models/model.js';
import { perObject } from '../../values/kept-values.js';
import {
  announcedFields,
  type FieldValues,
  factsOf,
  type Mutation,
  mutationOf,
  type RecordChanges,
} from '../live/mutation.js';
import { type ContentWriter, readerOf, type Write } from '../mutations/run-mutation.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { uniqueKeys } from '../objects/object-columns.js';
import { type JsonValue, storedValue } from '../objects/values.js';
import { keyColumn, type LoadedRow } from '../reading/select-rows.js';
import { checkReferences, checkWrittenContext, findTarget } from './find-target.js';

export async function createRow(write: Write, definition: ObjectDefinition, changes: RecordChanges): Promise<Mutation> {
  const { tx, writer, caller } = write;
  const { primaryKey, visibility } = definition;
  const table = await recordTable(writer, definition);
  const counted = isCounted(table, definition);
  const values = { ...changes.values };
  const problems = new Problems();
  if (counted && Object.hasOwn(values, primaryKey)) {
    problems.add(primaryKey, 'is made by the database and cannot be written', 'Field not writable');
  }
  const unnameable = unnameableKey(values[primaryKey]);
  if (unnameable !== null)
    problems.add(primaryKey, `${unnameable}: no path could name the record`, 'Invalid field value');
  if (visibility.context !== undefined) values[visibility.context] ??= write.context;
  for (const [name, field] of Object.entries(definition.fields)) {
    const isGiven = Object.hasOwn(values, name) || (name === primaryKey && counted);
    const mustBe = name === primaryKey || table.columns.get(field.column)?.isOptional === false;
    if (isGiven || !mustBe) continue;
    // Text columns of some types can have no default; the caller must decide everything else.
    if (field.type === 'string' && name !== primaryKey) values[name] = '';
    else problems.add(name, 'is required', 'Missing required fields');
  }
  await checkReferences(write, definition, { values, problems });
  problems.throwIfAny();
  checkWrittenContext(caller, definition, values);
  const columns = columnsOf(definition, values);
  // A statement needs a column, so a key that the database counts is null here.
  const inserted = Object.keys(columns).length > 0 ? columns : { [keyColumn(definition)]: null };
  const lastId = await refusingTaken(write, definition, {
    row: { columns },
    work: () => insertRow(tx, table.name, inserted),
  });
  const given = values[primaryKey];
  const key = counted || (typeof given !== 'string' && typeof given !== 'number') ? lastId : given;
  const row = await readBack(write, definition, key);
  return mutationOf(definition, 'created', { key, before: null, after: facts(write, definition, row) });
}

/** A path has no sign, and clients remove its dots. */
function unnameableKey(key: JsonValue | undefined): string | null {
  if (typeof key === 'number' && key < 0) return 'must not be negative';
  return key === '' || key === '.' || key === '..' ? 'must not be empty, "." or ".."' : null;
}

export async function changeRow(
  write: Write,
  definition: ObjectDefinition,
  { row, changes }: { readonly row: LoadedRow; readonly changes: RecordChanges },
): Promise<Mutation> {
  const { tx, caller } = write;
  const { primaryKey } = definition;
  const key = keyOf(row, definition);
  const { [primaryKey]: asked, ...values } = changes.values;
  if (asked !== undefined && asked !== key) throw invalidField(primaryKey, 'cannot be changed', 'Field not writable');
  const problems = new Problems();
  // An unchanged reference may refer to a removed record: this change did not cause it.
  await checkReferences(write, definition, { values: changedValues(definition, row, values), problems });
  problems.throwIfAny();
  checkWrittenContext(caller, definition, values);
  const self = addressOf(write, definition, row);
  const columns = columnsOf(definition, values);
  await refusingTaken(write, definition, {
    row: { columns: { ...rawColumns(definition, row), ...columns }, self: self.where },
    work: () => updateRows(tx, self, columns),
  });
  const after = await readBack(write, definition, key);
  const before = facts(write, definition, row);
  return mutationOf(definition, 'updated', { key, before, after: facts(write, definition, after) });
}

/** Without `force` an object with a mark for deletion keeps the row. */
export async function dropRow(
  write: Write,
  definition: ObjectDefinition,
  { row, force }: { readonly row: LoadedRow; readonly force: boolean },
): Promise<Mutation> {
  const { tx } = write;
  const { deleted } = definition.visibility;
  const key = keyOf(row, definition);
  const before = facts(write, definition, row);
  const self = addressOf(write, definition, row);
  const isSoft = deleted !== undefined && !force;
  await refusingTaken(write, definition, {
    row: { columns: {}, self: self.where },
    work: () =>
      isSoft
        ? updateRows(tx, self, columnsOf(definition, { [deleted]: markOf(definition, deleted) }))
        : deleteRows(tx, self),
  });
  const after = isSoft ? facts(write, definition, await readBack(write, definition, key)) : null;
  return mutationOf(definition, 'deleted', { key, before, after });
}

/** Visibility looks for 0; the mark may be a flag or a number. */
function markOf({ fields }: ObjectDefinition, name: string): true | 1 {
  return fields[name]?.type === 'boolean' ? true : 1;
}

function facts(write: Write, definition: ObjectDefinition, row: LoadedRow): FieldValues {
  return factsOf(definition, announcedFields(definition, write.writer.registry), row);
}

function keyOf(row: LoadedRow, { primaryKey }: ObjectDefinition): string | number {
  const key = row.raw(primaryKey);
  return typeof key === 'number' ? key : String(key);
}

function addressOf({ writer }: Write, definition: ObjectDefinition, row: LoadedRow): RowAddress {
  const where = { [keyColumn(definition)]: row.raw(definition.primaryKey) };
  return { table: writer.reader.table(definition).name, where };
}

function changedValues(definition: ObjectDefinition, row: LoadedRow, values: FieldValues): FieldValues {
  const before = factsOf(definition, Object.keys(values), row);
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => before[name] !== value));
}

function columnsOf(definition: ObjectDefinition, values: FieldValues): ColumnValues {
  const entries = Object.entries(values).flatMap(([name, value]) => {
    const field = definition.fields[name];
    return field ? [[field.column, storedValue(field, value)]] : [];
  });
  return Object.fromEntries(entries);
}

function rawColumns(definition: ObjectDefinition, row: LoadedRow): ColumnValues {
  return Object.fromEntries(Object.entries(definition.fields).map(([name, { column }]) => [column, row.raw(name)]));
}

async function readBack(write: Write, definition: ObjectDefinition, key: string | number): Promise<LoadedRow> {
  return findTarget(readerOf(write), {
    definition,
    key,
    caller: write.caller,
    context: write.context,
    fields: announcedFields(definition, write.writer.registry),
    hideDeleted: false,
    lock: false,
  });
}

const tablesOf = perObject<ContentWriter, Map<ObjectDefinition, Table>>(() => new Map());

/** Throws database_not_ready when the table is gone. The store does not list tables without the content prefix. */
async function recordTable(writer: ContentWriter, definition: ObjectDefinition): Promise<Table> {
  const tables = tablesOf(writer);
  const cached = tables.get(definition);
  if (cached) return cached;
  const { name } = writer.reader.table(definition);
  const table = writer.store.tables.get(name) ?? (await readTable(writer.store.content.primary, name));
  if (!table) throw new AppError('database_not_ready', { message: `The table ${name} of ${definition.name} is gone` });
  tables.set(definition, table);
  return table;
}

export async function readTable(reader: Reader, table: string): Promise<Table | undefined> {
  return (await readTables(reader, table)).get(table);
}

function isCounted(table: Table, definition: ObjectDefinition): boolean {
  const column = definition.fields[definition.primaryKey]?.column;
  return column !== undefined && table.columns.get(column)?.isCounted === true;
}

interface RefusableRow {
  readonly columns: ColumnValues;
  readonly self?: ColumnValues;
}

/** When a key refuses the row, writes nothing and keeps the transaction; throws the name of the taken key. */
async function refusingTaken<T>(
  write: Write,
  definition: ObjectDefinition,
  { row, work }: { readonly row: RefusableRow; readonly work: () => Promise<T> },
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (classifyFailure(error) !== 'conflict') throw error;
    throw (
      (await findTaken(write, definition, row)) ??
      new AppError('conflict', { message: 'A rule of the table refuses the change', cause: error })
    );
  }
}

async function findTaken(
  { tx, writer }: Write,
  definition: ObjectDefinition,
  { columns, self }: RefusableRow,
): Promise<AppError | undefined> {
  const table = await readTable(tx, writer.reader.table(definition).name);
  if (table === undefined) return undefined;
  for (const names of uniqueKeys(table)) {
    const where = Object.fromEntries(names.map((name) => [name, columns[name] ?? null]));
    if (Object.values(where).includes(null)) continue;
    if (!(await hasRow(tx, { table: table.name, where }, self))) continue;
    const fields = Object.entries(definition.fields).filter(([, field]) => names.includes(field.column));
    const [first, ...others] = fields.map(([name]) => name).filter((name) => !definition.hidden.includes(name));
    if (first === undefined) return undefined;
    const together = others.length === 0 ? '' : ` together with ${others.join(', ')}`;
    return invalidFields({ [first]: [`is taken by another record${together}`] }, 'Invalid field value');
  }
  return undefined;
}
