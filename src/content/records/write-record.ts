/** Creates, changes and removes records of extra objects: one row of one table, with no other rows depending on it. */
import { invalidField, Problems } from '../../errors/app-error.js';
import type { FieldValues, Mutation, RecordChanges } from '../live/mutation.js';
import { type ColumnValues, deleteRows, insertRow, type RowAddress, updateRows } from '../models/rows.js';
import { readerOf, type Write } from '../mutations/write.js';
import type { ObjectDefinition } from '../objects/definition.js';
import type { JsonValue } from '../objects/values.js';
import { storedValue } from '../objects/write-values.js';
import type { LoadedRow } from '../reading/select-rows.js';
import { checkReferences, checkWrittenContext } from './check-references.js';
import { findTarget } from './find-target.js';
import { isCounted, recordTable, tableName } from './record-table.js';
import { factsOf, mutationOf, toldFields } from './row-facts.js';
import { refusingTaken } from './taken-refusal.js';

/** Inserts the record. validation_failed names what is missing, refers to nothing or is taken. */
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
  // A statement needs a column: a key that the database counts is given as null.
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

/** What is wrong with a key that no address of a record can hold; a path has no sign, and clients drop its dots. */
function unnameableKey(key: JsonValue | undefined): string | null {
  if (typeof key === 'number' && key < 0) return 'must not be negative';
  return key === '' || key === '.' || key === '..' ? 'must not be empty, "." or ".."' : null;
}

/** Changes the fields of a row that was found and locked. */
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
  // A reference that stays as it is may refer to nothing: it is not this change's doing.
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
  const told = toldFields(definition, write.writer.registry);
  return mutationOf(definition, 'updated', {
    key,
    before: factsOf(definition, told, row),
    after: factsOf(definition, told, after),
  });
}

/** Marks a row as deleted where the object has such a mark and `force` is not set, else removes it for good. */
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

/** Fields that findTarget must read for the functions above. */
export function writtenRowFields(definition: ObjectDefinition): string[] {
  return Object.keys(definition.fields);
}

/** Visibility looks for 0; the mark may be a flag or a number. */
function markOf({ fields }: ObjectDefinition, name: string): true | 1 {
  return fields[name]?.type === 'boolean' ? true : 1;
}

function facts(write: Write, definition: ObjectDefinition, row: LoadedRow): FieldValues {
  return factsOf(definition, toldFields(definition, write.writer.registry), row);
}

function keyOf(row: LoadedRow, { primaryKey }: ObjectDefinition): string | number {
  const key = row.raw(primaryKey);
  return typeof key === 'number' ? key : String(key);
}

function keyColumn({ fields, primaryKey }: ObjectDefinition): string {
  return fields[primaryKey]?.column ?? primaryKey;
}

function addressOf({ writer }: Write, definition: ObjectDefinition, row: LoadedRow): RowAddress {
  return {
    table: tableName(writer, definition),
    where: { [keyColumn(definition)]: row.raw(definition.primaryKey) },
  };
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

/** The row as the database keeps it, whatever it has made of the values. */
async function readBack(write: Write, definition: ObjectDefinition, key: string | number): Promise<LoadedRow> {
  return findTarget(readerOf(write), {
    definition,
    key,
    caller: write.caller,
    context: write.context,
    fields: toldFields(definition, write.writer.registry),
    hideDeleted: false,
    lock: false,
  });
}
