/** Reads planned fields of one object: select list, decoding and the record that the answer shows. */

import type { RawRow, RawValue } from '../../store/base/database.js';
import type { ObjectDefinition } from '../objects/definition.js';
import { type Decoder, decoderOf, type JsonValue } from '../objects/values.js';
import { compileSelect, type SelectSpec } from '../query/compile.js';
import type { Predicate } from '../query/predicate.js';
import type { ContentReader } from './content-reader.js';

/** A record as the answer shows it: field, relation and tvs by name, in the order of the plan. */
export type RecordJson = Record<string, JsonValue>;

/** One row: what is shown of it and the raw values that relations, tvs and cursors need. */
export interface LoadedRow {
  readonly record: RecordJson;
  raw(field: string): RawValue;
}

interface Shown {
  readonly name: string;
  readonly decode: Decoder;
}

/** What to select and how to read it. */
export interface Selection {
  readonly columns: readonly string[];
  readonly shown: readonly Shown[];
  /** Position of a field's column in the row. */
  readonly positions: ReadonlyMap<string, number>;
}

interface Asked {
  readonly fields: readonly string[];
  /** Fields that are read but not shown. */
  readonly needed: readonly string[];
}

/** Columns for the shown fields first, then those that are only needed internally. */
export function selectionOf({ mediaUrl }: ContentReader, definition: ObjectDefinition, asked: Asked): Selection {
  const columns: string[] = [];
  const shown: Shown[] = [];
  const positions = new Map<string, number>();
  for (const name of [...asked.fields, ...asked.needed]) {
    const field = definition.fields[name];
    if (!field || positions.has(name)) continue;
    positions.set(name, columns.length);
    columns.push(field.column);
    if (shown.length < asked.fields.length) {
      const decode = decoderOf(field);
      shown.push({ name, decode: field.media ? (raw) => resolved(decode(raw), mediaUrl) : decode });
    }
  }
  return { columns, shown, positions };
}

function resolved(value: JsonValue, mediaUrl: (value: string) => string): JsonValue {
  return typeof value === 'string' && value !== '' ? mediaUrl(value) : value;
}

/** Runs the statement and decodes each row once. */
export async function selectRows(
  reader: ContentReader,
  definition: ObjectDefinition,
  asked: {
    readonly selection: Selection;
    readonly query: Pick<SelectSpec, 'where' | 'order' | 'limit' | 'offset' | 'heavy'>;
    /** Keep the rows from other writers; in transactions only. */
    readonly lock?: boolean;
  },
): Promise<LoadedRow[]> {
  const { selection, query, lock = false } = asked;
  const keyField = definition.fields[definition.primaryKey];
  const statement = compileSelect(
    {
      ...query,
      table: reader.table(definition),
      columns: selection.columns,
      key: keyField?.column ?? definition.primaryKey,
    },
    reader.dialect,
  );
  // SQLite has one writer at a time.
  const locks = lock && reader.db.dialect !== 'sqlite';
  const rows = await reader.db.select(locks ? { ...statement, sql: `${statement.sql} FOR UPDATE` } : statement);
  return rows.map((row) => loadRow(row, selection));
}

/** Decodes one row. */
export function loadRow(row: RawRow, { shown, positions }: Selection): LoadedRow {
  const record: RecordJson = {};
  for (let index = 0; index < shown.length; index++) {
    const field = shown[index];
    // Shown columns come first in the select list, in the same order.
    if (field) record[field.name] = field.decode(row[index]);
  }
  return { record, raw: (field) => row[positions.get(field) ?? -1] ?? null };
}

/** A row of an answer with what names it elsewhere: in tags, links and events. */
export interface FoundRow {
  readonly key: string | number;
  /** URI of the row, whether it is shown or not; empty for none. */
  readonly uri: string;
  readonly record: RecordJson;
}

export function foundRow(row: LoadedRow, { definition }: { readonly definition: ObjectDefinition }): FoundRow {
  const key = row.raw(definition.primaryKey);
  return { key: typeof key === 'number' ? key : String(key), uri: String(row.raw('uri') ?? ''), record: row.record };
}

/** The rows of an object that meet a condition, those that an answer shows and those that it would show. */
export interface RowSet {
  readonly definition: ObjectDefinition;
  readonly where: Predicate;
}
