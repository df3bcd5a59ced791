/**
 * The rows of a site as the files of a folder have them: ids and stored texts, without the defaults of the CMS; and a
 * file with only what means something else than its row changed.
 */
import { tvs, tvTemplates } from '../../content/models/template-variables.js';
import { batchesOf } from '../../values/batches.js';
import { isSameJson, type JsonObject, objectOf } from '../../values/json.js';
import { type FolderClass, shortClass } from './folder-classes.js';
import { type FolderConfig, isWithin, type Partition } from './folder-config.js';
import { dates, type FolderEntry, textIn } from './folder-entry.js';
import {
  type FileValue,
  type FolderFile,
  fileName,
  fileText,
  isFileMap,
  memberText,
  separator,
  type Written,
} from './folder-file.js';
import { folderKinds } from './folder-joins.js';
import type { RecordKind, RowKey, Scope } from './kind.js';
import type { RawValues } from './members.js';
import { classColumns, listRows, plainValue, tableRows } from './table-rows.js';
import type { Filter } from './transfer-record.js';

export interface FolderRow {
  readonly key: RowKey;
  readonly raw: RawValues;
  readonly values: ReadonlyMap<string, Written>;
  readonly body: string;
  readonly path: string;
  readonly defaults: Readonly<Record<string, string>>;
}

const everyTv = -1;

export async function* folderRows(
  scope: Scope,
  partition: Partition,
  how: Pick<FolderConfig, 'hasCategoryIds'> & { readonly filter: Filter },
): AsyncGenerator<readonly FolderRow[]> {
  const { object, body: bodyColumn, excluded } = partition;
  const isOfResources = object === 'resources';
  const kind = folderKinds[object];
  if (kind === undefined) return;
  const { keyOf, readPart } = tableRows(kind);
  const columns = fileColumns(scope, partition);
  const tvsOf = isOfResources ? await tvsByTemplate(scope) : new Map<number, readonly Tv[]>();
  const defaults = Object.fromEntries((tvsOf.get(everyTv) ?? []).map(({ name, byDefault }) => [name, byDefault]));
  for await (const keys of listRows(object, kind)(scope, how.filter)) {
    for (const some of batchesOf(keys)) {
      const rows = await readWhole(scope, kind, partition, some);
      const part = isOfResources ? kind.parts?.['tvs'] : undefined;
      const ids = rows.map((row) => Number(row['id']));
      const stored = part === undefined ? new Map() : await readPart(scope, part, ids);
      const found: FolderRow[] = [];
      for (const row of rows.filter((one) => isHeld(partition, one)))
        found.push(await rowFor(row, stored.get(Number(row['id'])) ?? []));
      yield found;
    }
  }

  async function rowFor(raw: RawValues, stored: readonly RawValues[]): Promise<FolderRow> {
    const values = new Map<string, Written>();
    const body = String(raw[bodyColumn ?? ''] ?? '');
    for (const [column, byDefault] of columns) {
      const value = raw[column];
      if (value === undefined || excluded.has(column) || (column === bodyColumn && body !== '')) continue;
      const text = classColumns.has(column) ? shortClass(String(value)) : String(value ?? '');
      if (byDefault === null ? value === null : text === byDefault) continue;
      if (column === 'category' && object !== 'categories' && !how.hasCategoryIds) {
        const path = await scope.names.nameOf('categories', Number(value));
        const name = Array.isArray(path) ? path.at(-1) : Number(value);
        values.set(column, (await scope.names.pathsNamed(String(name))).length > 1 ? path : name);
      } else values.set(column, plainValue(value));
    }
    if (isOfResources && !excluded.has('tvs')) values.set('tvs', tvValues(raw, stored));
    return { key: keyOf(raw), raw, values, body, path: pathOf(partition, raw), defaults };
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

/** In the order of the table, with the value that the CMS leaves out. */
function fileColumns({ tables, prefix }: Scope, { object, defaults = {}, more = [] }: FolderClass) {
  const { table = '', members = {} } = folderKinds[object] ?? {};
  const byColumn = new Map(Object.values(members).map((member) => [member.column, member]));
  const columns = new Map<string, string | null | undefined>();
  for (const column of tables.get(prefix + table)?.columns.keys() ?? []) {
    const { default: byDefault = '' } = byColumn.get(column) ?? {};
    const isMore = column === 'id' || more.includes(column);
    const hasNone = isMore || byDefault === null || byDefault === 'a:0:{}';
    const usual = hasNone ? undefined : String(byDefault);
    const own = Object.hasOwn(defaults, column) ? defaults[column] : usual;
    if (isMore || byColumn.has(column)) columns.set(column, classColumns.has(column) ? shortClass(own ?? '') : own);
  }
  return columns;
}

/** Also columns that exports leave out, such as who created a resource. */
export async function readWhole(
  scope: Scope,
  kind: RecordKind,
  kept: FolderClass,
  keys: readonly (string | number)[],
): Promise<RawValues[]> {
  const { readRows, keyOf } = tableRows(kind);
  const rows = await readRows(scope, keys, [...fileColumns(scope, kept).keys()]);
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
}

/** `CONTEXT/URI`, whose last part is that of the alias; the id where nothing names the resource. */
function pathOf({ isTree, primary, extension }: Partition, row: RawValues): string {
  const text = (column: string): string => (classColumns.has(column) ? shortClass : String)(String(row[column] ?? ''));
  if (!isTree) return `${fileName(primary.map(text).join('.'))}${extension}`;
  const uri = text('uri');
  const parts = uri.replace(/\/$/, '').split('/');
  const alias = text('alias').split('/').at(-1) ?? '';
  if (!uri.endsWith('/') && alias !== '') parts[parts.length - 1] = alias;
  if (uri === '') parts[0] = text('id');
  return `${[text('context_key'), ...parts].map(fileName).join('/')}${extension}`;
}

interface Compared {
  readonly partition: Partition;
  readonly row: FolderRow;
  readonly entry: FolderEntry;
  readonly given: JsonObject;
  readonly stored: JsonObject;
  readonly file: FolderFile;
  readonly isInOrder: () => Promise<boolean>;
}

/** References to what is not there are other ones. */
function changedColumns({ partition, row, entry, given, stored }: Compared): Set<string> {
  const columns = new Set<string>();
  const more = (partition.more ?? []).map((column) => [column, { column, isLocal: true }] as const);
  for (const [name, { column, isLocal }] of [...Object.entries(folderKinds[entry.object]?.members ?? {}), ...more]) {
    const [value, raw] = [entry.values[column], String(row.raw[column] ?? '')];
    // Who wrote a record, and when, no import carries.
    const isSame = isLocal
      ? ['', '0', textIn(value)].includes(raw)
      : isSameJson(asMap(given[name] ?? null), asMap(stored[name] ?? null));
    const isFirst = dates.has(column) && value === undefined;
    const isSameClass = classColumns.has(column) && shortClass(textIn(value)) === shortClass(raw);
    if (!isSame && !isFirst && !isSameClass) columns.add(column);
  }
  return columns;
}

/** PHP has one form for lists and maps, so that `[]` and `{}` in a file mean the same, at every level. */
function asMap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return objectOf(Object.entries(value).map(([name, one]) => [name, asMap(one)]));
}

/** Null without a difference. Values that are not named have their defaults. */
function changedTvs(row: FolderRow, given: FileValue | undefined): Record<string, string> | null {
  const wanted = row.values.get('tvs');
  if (wanted === undefined || !isFileMap(wanted as FileValue)) return null;
  const texts = Object.entries(isFileMap(given) ? given : {}).map(([name, value]) => [name, textIn(value)] as const);
  const before = new Map(texts);
  const after = new Map(Object.entries(wanted as Record<string, string>));
  const next = new Map(before);
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const byDefault = row.defaults[name] ?? '';
    const value = after.get(name) ?? byDefault;
    if ((before.get(name) ?? byDefault) === value) continue;
    if (after.has(name)) next.set(name, value);
    else next.delete(name);
  }
  return isSameJson([...next], [...before]) ? null : Object.fromEntries(next);
}

