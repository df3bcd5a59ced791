/** What values of files mean: ids or names, as a table holds them, and whether the store has the same. */
import type { Column } from '../../store/base/columns.js';
import type { RawValue } from '../../store/base/database.js';
import { isSameJson, parseJson } from '../../values/json.js';
import { idIn } from './folder-entry.js';
import type { FileValue } from './folder-file.js';
import type { FolderIndex } from './folder-index.js';
import type { NamedKind } from './names.js';

/** Columns with an id, for which files made by hand may have a name. */
export const named: Readonly<Record<string, NamedKind>> = {
  ...{ template: 'templates', source: 'media_sources', content_type: 'content_types' },
};

/** Columns of files that have an id of the store, or its name. */
export const referred: Readonly<
  Record<string, 'templates' | 'tvs' | 'media_sources' | 'content_types' | 'resource_groups'>
> = {
  ...{ template: 'templates', templateid: 'templates', tmplvarid: 'tvs', object: 'tvs' },
  ...{ source: 'media_sources', content_type: 'content_types', document_group: 'resource_groups' },
};

/** A name of digits is in quotes, or has digits that are the id of nothing. */
export async function isName(
  index: FolderIndex,
  { object, column, given }: { readonly object: string; readonly column: string; readonly given: string | number },
): Promise<boolean> {
  const id = idIn(given);
  if (id === null || id === 0) return id === null;
  const isQuoted = typeof given === 'string';
  if (column === 'category' && object !== 'categories') {
    const isId = (await index.pathOf(id)) !== undefined;
    return (await index.pathsNamed(String(given))).length > 0 ? isQuoted || !isId : isQuoted && !isId;
  }
  const kind = Object.hasOwn(named, column) ? named[column] : undefined;
  if (kind === undefined || !(await index.hasName(kind, String(given)))) return false;
  return isQuoted || (await index.nameOf(kind, id)) === undefined;
}

/** In a file without them they are those of the first import. */
export const dates: ReadonlySet<string> = new Set(['createdon', 'publishedon']);

/** Imports do not carry who it was. */
export const people = new Set(['createdby', 'editedby', 'publishedby', 'deletedby']);
const empty = new Set(['', '0', 'null', 'a:0:{}', '[]', '{}', '0000-00-00 00:00:00']);

export function sameText(given: FileValue, wanted: string): boolean {
  const text =
    given === true ? '1' : given === false ? '0' : typeof given === 'object' ? JSON.stringify(given) : String(given);
  if (text === wanted || (empty.has(text) && empty.has(wanted))) return true;
  const [one, other] = [parseJson(text), parseJson(wanted)];
  return typeof one === 'object' && one !== null && isSameJson(one, other);
}

export function rawOf(value: unknown): RawValue {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}

export function rawValue(value: FileValue, column: Column | undefined): RawValue {
  const isText = column === undefined || column.type === 'text' || column.type === 'json';
  if (value === null) return column?.nullable === false ? (isText ? '' : 0) : null;
  if (typeof value === 'boolean') return isText ? (value ? '1' : '0') : value ? 1 : 0;
  if (typeof value === 'object') return null;
  if (isText || column.type === 'datetime') return String(value);
  if (value === '') return 0;
  const number = typeof value === 'number' ? value : Number(value);
  if (!Number.isNaN(number)) return number;
  // Files of old versions hold times as texts.
  const seconds = Date.parse(`${String(value).replace(' ', 'T')}Z`) / 1000;
  return Number.isNaN(seconds) ? String(value) : seconds;
}
