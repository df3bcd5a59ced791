/** What of a file means something else than the record of the site, and the file with only that changed. */
import { isSameJson, type JsonObject, objectOf } from '../../values/json.js';
import { shortClass } from './folder-classes.js';
import type { Partition } from './folder-config.js';
import { dates, type FolderEntry, textIn } from './folder-entry.js';
import {
  type FileValue,
  type FolderFile,
  fileText,
  isFileMap,
  memberText,
  separator,
  type Written,
} from './folder-file.js';
import { folderKinds } from './folder-joins.js';
import type { FolderRow } from './folder-rows.js';
import { classColumns } from './table-rows.js';

interface FileChange {
  /** Undefined: the member goes, because its default is right. */
  readonly members: ReadonlyMap<string, Written | undefined>;
  readonly isBodyOther: boolean;
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

async function fileChangeOf(compared: Compared): Promise<FileChange> {
  const { partition, row, entry, file, isInOrder } = compared;
  const { body = '' } = partition;
  const changed = changedColumns(compared);
  const isBodyOther = changed.has(body) && textIn(entry.values[body]) !== row.body.replace(/\r\n?/g, '\n');
  for (const column of [body, ...partition.excluded]) changed.delete(column);
  if (changed.has('rank') && (await isInOrder())) changed.delete('rank');
  const members = new Map([...changed].map((column) => [column, row.values.get(column)]));
  for (const name of isBodyOther ? [body, 'content'] : []) {
    if (file.values[name] !== undefined) members.set(name, undefined);
  }
  const tvs = changedTvs(row, entry.values['tvs']);
  if (tvs !== null) members.set('tvs', tvs);
  return { members, isBodyOther };
}

/** References to what is not there are other ones. */
function changedColumns({ partition, row, entry, given, stored }: Compared): Set<string> {
  const columns = new Set<string>();
  const more = (partition.more ?? []).map((column) => [column, { column, isLocal: true }] as const);
  for (const [name, { column, isLocal }] of [...Object.entries(folderKinds[entry.object]?.members ?? {}), ...more]) {
    const [value, raw] = [entry.values[column], String(row.raw[column] ?? '')];
    const isOther = isLocal === true ? isOtherText(value, raw) : !isSameValue(given[name], stored[name]);
    const isFirst = dates.has(column) && value === undefined;
    const isSameClass = classColumns.has(column) && shortClass(textIn(value)) === shortClass(raw);
    if (isOther && !isFirst && !isSameClass) columns.add(column);
  }
  return columns;
}

function isSameValue(one: unknown = null, other: unknown = null): boolean {
  return isSameJson(asMap(one), asMap(other));
}

/** PHP has one form for lists and maps, so that `[]` and `{}` in a file mean the same, at every level. */
function asMap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return objectOf(Object.entries(value).map(([name, one]) => [name, asMap(one)]));
}

/** Of who wrote a record, and when, which no import carries. */
function isOtherText(given: FileValue | undefined, wanted: string): boolean {
  return wanted !== '' && wanted !== '0' && textIn(given) !== wanted;
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
  const { file, row } = compared;
  const { members, isBodyOther } = await fileChangeOf(compared);
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
