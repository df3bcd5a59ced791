/** The reader of all read services, the compiled statements of plans, and the records of answers. */

import type { Asker } from '../../clock/fair-queue.js';
import { type RawRow, type RawValue, type Reader, readAs } from '../../store/base/database.js';
import { perObject } from '../../values/kept-values.js';
import type { MediaSourceRow } from '../models/elements.js';
import type { FieldDefinition, ObjectDefinition, Registry } from '../objects/definition.js';
import { type Decoder, decoderOf, type JsonValue } from '../objects/values.js';
import { compileSelect, compileTree, type SelectSpec, type TreeSpec } from '../query/compile.js';
import type { Sign } from '../query/cursor.js';
import type { RowPlan } from '../query/plan.js';
import { all, type ColumnRef, equals, fieldRef, type Predicate, type Scalar } from '../query/predicate.js';
import type { SqlDialect, SqlStatement, SqlTable } from '../query/sql-statement.js';
import type { WordSample } from '../rules/search-words.js';
import type { SitePlace } from '../rules/site-address.js';

export interface ContentReader {
  readonly db: Reader;
  readonly prefix: string;
  /** Set when the index of words is in another database than the content. */
  readonly words: Reader | null;
  readonly dialect: SqlDialect;
  readonly registry: Registry;
  table(definition: ObjectDefinition): SqlTable;
  readonly totals: KeptCounts<number>;
  readonly samples: KeptCounts<WordSample | null>;
  readonly sign: Sign;
  /** docs/reference/gateway.md#media-paths */
  readonly mediaUrl: (value: string) => string;
  readonly site: SiteFacts;
  /** Of a picture of this server, by its path below `/files/`. Absent: it has no files. */
  readonly pictures?: (path: string) => Promise<PictureFacts | null>;
  readonly filesDir?: string;
}

export interface PictureFacts {
  readonly version: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly placeholder: string | null;
  /** Where `media_sizes` is not the usual list. */
  readonly widths?: readonly number[];
}

export interface Question {
  readonly table: string;
  /** Equal texts are the same question. */
  readonly text: string;
}

interface KeptCounts<T> {
  get(question: Question, count: () => Promise<T>): Promise<T>;
}

export interface SiteFacts {
  setting(context: string, key: string): string | null;
  place(context: string): SitePlace;
  linkSettings(): readonly string[];
  resolvedChunks(): readonly string[];
  mediaSourceOf(tv: number, context: string): MediaSourceRow | undefined;
}

export function readerFor(reader: ContentReader, asker: Asker): ContentReader {
  const words = reader.words === null ? null : readAs(reader.words, asker);
  return { ...reader, db: readAs(reader.db, asker), words };
}

export type RecordJson = Record<string, JsonValue>;

export interface LoadedRow {
  readonly record: RecordJson;
  raw(field: string): RawValue;
}

interface Selection {
  readonly columns: readonly string[];
  readonly values: readonly ColumnRef[];
  /** The select list starts with the shown columns, in the same order. */
  readonly shown: readonly { readonly name: string; readonly decode: Decoder }[];
  readonly positions: ReadonlyMap<string, number>;
}

interface Asked {
  readonly fields: readonly string[];
  readonly needed: readonly string[];
  readonly context?: string;
  readonly values?: ReadonlyMap<string, ColumnRef>;
}

function selectionOf(
  reader: ContentReader,
  definition: ObjectDefinition,
  { fields, needed, context, values = new Map() }: Asked,
): Selection {
  const columns: string[] = [];
  const shown: { name: string; decode: Decoder }[] = [];
  const positions = new Map<string, number>();
  for (const name of [...fields, ...needed]) {
    const field = definition.fields[name];
    if (!field || positions.has(name)) continue;
    positions.set(name, columns.length);
    columns.push(field.column);
    if (shown.length < fields.length) {
      shown.push({ name, decode: shownAs(reader, field, context ?? '') });
    }
  }
  for (const name of values.keys()) positions.set(name, positions.size);
  return { columns, shown, positions, values: [...values.values()] };
}

function shownAs({ mediaUrl, site }: ContentReader, field: FieldDefinition, context: string): Decoder {
  if (field.isMediaSource) {
    return (raw) => {
      const source = site.mediaSourceOf(Number(raw), context);
      return source === undefined ? null : { id: source.id, name: source.name };
    };
  }
  const decode = decoderOf(field);
  if (!field.media) return decode;
  return (raw) => {
    const value = decode(raw);
    return typeof value === 'string' && value !== '' ? mediaUrl(value) : value;
  };
}

export function keyColumn({ fields, primaryKey }: ObjectDefinition): string {
  return fields[primaryKey]?.column ?? primaryKey;
}

type Query = Omit<SelectSpec, 'table' | 'columns' | 'values' | 'key'>;

function compile(
  reader: ContentReader,
  asked: { readonly definition: ObjectDefinition; readonly selection: Selection; readonly query: Query },
): SqlStatement {
  const { definition, selection, query } = asked;
  const { columns, values } = selection;
  const spec = { ...query, table: reader.table(definition), columns, values, key: keyColumn(definition) };
  return compileSelect(spec, reader.dialect);
}

