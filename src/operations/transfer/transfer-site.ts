/** Exports a site to a file, and imports a file into it. */
import { nearMatch } from '../../config/near-match.js';
import type { Registry } from '../../content/objects/definition.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { bumpOfBulk } from '../../store/state/state.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import type { FolderSource } from './folder-entry.js';
import { lengthOf, mostTogether as most } from './import-batches.js';
import { type Compared, type ImportCounts, type ImportRequest, importRecords } from './import-records.js';
import { type Kind, neverExported, type RowKey, type Scope } from './kind.js';
import { transferKinds } from './kinds.js';
import { Names } from './names.js';
import { type NdjsonWriting, readNdjson, writeNdjson } from './ndjson.js';
import { readFolder } from './read-folder.js';
import { keepAddresses, type Moved, type Pruning, removeGone } from './remove-records.js';
import {
  type Filter,
  LineProblems,
  type OutRecord,
  type Readers,
  readersOf,
  type TransferRecord,
} from './transfer-record.js';
import { NoteTaking } from './unchanged-folder.js';
import type { Warnings } from './warnings.js';
import { type FolderChoice, type FolderCounts, type FolderExport, writeFolder } from './write-folder.js';

export interface Site {
  readonly store: Store;
  readonly registry: Registry | null;
  /** Folder of the files of an own store. */
  readonly files?: string | undefined;
}

/** Throws validation_failed for an object or context that does not exist. */
export async function exportSite(site: Site, choice: FolderChoice & NdjsonWriting): Promise<AsyncIterable<string>> {
  const kinds = await chooseKinds(site, choice);
  return writeNdjson(exportRecords(site.store, { kinds, ...choice }), choice);
}

/** Throws what `exportSite` throws, and `refused` for a folder that cannot be read. */
export async function exportFolder(site: Site, request: FolderExport): Promise<FolderCounts> {
  await chooseKinds(site, request);
  return writeFolder(site.store, request);
}

async function chooseKinds({ store, registry }: Site, { objects, filter }: FolderChoice): Promise<readonly Kind[]> {
  checkContent(store);
  const kinds = [...transferKinds(registry).values()].filter(({ object }) => !neverExported.has(object));
  const known = kinds.map(({ object }) => object);
  for (const name of objects ?? []) {
    if (known.includes(name)) continue;
    const near = nearMatch(name, known);
    const hint = near === undefined ? `they are ${known.join(', ')}` : `did you mean ${near}?`;
    throw invalidField('object', `${JSON.stringify(name)} is not an object of exports; ${hint}`);
  }
  const { contexts = [] } = filter;
  const names = new Names({ content: store.content.primary, own: store.own.primary }, store.prefix);
  for (const context of contexts) {
    if ((await names.find('contexts', context)) === undefined) {
      throw invalidField('context', `there is no context ${context}`);
    }
  }
  return kinds.filter(({ object }) => objects?.includes(object) ?? true);
}

export interface FileSource {
  readonly open: () => AsyncIterable<Buffer>;
  readonly onBytes: (count: number) => void;
}

export interface Source {
  readonly source: FileSource | FolderSource;
  readonly by: string;
  readonly warnings?: Warnings;
}

interface ImportHow extends Source, Pick<ImportRequest, 'isDry' | 'isTrusted' | 'isStrict' | 'onConflict'> {
  readonly isAtomic: boolean;
  /** Removes what only the store has; folders only. */
  readonly prune?: Pruning | undefined;
}

/** Throws `refused` with the problems by line, and what stays. A folder is imported as a whole, or not at all. */
export async function importSite({ store, registry, files }: Site, how: ImportHow): Promise<ImportCounts> {
  const { source, isAtomic, prune, ...choice } = how;
  const { isDry = false, warnings } = choice;
  checkContent(store);
  const folder = 'config' in source ? source : null;
  // Everything in a folder is content.
  if (isAtomic && folder === null && store.own !== store.content) {
    throw new AppError('refused', {
      message:
        'The content and the hcd_ tables are in two databases, which have no common transaction: import without --atomic',
    });
  }
  const kinds = transferKinds(registry);
  const request = { ...choice, store, kinds, files };
  const isPruned = folder !== null && prune !== undefined;
  const noting = folder?.version === undefined ? null : new NoteTaking(store, folder);
  let isRepeated = isPruned;
  const read = () => {
    // Nothing of a repeated transaction is there, and what goes is known only when every file is read.
    if (isRepeated) folder?.memory?.clear();
    isRepeated = true;
    warnings?.clear();
    return recordsOf(store, kinds, source);
  };
  try {
    const unchanged = noting && (await noting.readUnchanged({ isPruned }));
    if (unchanged !== null) return { created: 0, updated: 0, unchanged, skipped: 0 };
    if (!isPruned && (isDry || !(isAtomic || folder))) return await importRecords({ ...request, ...read() });
    const done = await store.content.write(async (tx) => {
      const within = { tx, database: 'content' } as const;
      await noting?.begin(tx);
      const seen = new Seen();
      const onCompared = isPruned ? async (compared: readonly Compared[]) => seen.add(compared) : undefined;
      const counts = await importRecords({ ...request, ...read(), isDry: false, within, onCompared });
      const scope = scopeOf(store, readersOf(store, within));
      const { keys, moved } = seen;
      const removed = isPruned
        ? await removeGone(tx, scope, { kinds, seen: keys, config: folder.config, ...prune })
        : { count: 0, resources: new Map() };
      if (store.own === store.content) await keepAddresses(tx, removed.resources, moved);
      // What would be in use after the import, only the import says.
      if (isDry) throw new Undone(counts);
      const isChanged = counts.created + counts.updated + removed.count > 0;
      const isNoted = counts.skipped === 0 && (warnings?.count ?? 0) === 0;
      const note = isNoted ? await noting?.end(tx, { isChanged, isPruned }) : null;
      return { counts, resources: removed.resources, moved, isChanged, note };
    });
    const { counts, resources, moved, isChanged, note } = done;
    if (store.own !== store.content && isChanged) {
      await store.own.write(async (tx) => {
        await keepAddresses(tx, resources, moved);
        await bumpOfBulk(tx);
      });
    }
    if (note) await noting?.write(note);
    return counts;
  } catch (error) {
    if (error instanceof Undone) return error.counts;
    throw isDry || !(error instanceof AppError) ? error : tellKept(error, folder ? '' : checking);
  }
}

