/** Exports a site to a file, imports a file into it, and compares both. */
import { nearMatch } from '../../config/near-match.js';
import type { Registry } from '../../content/objects/definition.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { bumpOfBulk } from '../../store/state/state.js';
import { batchesOf } from '../../values/batches.js';
import type { JsonObject } from '../../values/json.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import type { FolderSource } from './folder-entry.js';
import { lengthOf } from './import-batches.js';
import { type Difference, type ImportCounts, importRecords, type OnConflict } from './import-records.js';
import type { Filter, Kind, RowKey, Scope } from './kind.js';
import { transferKinds } from './kinds.js';
import { Names, type Readers, readersOf } from './names.js';
import { readNdjson, writeNdjson } from './ndjson.js';
import { readFolder } from './read-folder.js';
import { goneRecords, type Pruning, removeGone } from './remove-records.js';
import { Spool } from './spool.js';
import { type OutRecord, type Problem, Problems, type TransferRecord } from './transfer-record.js';
import { type FolderNote, NoteTaking, readNote } from './unchanged-folder.js';
import type { Warnings } from './warnings.js';
import { type FolderCounts, type FolderExport, writeFolder } from './write-folder.js';

const together = 200;

interface Site {
  readonly store: Store;
  /** Null without registered objects. */
  readonly registry: Registry | null;
}

interface ExportChoice {
  readonly objects: readonly string[] | undefined;
  readonly filter: Filter;
  /** ISO 8601. */
  readonly exported: string;
  readonly onRecords: (done: number) => void;
  readonly onLost: NonNullable<Scope['onLost']>;
}

/** Throws validation_failed for an object or context that does not exist. */
export async function exportSite(site: Site, { objects, ...choice }: ExportChoice): Promise<AsyncIterable<string>> {
  const chosen = await chooseKinds(site, { objects, filter: choice.filter });
  const { filter, onLost } = choice;
  return writeNdjson(exportRecords(site.store, { kinds: chosen, filter, onLost }), choice);
}

/** Throws what `exportSite` throws, and `refused` for a folder that cannot be read. */
export async function exportFolder(site: Site, request: FolderExport): Promise<FolderCounts> {
  await chooseKinds(site, request);
  return writeFolder(site.store, request);
}

