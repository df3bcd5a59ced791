/** What of a file differs from the row, in whatever form it is written, and the file with only that changed. */
import { isSameJson } from '../../values/json.js';
import { referred, shortClass } from './folder-classes.js';
import type { Partition } from './folder-config.js';
import { dates, idIn, people, sameText, textIn } from './folder-entry.js';
import {
  type FileValue,
  type FolderFile,
  fileText,
  isFileMap,
  memberText,
  separator,
  type Written,
} from './folder-file.js';
import type { FolderRow } from './folder-rows.js';
import type { Names } from './names.js';

export interface Difference {
  /** Undefined: the member goes, because its default is right. */
  readonly members: ReadonlyMap<string, Written | undefined>;
  readonly isBodyOther: boolean;
}

interface Compared {
  readonly partition: Partition;
  readonly row: FolderRow;
  readonly file: FolderFile;
  readonly names: Names;
  readonly isInOrder: boolean;
}

export async function differenceOf({ partition, row, file, names, isInOrder }: Compared): Promise<Difference> {
  const { kept, join } = partition;
  const { values, body } = file;
  const members = new Map<string, Written | undefined>();
  const columns = (kept ?? join)?.columns ?? new Map<string, string | undefined>();
  const text = body ?? textIn(values[kept?.body ?? ''] ?? values['content']);
  const isBodyOther = kept?.body !== undefined && text !== row.body.replace(/\r\n?/g, '\n');
  for (const name of isBodyOther ? [kept?.body ?? '', 'content'] : []) {
    if (values[name] !== undefined) members.set(name, undefined);
  }
  for (const [column, byDefault = ''] of columns) {
    if (column === 'id' || column === kept?.body || partition.excluded.has(column)) continue;
    const [given, has] = [values[column] ?? byDefault, row.raw[column]];
    if (has === undefined) continue;
    const wanted = has === null ? '' : String(has);
    const kind = referred[column];
    if (column === 'rank' && join?.join === 'tvs' && isInOrder) continue;
    if (column === 'class_key' ? shortClass(textIn(given)) === shortClass(wanted) : sameText(given, wanted)) continue;
    if (dates.has(column) && values[column] === undefined) continue;
    if ((column === 'uri' && textIn(given) === '') || (people.has(column) && wanted === '0')) continue;
    const name = kind === undefined ? undefined : await names.nameOf(kind, Number(wanted));
    if (name !== undefined && textIn(given).toLowerCase() === String(name).toLowerCase()) continue;
    const path = column === 'category' ? await names.pathOf(Number(wanted)) : undefined;
    if (path !== undefined && (isSameJson(given, path) || path.at(-1) === textIn(given))) continue;
    const isPage = (column === 'parent' || column === 'document') && idIn(given) === null;
    if (isPage && (await names.resources.placeOf(Number(wanted)))?.uri === textIn(given)) continue;
    members.set(column, row.values.get(column));
  }
  const tvs = changedTvs(row, values['tvs']);
  if (tvs !== null) members.set('tvs', tvs);
  return { members, isBodyOther };
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

interface Change {
  readonly file: FolderFile;
  readonly row: FolderRow;
  readonly difference: Difference;
}

/** Other lines stay as they are. A file whose members are not one below the other is written as a whole. */
export function changedText(text: string, { file, row, difference: { members, isBodyOther } }: Change): string {
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