class Undone extends Error {
  readonly counts: ImportCounts;

  constructor(counts: ImportCounts) {
    super('A dry run ends');
    this.counts = counts;
  }
}

export function scopeOf({ prefix, tables }: Store, readers: Readers): Scope {
  return { readers, prefix, tables, names: new Names(readers, prefix) };
}

export class Seen {
  readonly keys = new Map<Kind, Set<RowKey>>();
  /** New resources, by the id in their file, which another one has. */
  readonly moved: Moved = new Map();

  add(compared: readonly Compared[]): void {
    for (const { entry, key, difference } of compared) {
      this.keys.set(entry.kind, (this.keys.get(entry.kind) ?? new Set()).add(key));
      const { object, id, record } = entry;
      const isMoved = object === 'resources' && difference?.action === 'create' && id?.wanted !== key;
      if (isMoved && id?.wanted)
        this.moved.set(id.wanted, { id: Number(key), createdon: String(record['createdon'] ?? '') });
    }
  }
}

const checking = '; hcd import --dry-run checks the whole file';

/** A wrong file may have problems in lines that the import did not reach. */
function tellKept(error: AppError, advised: string): AppError {
  const { code, details } = error;
  const { kept = { records: 0, beforeLine: 1 } } = details;
  const { records, beforeLine } = kept;
  const stays =
    records === 0
      ? 'nothing was imported'
      : `${records} ${records === 1 ? 'record' : 'records'} before line ${beforeLine} stay${records === 1 ? 's' : ''}`;
  const advice = code === 'refused' ? advised : '';
  const message = `${error.message}; ${stays}${advice}`;
  return new AppError(code, { message, details: { ...details, kept }, cause: error });
}

export function recordsOf(store: Store, kinds: ReadonlyMap<string, Kind>, source: FileSource | FolderSource) {
  const problems = new LineProblems();
  const records: AsyncIterable<TransferRecord> =
    'config' in source
      ? readFolder([...kinds.keys()], { ...source, store, problems })
      : readNdjson(source.open(), { problems, onBytes: source.onBytes });
  return { problems, records };
}

export function checkContent({ kind }: Store): void {
  if (kind === 'empty') throw new AppError('database_not_ready', { message: 'The database has no content tables' });
}

interface ExportRequest extends Pick<Scope, 'onLost'> {
  readonly kinds: readonly Kind[];
  readonly filter: Filter;
}

/** All as of the moment of the first list, which is empty. */
export async function* exportRecords(
  store: Store,
  { kinds, filter, onLost = () => undefined }: ExportRequest,
): AsyncGenerator<readonly OutRecord[]> {
  const { readers, end } = await openSnapshots(store);
  try {
    const scope = { ...scopeOf(store, readers), onLost };
    yield [];
    for (const kind of kinds) {
      let size = most.records;
      for await (const listed of kind.list(scope, filter)) {
        for (let at = 0; at < listed.length; ) {
          const keys = listed.slice(at, at + size);
          at += keys.length;
          const records = await kind.show(scope, keys, { isWhole: false });
          yield keys.flatMap((key) => {
            const record = records.get(key);
            return record === undefined ? [] : { object: kind.object, key, record };
          });
          // Large texts are read a few at a time.
          const length = [...records.values()].reduce((sum, record) => sum + lengthOf(record), 0);
          const fitting = Math.floor((keys.length * most.characters) / Math.max(length, 1));
          size = Math.max(1, Math.min(most.records, fitting, size * 2));
        }
      }
    }
  } finally {
    await end();
  }
}
