/** A note on the last import of a folder: the same files in front of the same rows need no second comparison. */
import { join } from 'node:path';
import { sha256Hex } from '../../crypto/primitives.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { lockContentGeneration, readState, writeState } from '../../store/state/state.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { readBatches } from '../copy-tables/rows.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import { keptObjects } from './folder-classes.js';
import { partitionFiles } from './folder-config.js';
import type { FolderFound, FolderReading, FolderSource } from './folder-entry.js';
import { FileFault, readText } from './folder-file.js';
import { recordKinds } from './kinds.js';
import { Losses } from './warnings.js';

const noteKey = 'folder_import';
/** A text column of MariaDB holds 65,535 bytes. */
const longestNote = 15_000;

export interface FolderNote extends NonNullable<FolderFound['read']>, Pick<FolderFound, 'ignored' | 'losses'> {
  readonly rows: string;
  /** The site has nothing that the folder lacks. */
  readonly isPruned: boolean;
}

/** What the last import of a folder left, and what one in `tx` leaves. */
export class NoteTaking {
  readonly #source: FolderSource;
  readonly #store: Store;
  #before: string | null = null;

  constructor(store: Store, source: FolderSource) {
    this.#store = store;
    this.#source = source;
  }

  /** Null when the import has to look; else the number of records, with what a reading counts. */
  async readUnchanged({ isPruned }: Pick<FolderNote, 'isPruned'>): Promise<number | null> {
    const { own, prefix } = this.#store;
    const text = await readState(own.primary, noteKey);
    if (text === null) return null;
    const note = JSON.parse(text) as FolderNote;
    if (isPruned && !note.isPruned) return null;
    if (note.files !== (await digestFiles(this.#source))) return null;
    const { readers, end } = await openSnapshots(this.#store);
    try {
      if (note.rows !== (await digestRows(readers.content, prefix))) return null;
    } finally {
      await end();
    }
    this.#source.found.ignored = note.ignored;
    this.#source.found.losses = new Losses(note.losses);
    return note.records;
  }

  async begin(tx: Tx): Promise<void> {
    if (this.#isAlone) await lockContentGeneration(tx);
    else this.#before = await digestRows(tx, this.#store.prefix);
  }

  /** Whether the CMS cannot change a row between its comparison and the end: SQLite has one writer at a time. */
  get #isAlone(): boolean {
    const { kind, own, content } = this.#store;
    return content.dialect === 'sqlite' || (kind === 'own' && own === content);
  }

  /** In the same transaction. Null for an import that must be repeated to be sure. */
  async end(
    tx: Tx,
    { isChanged, isPruned }: Pick<FolderNote, 'isPruned'> & { readonly isChanged: boolean },
  ): Promise<FolderNote | null> {
    const rows = this.#isAlone ? await digestRows(tx, this.#store.prefix) : isChanged ? null : this.#before;
    const { read, ignored, losses } = this.#source.found;
    return rows === null || read === null ? null : { ...read, rows, isPruned, ignored, losses };
  }

  /** After the commit. What is not noted is compared again. */
  async write(note: FolderNote): Promise<void> {
    const text = JSON.stringify(note);
    if (text.length > longestNote) return;
    await this.#store.own.write((tx) => writeState(tx, noteKey, text)).catch(() => undefined);
  }
}

/** Without a text for a file that is counted only. */
export function digestFile(file: string, text = ''): string {
  return sha256Hex(`${file}\n${text}`);
}

export function digestFolder(
  { config, version, hasOpenGroups }: Pick<FolderReading, 'config' | 'version' | 'hasOpenGroups'>,
  files: readonly string[],
): string {
  return sha256Hex(JSON.stringify([version, config.text, hasOpenGroups === true, files]));
}

/** As the reading of the folder makes it, without parsing. Null where that would have a problem. */
async function digestFiles(source: FolderSource): Promise<string | null> {
  const { root, partitions } = source.config;
  const files: string[] = [];
  try {
    for (const partition of partitions) {
      for (const file of await partitionFiles(source.config, partition))
        files.push(digestFile(file, partition.object === '' ? undefined : readText(join(root, file))));
    }
  } catch (error) {
    if (error instanceof FileFault) return null;
    throw error;
  }
  return digestFolder(source, files);
}

/** Of every row that decides what an import does. Null for a site that lacks one of the tables. */
async function digestRows(reader: Reader, prefix: string): Promise<string | null> {
  const shapes = await readShapes(reader, prefix);
  const asText = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
  let digest = '';
  for (const name of tables) {
    const table = shapes.get(prefix + name);
    if (table === undefined) return null;
    const columns = [...table.columns.keys()];
    digest = sha256Hex(`${digest} ${name} ${columns.join(' ')}`);
    for await (const { rows } of readBatches(reader, { table, columns }))
      digest = sha256Hex(`${digest} ${JSON.stringify(rows, asText)}`);
  }
  return digest;
}

const tables = new Set([
  ...keptObjects.flatMap((object) => {
    const kind = recordKinds[object];
    return kind === undefined ? [] : [kind.table, ...Object.values(kind.parts ?? {}).map(({ table }) => table)];
  }),
  'access_resource_groups',
]);