/** Null without a difference. Other lines stay, unless the members are not one below the other. */
export async function changedText(text: string, compared: Compared): Promise<string | null> {
  const { partition, row, entry, file, isInOrder } = compared;
  const { body = '' } = partition;
  const changed = changedColumns(compared);
  const isBodyOther = changed.has(body) && textIn(entry.values[body]) !== row.body.replace(/\r\n?/g, '\n');
  for (const column of [body, ...partition.excluded]) changed.delete(column);
  if (changed.has('rank') && (await isInOrder())) changed.delete('rank');
  // Members that are undefined go, because their default is right.
  const members = new Map([...changed].map((column) => [column, row.values.get(column)]));
  for (const name of isBodyOther ? [body, 'content'] : [])
    if (file.values[name] !== undefined) members.set(name, undefined);
  const tvs = changedTvs(row, entry.values['tvs']);
  if (tvs !== null) members.set('tvs', tvs);
  if (members.size === 0 && !isBodyOther) return null;
  const places = Object.entries(file.places).toSorted(([, one], [, other]) => one.line - other.line);
  const starts = new Set(places.map(([, { line }]) => line));
  if (starts.size < places.length || places.some(([, { column }]) => column !== 1)) {
    return fileText(row.values, row.body);
  }
  const lines = text.split('\n');
  const head = lines.slice(0, file.body === null ? lines.length : file.bodyLine - 3);
  let tail = lines.slice(head.length);
  while (head.at(-1) === '') tail = [head.pop() ?? '', ...tail];
  const linesOf = (name: string): string[] => {
    const value = members.get(name);
    return value === undefined ? [] : memberText(name, value).trimEnd().split('\n');
  };
  for (const [index, [name, { line }]] of [...places.entries()].toReversed()) {
    if (!members.has(name)) continue;
    let end = (places[index + 1]?.[1].line ?? head.length + 1) - 1;
    // Comments belong to what follows.
    while (end > line && /^(?:#|$)/.test(head[end - 1] ?? '')) end -= 1;
    head.splice(line - 1, end - line + 1, ...linesOf(name));
  }
  for (const name of members.keys()) if (file.places[name] === undefined) head.push(...linesOf(name));
  if (isBodyOther) tail = row.body === '' ? [''] : ['', separator, '', row.body];
  return [...head, ...tail].join('\n');
}
