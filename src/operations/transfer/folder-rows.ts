/** The rows of a site as the files of a folder have them: ids and stored texts, without the defaults of the CMS. */
import { tvs, tvTemplates } from '../../content/models/template-variables.js';
import { dialectOf } from '../../store/base/dialect.js';
import { batchesOf } from '../../values/batches.js';
import { type FolderClass, type FolderJoin, shortClass } from './folder-classes.js';
import { isWithin, type Partition } from './folder-config.js';
import { fileName, type Written } from './folder-file.js';
import { type Filter, type RecordKind, rowOf, type Scope } from './kind.js';
import { recordKinds } from './kinds.js';
import type { RawValues } from './members.js';
import { listRows, plainValue, tableRows } from './table-rows.js';

export interface FolderRow {
  readonly raw: RawValues;
  readonly values: ReadonlyMap<string, Written>;
  readonly body: string;
  /** Below the partition. */
  readonly path: string;
  /** Of the template variables in `values`. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly order: readonly string[];
}

interface How {
  readonly filter: Filter;
  readonly hasCategoryIds: boolean;
}

const together = 200;
const everyTv = -1;

export async function* folderRows(scope: Scope, partition: Partition, how: How): AsyncGenerator<FolderRow> {
  const { kept, join } = partition;
  if (join !== null) yield* joinRows(scope, partition, join);
  const kind = kept === null ? undefined : recordKinds[kept.object];
  if (kept === null || kind === undefined) return;
  const tvsOf = kept.object === 'resources' ? await tvsByTemplate(scope) : new Map<number, readonly Tv[]>();
  for await (const keys of listRows(kept.object, kind)(scope, how.filter)) {
    for (const some of batchesOf(keys, together)) {
      const rows = await readWhole(scope, kind, kept, some);
      const part = kept.object === 'resources' ? kind.parts?.['tvs'] : undefined;
      const ids = rows.map((row) => Number(row['id']));
      const stored = part === undefined ? new Map() : await tableRows(kind).readPart(scope, part, ids);
      for (const row of rows.filter((one) => isHeld(partition, one)))
        yield rowFor(row, stored.get(Number(row['id'])) ?? []);
    }
  }

  async function rowFor(raw: RawValues, stored: readonly RawValues[]): Promise<FolderRow> {
    const values = new Map<string, Written>();
    const body = kept?.body === undefined ? '' : String(raw[kept.body] ?? '');
    for (const [column, byDefault] of kept?.columns ?? []) {
      const value = raw[column];
      if (value === undefined || partition.excluded.has(column) || (column === kept?.body && body !== '')) continue;
      const text = column === 'class_key' ? shortClass(String(value)) : String(value ?? '');
      if (byDefault !== undefined && text === byDefault) continue;
      if (column === 'category' && kept?.object !== 'categories' && !how.hasCategoryIds) {
        const path = (await scope.names.pathOf(Number(value))) ?? [];
        const name = path.at(-1) ?? Number(value);
        values.set(column, (await scope.names.pathsNamed(String(name))).length > 1 ? path : name);
      } else values.set(column, plainValue(value));
    }
    if (kept?.object === 'resources' && !partition.excluded.has('tvs')) values.set('tvs', tvValues(raw, stored));
    const defaults = Object.fromEntries((tvsOf.get(everyTv) ?? []).map(({ name, byDefault }) => [name, byDefault]));
    return { raw, values, body, path: pathOf(partition, raw), defaults, order: [] };
  }

  function tvValues(raw: RawValues, stored: readonly RawValues[]): Record<string, string> {
    const texts = new Map(stored.toReversed().map((row) => [Number(row['tmplvarid']), String(row['value'] ?? '')]));
    const ofTemplate = tvsOf.get(Number(raw['template'])) ?? [];
    const others = (tvsOf.get(everyTv) ?? []).filter(
      ({ id }) => texts.has(id) && !ofTemplate.some((one) => one.id === id),
    );
    const shown = [...ofTemplate, ...others].filter(({ name }) => !partition.excludedTvs.has(name));
    const sorted = shown.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return Object.fromEntries(sorted.map(({ id, name, byDefault }) => [name, texts.get(id) ?? byDefault]));
  }
}

interface Tv {
  readonly id: number;
  readonly name: string;
  readonly byDefault: string;
}

async function tvsByTemplate({ readers, prefix }: Scope): Promise<ReadonlyMap<number, readonly Tv[]>> {
  const rows = await tvs.on(readers.content, prefix).lookUpAll({}, { attributes: ['id', 'name', 'default_text'] });
  const all = rows.map(({ id, name, default_text: text }) => ({ id, name, byDefault: text ?? '' }));
  const byId = new Map(all.map((tv) => [tv.id, tv]));
  const found = new Map<number, Tv[]>([[everyTv, all]]);
  for (const { templateid, tmplvarid } of await tvTemplates.on(readers.content, prefix).lookUpAll({})) {
    const tv = byId.get(tmplvarid);
    if (tv !== undefined) found.set(templateid, [...(found.get(templateid) ?? []), tv]);
  }
  return found;
}

export function isHeld({ only, where }: Partition, row: RawValues): boolean {
  return (only === null || shortClass(String(row['class_key'])) === only) && isWithin(where, row);
}

/** Also columns that the objects do not have, such as who created a resource. */
export async function readWhole(
  scope: Scope,
  kind: RecordKind,
  kept: FolderClass,
  keys: readonly (string | number)[],
): Promise<RawValues[]> {
  const { readRows, keyOf } = tableRows(kind);
  const rows = await readRows(scope, keys, [...kept.columns.keys()]);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
}

async function* joinRows(
  { readers, prefix }: Scope,
  partition: Partition,
  join: FolderJoin,
): AsyncGenerator<FolderRow> {
  const columns = [...join.columns.keys()];
  const { quote } = dialectOf(readers.content.dialect);
  const order = join.join === 'tvs' ? ['templateid', 'rank', 'tmplvarid'] : join.primary;
  const sql = `SELECT ${columns.map(quote).join(', ')} FROM ${quote(prefix + join.table)} ORDER BY ${order.map(quote).join(', ')}`;
  const rows = (await readers.content.select({ sql, params: [] })).map((row) => rowOf(columns, row));
  const orders = new Map<string, string[]>();
  for (const row of rows) {
    const of = orders.get(String(row['templateid'])) ?? [];
    orders.set(String(row['templateid']), of);
    of.push(String(row['tmplvarid']));
  }
  for (const raw of rows) {
    const className = shortClass(String(raw['object_class'] ?? 'modTemplateVar'));
    if (className !== 'modTemplateVar') continue;
    const values = new Map<string, Written>();
    for (const [column, byDefault] of join.columns) {
      const text = column === 'object_class' ? className : String(raw[column] ?? '');
      if (partition.excluded.has(column) || text === byDefault) continue;
      values.set(column, plainValue(raw[column] ?? null));
    }
    const words = partition.primary.map((one) => (one === 'object_class' ? className : String(raw[one] ?? '')));
    const path = `${fileName(words.join('.'))}${partition.extension}`;
    yield {
      raw: { ...raw, ...(raw['object_class'] === undefined ? {} : { object_class: className }) },
      ...{ values, body: '', defaults: {}, path, order: orders.get(String(raw['templateid'])) ?? [] },
    };
  }
}

/** `CONTEXT/URI`, whose last part is that of the alias; the id where nothing names the resource. */
function pathOf({ isTree, primary, extension }: Partition, row: RawValues): string {
  const text = (column: string): string => String(row[column] ?? '');
  if (!isTree) return `${fileName(primary.map(text).join('.'))}${extension}`;
  const uri = text('uri');
  const parts = uri.replace(/\/$/, '').split('/');
  const alias = text('alias').split('/').at(-1) ?? '';
  if (!uri.endsWith('/') && alias !== '') parts[parts.length - 1] = alias;
  if (uri === '') parts[0] = text('id');
  return `${[text('context_key'), ...parts].map(fileName).join('/')}${extension}`;
}
