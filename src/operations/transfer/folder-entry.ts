/** What a file of a folder holds, and what reading a folder needs. */
import type { Store } from '../../store/open/open.js';
import type { FolderConfig } from './folder-config.js';
import type { FileValue, TextPlace } from './folder-file.js';
import type { Loss } from './kind.js';
import type { Names } from './names.js';
import type { Problems } from './transfer-record.js';

export interface FolderEntry {
  /** Relative to the folder of `.gitify`. */
  readonly file: string;
  readonly object: string;
  readonly partition: string;
  readonly values: Readonly<Record<string, FileValue>>;
  readonly places: Readonly<Record<string, TextPlace>>;
  /** Its own, else a negative one for references within the folder. */
  readonly id: number;
  readonly wanted: number | null;
}

/** Files of classes that a site does not keep, and members of extras, by name. */
export type Ignored = Record<string, number>;

/** What is known of the files between two readings: only changed ones are read and given again. */
export type FolderMemory = Map<string, { readonly stamp: string; readonly entry: FolderEntry | null }>;

export interface FolderReading {
  readonly memory?: FolderMemory;
  readonly store: Store;
  readonly config: FolderConfig;
  readonly problems: Problems;
  readonly ignored: Ignored;
  /** Resources may be in groups without access rules, which everyone can read. */
  readonly hasOpenGroups?: boolean;
  readonly onFile?: (done: number) => void;
  readonly onLost?: (loss: Loss) => void;
  /** Of the program. With it the import is noted, and not repeated while nothing changes (unchanged-folder.ts). */
  readonly version?: string;
  /** Called after the last record. */
  readonly onRead?: (read: FolderRead) => void;
}

export interface FolderRead {
  /** Digest of the files. */
  readonly files: string;
  /** Records of files. */
  readonly records: number;
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

/** The paths of categories with a name. */
export async function pathsNamed(names: Names, name: string): Promise<readonly (readonly string[])[]> {
  return [...(await names.categories()).paths.values()].filter((path) => path.at(-1) === name);
}