export async function selectRows(
  reader: ContentReader,
  definition: ObjectDefinition,
  asked: Query & {
    readonly fields?: readonly string[];
    readonly needed: readonly string[];
    /** Keeps other writers from the rows; in transactions only. */
    readonly lock?: boolean;
  },
): Promise<LoadedRow[]> {
  const { fields = [], needed, lock = false, ...query } = asked;
  const selection = selectionOf(reader, definition, { fields, needed });
  const statement = compile(reader, { definition, selection, query });
  // SQLite has one writer at a time.
  const locks = lock && reader.db.dialect !== 'sqlite';
  const rows = await reader.db.select(locks ? { ...statement, sql: `${statement.sql} FOR UPDATE` } : statement);
  return rows.map((row) => loadRow(row, selection));
}

/** Reads level by level; a single level is a list, for which an index has the order. */
export async function selectTree(
  reader: ContentReader,
  plan: RowPlan,
  tree: Pick<TreeSpec, 'root' | 'depth' | 'limit' | 'where'>,
): Promise<LoadedRow[]> {
  const { definition, fields } = plan;
  const selection = selectionOf(reader, definition, { fields, needed: [...neededFields(plan), 'parent'] });
  const columnOf = (name: string) => definition.fields[name]?.column ?? name;
  const spec = { table: reader.table(definition), columns: selection.columns, ...tree };
  const key = columnOf(definition.primaryKey);
  const below = equals(fieldRef(definition, 'parent'), tree.root);
  const order = ['menuindex', definition.primaryKey].map((name) => ({
    ref: fieldRef(definition, name),
    direction: 'asc' as const,
  }));
  const statement =
    tree.depth === 1
      ? compileSelect({ ...spec, key, where: all([tree.where, below]), order }, reader.dialect)
      : compileTree({ ...spec, key, parent: columnOf('parent'), place: columnOf('menuindex') }, reader.dialect);
  const rows = await reader.db.select(statement);
  return rows.map((row) => loadRow(row, selection));
}

export function selectPlanned(
  reader: ContentReader,
  plan: RowPlan,
  where: Predicate,
  extra: readonly string[] = [],
): Promise<LoadedRow[]> {
  return selectRows(reader, plan.definition, {
    fields: plan.fields,
    needed: [...neededFields(plan), ...extra],
    where,
  });
}

interface PreparedSelect extends Omit<Query, 'where'> {
  /** The same name of one plan always means the same condition and order. */
  readonly name: string;
  readonly values: readonly Scalar[];
  /** Called with placeholders, once per number of values. */
  readonly where: (values: readonly Scalar[]) => Predicate;
  readonly extra: readonly string[];
  readonly tvValues?: ReadonlyMap<string, ColumnRef>;
}

interface Prepared {
  readonly selection: Selection;
  readonly statement: SqlStatement;
  /** The position of each parameter's value, or -1 for one that never changes. */
  readonly slots: readonly number[];
}

const preparedFor = perObject<RowPlan, Map<string, Prepared>>(() => new Map());

export async function selectPrepared(
  reader: ContentReader,
  plan: RowPlan,
  select: PreparedSelect,
): Promise<LoadedRow[]> {
  const statements = preparedFor(plan);
  const name = `${select.name}/${select.values.length}`;
  const known = statements.get(name) ?? prepare(reader, plan, select);
  statements.set(name, known);
  const { statement, slots, selection } = known;
  const params =
    select.values.length === 0
      ? statement.params
      : statement.params.map((fixed, index) => {
          const slot = slots[index] ?? -1;
          return slot < 0 ? fixed : (select.values[slot] ?? fixed);
        });
  const rows = await reader.db.select({ ...statement, params });
  return rows.map((row) => loadRow(row, selection));
}

function prepare(reader: ContentReader, plan: RowPlan, select: PreparedSelect): Prepared {
  const { name: _, values, where, extra, tvValues = new Map(), ...query } = select;
  const needed = [...neededFields(plan), ...extra];
  const asked = { fields: plan.fields, needed, context: plan.context, values: tvValues };
  const selection = selectionOf(reader, plan.definition, asked);
  // No value from outside can begin with NUL: requests with it are refused.
  const standIns = values.map((_value, index) => `\0${index}`);
  const statement = compile(reader, {
    definition: plan.definition,
    selection,
    query: { ...query, where: where(standIns) },
  });
  return { selection, statement, slots: statement.params.map((param) => standIns.indexOf(String(param))) };
}

function loadRow(row: RawRow, { shown, positions }: Selection): LoadedRow {
  const record: RecordJson = {};
  for (let index = 0; index < shown.length; index++) {
    const field = shown[index];
    if (field) record[field.name] = field.decode(row[index]);
  }
  return { record, raw: (field) => row[positions.get(field) ?? -1] ?? null };
}

export function neededFields({
  definition,
  includes,
  form,
}: Pick<RowPlan, 'definition' | 'includes'> & Partial<Pick<RowPlan, 'form'>>): string[] {
  const keys = includes.map(({ relation }) => (relation.type === 'to_one' ? relation.foreignKey : relation.localKey));
  const ofLinks = form?.resolvesLinks ? ['class_key'] : [];
  // The URI names the row in cache tags, shown or not.
  return [definition.primaryKey, ...keys, ...(definition.fields['uri'] ? ['uri'] : []), ...ofLinks];
}

export interface FoundRow {
  readonly key: string | number;
  /** Shown or not; empty for none. */
  readonly uri: string;
  readonly record: RecordJson;
}

export function foundRow(row: LoadedRow, { definition }: { readonly definition: ObjectDefinition }): FoundRow {
  const key = row.raw(definition.primaryKey);
  return { key: typeof key === 'number' ? key : String(key), uri: String(row.raw('uri') ?? ''), record: row.record };
}

export interface RowSet {
  readonly definition: ObjectDefinition;
  readonly where: Predicate;
}
