/** What a file of a folder holds, what its values mean, and what reading a folder needs. */
import type { Column } from '../../store/base/columns.js';
import type { RawValue } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import type { FolderConfig } from './folder-config.js';
import type { FileValue } from './folder-file.js';
import { type LineProblems, placeOf, type TextPlace } from './transfer-record.js';
import { Losses } from './warnings.js';

export interface FolderEntry {
  /** Relative to the folder of `.gitify`. */
  readonly file: string;
  readonly object: string;
  readonly partition: string;
  readonly values: Readonly<Record<string, FileValue>>;
  readonly places: Readonly<Record<string, TextPlace>>;
  /** Its own, else a negative one for references within the folder. */
  readonly id: number;
}

/** Of the files between two readings: only changed ones are read and given again. */
export type FolderMemory = Map<string, { readonly stamp: string; readonly entry: FolderEntry | null }>;

export interface FolderReading {
  readonly memory?: FolderMemory | undefined;
  readonly store: Store;
  readonly config: FolderConfig;
  readonly problems: LineProblems;
  readonly found: FolderFound;
  /** Resources may be in groups without access rules, which everyone can read. */
  readonly hasOpenGroups?: boolean;
  readonly onFile?: (done: number) => void;
  /** Of the program. With it the import is noted, and not repeated while nothing changes (unchanged-folder.ts). */
  readonly version?: string | undefined;
}

/** What a reading finds beside records; a repeated one begins again. */
export class FolderFound {
  /** Files of classes that a site does not keep, and members of extras, by name. */
  ignored: Record<string, number> = {};
  losses = new Losses();
  /** After the last record: the digest of the files, and the number of records. */
  read: { readonly files: string; readonly records: number } | null = null;

  ignore(what: string, files = 1): void {
    this.ignored[what] = (this.ignored[what] ?? 0) + files;
  }

  clear(): void {
    Object.assign(this, new FolderFound());
  }
}

export function placeIn({ file, places }: Pick<FolderEntry, 'file' | 'places'>, column = '') {
  return placeOf({ line: 1, at: '', file, places }, column);
}

export type FolderSource = Omit<FolderReading, 'store' | 'problems'>;

export function textIn(value: FileValue | undefined): string {
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}

/** Null for a name; 0 for nothing. */
export function idIn(value: FileValue | undefined): number | null {
  if (value === undefined || value === null || value === '' || value === false) return 0;
  const number = typeof value === 'string' && /^ *\d{1,10} *$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

/** In a file without them they are those of the first import. */
export const dates: ReadonlySet<string> = new Set(['createdon', 'publishedon']);

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