async function chooseKinds(
  { store, registry }: Site,
  { objects, filter }: Pick<ExportChoice, 'objects' | 'filter'>,
): Promise<readonly Kind[]> {
  checkContent(store);
  const kinds = [...transferKinds(registry).values()].filter(({ isLocal }) => !isLocal);
  const known = kinds.map(({ object }) => object);
  for (const name of objects ?? []) {
    if (!known.includes(name)) throw invalidField('object', unknown(name, known));
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

interface Source {
  readonly source: FileSource | FolderSource;
  readonly by: string;
  /** Gets the values that break rules of their template variables. */
  readonly warnings?: Warnings;
}

interface ImportHow extends Source {
  readonly isDry: boolean;
  readonly isAtomic: boolean;
  readonly isTrusted: boolean;
  readonly onConflict: OnConflict;
  /** Removes what only the store has; folders only. */
  readonly prune?: Pruning;
}

/** Throws `refused` with the problems by line, and what stays. A folder is imported as a whole, or not at all. */
export async function importSite({ store, registry }: Site, how: ImportHow): Promise<ImportCounts> {
  const { isDry, isTrusted, onConflict, by, source, warnings } = how;
  checkContent(store);
  const isFolder = 'config' in source;
  const isAtomic = how.isAtomic || isFolder;
  // Everything in a folder is content.
  if (isAtomic && !isFolder && store.own !== store.content) {
    throw new AppError('refused', {
      message:
        'The content and the hcd_ tables are in two databases, which have no common transaction: import without --atomic',
    });
  }
  const kinds = transferKinds(registry);
  const onWarnings = (some: readonly Problem[]): void => warnings?.add(some);
  const request = { store, kinds, isDry, isTrusted, onConflict, by, onWarnings };
  const noting = isFolder ? new NoteTaking(store, source) : null;
  let isRepeated = false;
  const read = () => {
    if (isRepeated && isFolder) source.memory?.clear();
    isRepeated = true;
    warnings?.clear();
    return recordsOf(store, kinds, noting?.source ?? source);
  };
  try {
    const prune = isFolder ? how.prune : undefined;
    const unchanged = isFolder ? await readNote(store, source, { isPruned: prune !== undefined }) : null;
    if (unchanged !== null) return { created: 0, updated: 0, unchanged, skipped: 0 };
    if (!isAtomic || (isDry && prune === undefined)) return await importRecords({ ...request, ...read() });
    let removed = 0;
    let note: FolderNote | null = null;
    const write = store.content.write(async (tx) => {
      const within = { tx, database: 'content' } as const;
      await noting?.begin(tx);
      if (prune !== undefined && isFolder) source.memory?.clear();
      const seen = new Map<Kind, Set<RowKey>>();
      const onCompared = prune === undefined ? {} : { onCompared: noteSeen(seen) };
      const imported = await importRecords({ ...request, isDry: false, within, ...onCompared, ...read() });
      if (prune !== undefined && isFolder) {
        const scope = scopeOf(store, readersOf(store, within));
        removed = await removeGone(tx, scope, { kinds, seen, config: source.config, ...prune });
      }
      // What would be in use after the import, only the import says.
      if (isDry) throw new Undone(imported);
      const isNoted = imported.skipped === 0 && (warnings?.count ?? 0) === 0;
      const isChanged = imported.created + imported.updated + removed > 0;
      note = isNoted && noting !== null ? await noting.end(tx, { isChanged, isPruned: prune !== undefined }) : null;
      return imported;
    });
    const counts = await write.catch((error: unknown) => {
      if (error instanceof Undone) return error.counts;
      throw error;
    });
    if (isDry) return counts;
    const isChanged = counts.created + counts.updated + removed > 0;
    if (store.own !== store.content && isChanged) await store.own.write(bumpOfBulk);
    if (note !== null) await noting?.write(note);
    return counts;
  } catch (error) {
    throw isDry || !(error instanceof AppError) ? error : tellKept(error);
  }
}

class Undone extends Error {
  readonly counts: ImportCounts;

  constructor(counts: ImportCounts) {
    super('A dry run ends');
    this.counts = counts;
  }
}

function scopeOf({ prefix, tables }: Store, readers: Readers): Scope {
  return { readers, prefix, tables, names: new Names(readers, prefix) };
}

function noteSeen(seen: Map<Kind, Set<RowKey>>) {
  return async (compared: readonly { readonly kind: Kind; readonly key: RowKey }[]): Promise<void> => {
    for (const { kind, key } of compared) seen.set(kind, (seen.get(kind) ?? new Set()).add(key));
  };
}

/** A wrong file may have problems in lines that the import did not reach. */
function tellKept(error: AppError): AppError {
  const { code, details } = error;
  const { kept = { records: 0, beforeLine: 1 } } = details;
  const { records, beforeLine } = kept;
  const stays =
    records === 0
      ? 'nothing was imported'
      : `${records} ${records === 1 ? 'record' : 'records'} before line ${beforeLine} stay${records === 1 ? 's' : ''}`;
  const advice = code === 'refused' ? '; hcd import --dry-run checks the whole file' : '';
  const message = `${error.message}; ${stays}${advice}`;
  return new AppError(code, { message, details: { ...details, kept }, cause: error });
}

function recordsOf(store: Store, kinds: ReadonlyMap<string, Kind>, source: FileSource | FolderSource) {
  const problems = new Problems();
  const records: AsyncIterable<TransferRecord> =
    'config' in source
      ? readFolder([...kinds.keys()], { ...source, store, problems })
      : readNdjson(source.open(), { problems, onBytes: source.onBytes });
  return { problems, records };
}

export interface SiteDifference extends Omit<Difference, 'action'> {
  readonly action: Difference['action'] | 'remove';
}

/** What an import would change, and records that only the store has. Throws `refused` with the problems by line. */
export async function compareSite<T>(
  site: Site,
  source: Source,
  show: (differences: AsyncIterable<SiteDifference>, count: number) => Promise<T>,
): Promise<T> {
  checkContent(site.store);
  const differences = new Spool<SiteDifference>();
  try {
    await findDifferences(site, { source, differences });
    return await show(differences.take(), differences.size);
  } finally {
    await differences.close();
  }
}

async function findDifferences(
  { store, registry }: Site,
  {
    source: { source, by, warnings },
    differences,
  }: { readonly source: Source; readonly differences: Spool<SiteDifference> },
): Promise<void> {
  const kinds = transferKinds(registry);
  const seen = new Map<Kind, Set<RowKey>>();
  const contexts = new Set<string>();
  const { problems, records } = recordsOf(store, kinds, source);
  const watched = (async function* () {
    for await (const one of records) {
      const context = contextOf(one.record);
      if (context !== undefined) contexts.add(context);
      yield one;
    }
  })();
  await importRecords({
    ...{ store, kinds, problems, records: watched, by, isDry: true },
    onWarnings: (some) => warnings?.add(some),
    async onCompared(compared) {
      for (const { kind, key } of compared) seen.set(kind, (seen.get(kind) ?? new Set()).add(key));
      await differences.add(compared.flatMap(({ difference }) => (difference === null ? [] : [difference])));
    },
  });
  const readers = { content: store.content.primary, own: store.own.primary };
  const scope = scopeOf(store, readers);
  if ('config' in source) {
    for await (const gone of goneRecords(scope, { kinds, config: source.config, seen })) {
      await differences.add(gone.map(({ kind, record }) => removal(kind, record)));
    }
    return;
  }
  for (const [kind, keys] of seen) {
    if (kind.isLocal) continue;
    for await (const some of kind.list(scope, { contexts: [...contexts] })) {
      for (const gone of batchesOf(
        some.filter((key) => !keys.has(key)),
        together,
      )) {
        const records = [...(await kind.show(scope, gone, { isWhole: false })).values()];
        await differences.add(records.map((record) => removal(kind, record)));
      }
    }
  }
}

function removal(kind: Kind, record: JsonObject): SiteDifference {
  const fields = Object.entries(record).map(([name, from]) => [name, { from, to: null }]);
  return { object: kind.object, key: kind.nameOf(record), action: 'remove', fields: Object.fromEntries(fields) };
}

function contextOf({ key, context, context_key, resource }: JsonObject): string | undefined {
  const place =
    typeof resource === 'object' && resource !== null && 'context' in resource ? resource.context : undefined;
  return [context_key, context, place, key].find((one): one is string => typeof one === 'string' && one !== '');
}

function unknown(name: string, known: readonly string[]): string {
  const near = nearMatch(name, known);
  return `${JSON.stringify(name)} is not an object of exports; ${near === undefined ? `they are ${known.join(', ')}` : `did you mean ${near}?`}`;
}

function checkContent({ kind }: Store): void {
  if (kind === 'empty') throw new AppError('database_not_ready', { message: 'The database has no content tables' });
}

interface ExportRequest extends Pick<Scope, 'onLost'> {
  readonly kinds: readonly Kind[];
  readonly filter: Filter;
}

const most = { records: 200, characters: 1_000_000 };

/** All as of the moment of the first list, which is empty. */
export async function* exportRecords(
  store: Store,
  { kinds, filter, onLost = () => undefined }: ExportRequest,
): AsyncGenerator<readonly OutRecord[]> {
  const { prefix, tables } = store;
  const { readers, end } = await openSnapshots(store);
  try {
    const scope = { readers, prefix, tables, names: new Names(readers, prefix), onLost };
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
