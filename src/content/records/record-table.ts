/** The real table behind an object, read once: which columns must be given, which key counts by itself. */

import { AppError } from '../../errors/app-error.js';
import { readTables, type Table } from '../../store/base/columns.js';
import type { Reader } from '../../store/base/database.js';
import type { ContentWriter } from '../mutations/content-writer.js';
import type { ObjectDefinition } from '../objects/definition.js';

const known = new WeakMap<ContentWriter, Map<ObjectDefinition, Table>>();

/** Name of the object's table in the database. */
export function tableName({ reader }: ContentWriter, definition: ObjectDefinition): string {
  return reader.table(definition).name;
}

/** The object's table; database_not_ready when it is gone. Tables without the content prefix are not in the store's list. */
export async function recordTable(writer: ContentWriter, definition: ObjectDefinition): Promise<Table> {
  const tables = known.get(writer) ?? new Map<ObjectDefinition, Table>();
  known.set(writer, tables);
  const cached = tables.get(definition);
  if (cached) return cached;
  const name = tableName(writer, definition);
  const table = writer.store.tables.get(name) ?? (await readTable(writer.store.content.primary, name));
  if (!table) throw new AppError('database_not_ready', { message: `The table ${name} of ${definition.name} is gone` });
  tables.set(definition, table);
  return table;
}

/** The table as it is; undefined when there is none of that name. */
export async function readTable(reader: Reader, table: string): Promise<Table | undefined> {
  return (await readTables(reader, table)).get(table);
}

/** Whether the database makes the primary key of new rows by counting. */
export function isCounted(table: Table, definition: ObjectDefinition): boolean {
  const column = definition.fields[definition.primaryKey]?.column;
  return column !== undefined && table.columns.get(column)?.isCounted === true;
}
