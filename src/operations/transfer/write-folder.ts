/** Writes the content of a site into a folder as Gitify lays it out. Files that hold what the site has are not touched. */
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonValue } from '../../content/objects/values.js';
import type { Store } from '../../store/open/open.js';
import { isSameJson, type JsonObject } from '../../values/json.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import { isSecretSetting } from './folder-classes.js';
import type { FolderConfig, Partition } from './folder-config.js';
import { type FolderEntry, FolderFound, textIn } from './folder-entry.js';
import { fileText, folded, parseFile, readText } from './folder-file.js';
import { folderKinds, isKeyed, joins } from './folder-joins.js';
import { FolderRecords } from './folder-records.js';
import { changedText, type FolderRow, folderRows } from './folder-rows.js';
import type { Kind, RowKey, Scope } from './kind.js';
import { Names } from './names.js';
import { readFiles, valuesOf } from './read-folder.js';
import { tableKind } from './table-kind.js';
import { type Filter, LineProblems } from './transfer-record.js';

export interface FolderChoice {
  readonly objects: readonly string[] | undefined;
  readonly filter: Filter;
}

export interface FolderExport extends FolderChoice {
  readonly config: FolderConfig;
  readonly onRecords: (done: number) => void;
  readonly removes: (files: readonly string[]) => boolean | Promise<boolean>;
}

/** Orphaned files no longer have a record, and stay. */
const none = { records: 0, written: 0, unchanged: 0, removed: 0, orphaned: 0 };
export type FolderCounts = typeof none;

/** Throws `refused` for a file of the folder that cannot be read, before anything is written. */
export async function writeFolder(store: Store, request: FolderExport): Promise<FolderCounts> {
  const { config, objects } = request;
  const partitions = config.partitions.filter(({ object }) => {
    const name = joins[object]?.of ?? object;
    return name !== '' && name !== 'settings' && objects?.includes(name) !== false;
  });
  const reading = { store, config: { ...config, partitions }, problems: new LineProblems(), found: new FolderFound() };
  const { readers, end } = await openSnapshots(store);
  const found = await readFiles(reading);
  try {
    reading.problems.refuseAny();
    await found.index.settle();
    // An export replaces a value that an import would refuse.
    const records = new FolderRecords({ ...reading, problems: new LineProblems() }, found.index);
    const scope = { readers, prefix: store.prefix, tables: store.tables, names: new Names(readers, store.prefix) };
    const run = new FolderWriting(scope, request, records);
    for (const files of found.spools.values()) for await (const entry of files.take()) await run.know(entry);
    for (const partition of partitions) await run.write(partition);
    await run.removeOrphans();
    return run.counts;
  } finally {
    await found.close();
    await end();
  }
}

interface Known extends Pick<FolderEntry, 'file' | 'id' | 'object'> {
  readonly name: string;
  isKept: boolean;
}

class FolderWriting {
  readonly counts = { ...none };
  /** `object id name` of the records that got a file. */
  readonly #written = new Set<string>();
  readonly #orphans: Known[] = [];
  readonly #scope: Scope;
  readonly #request: FolderExport;
  readonly #records: FolderRecords;
  readonly #kinds = new Map(Object.entries(folderKinds).map(([object, kind]) => [object, tableKind(object, kind)]));
  /** By partition: the files, by the name of their record and by its id. */
  readonly #known = new Map<string, { readonly files: Known[]; readonly byKey: Map<string, Known> }>();
  readonly #taken = new Set<string>();

  constructor(scope: Scope, request: FolderExport, records: FolderRecords) {
    this.#scope = scope;
    this.#request = request;
    this.#records = records;
  }

  async know(entry: FolderEntry): Promise<void> {
    const { file, id, object, partition, values } = entry;
    const record = await this.#records.members(entry);
    const of = this.#known.get(partition) ?? { files: [], byKey: new Map<string, Known>() };
    this.#known.set(partition, of);
    const isKept = object === 'context_settings' && isSecretSetting(textIn(values['key']));
    const name = this.#kinds.get(object)?.nameOf(record) ?? '';
    const known: Known = { file, id, object, name, isKept };
    of.files.push(known);
    this.#taken.add(folded(file));
    const keys = [name, ...(id > 0 ? [`#${id}`] : [])];
    for (const key of keys) if (!of.byKey.has(key)) of.byKey.set(key, known);
    await this.#records.joins.add(entry, record);
  }

  async write(partition: Partition): Promise<void> {
    const { filter, onRecords, config } = this.#request;
    const { object } = partition;
    const kind = this.#kinds.get(object);
    const { files = [], byKey = new Map<string, Known>() } = this.#known.get(partition.name) ?? {};
    const perParent = new Map<unknown, number>();
    for await (const rows of folderRows(this.#scope, partition, { filter, hasCategoryIds: config.hasCategoryIds })) {
      const keys = files.length === 0 ? [] : rows.map(({ key }) => key);
      const records = await kind?.show(this.#scope, keys, { isWhole: false });
      for (const row of rows) {
        const siblings = (perParent.get(row.raw['parent']) ?? 0) + 1;
        perParent.set(row.raw['parent'], siblings);
        if (siblings > (partition.limit ?? siblings)) continue;
        const stored = records?.get(row.key) ?? {};
        const name = kind?.nameOf(stored) ?? '';
        const [named, same] = [byKey.get(name), byKey.get(`#${row.key}`)];
        const isByName = same?.name !== name && !(await this.#isOfAnother(kind, { named, byKey, key: row.key }));
        const found = isByName ? [named, same] : [same, same?.name === name ? named : undefined];
        const known = found.find((one) => one?.isKept === false);
        await this.#place(partition, { row, stored, known, name });
        this.counts.records += 1;
        onRecords(this.counts.records);
      }
    }
    if (filter.contexts !== undefined || filter.since !== undefined) return;
    // A file that is written by hand, without an id, may never have been imported.
    this.#orphans.push(...files.filter(({ isKept, id }) => !isKept && (id > 0 || isKeyed(object))));
  }

  /** Whether the file has the id of another record of this site, which has a new name. */
  async #isOfAnother(
    kind: Kind | undefined,
    { named, byKey, key }: { named: Known | undefined; byKey: ReadonlyMap<string, Known>; key: RowKey },
  ): Promise<boolean> {
    if (kind === undefined || named === undefined || named.id <= 0 || named.id === key) return false;
    const owner = (await kind.show(this.#scope, [named.id], { isWhole: false })).get(named.id);
    return owner !== undefined && !byKey.has(kind.nameOf(owner));
  }

  async removeOrphans(): Promise<void> {
    // The record may have a file in another partition now.
    const isMoved = ({ object, id, name }: Known): boolean => this.#written.has(`${object} ${id} ${name}`);
    for (const { file } of this.#orphans.filter(isMoved)) await this.#remove(file);
    const gone = this.#orphans.filter((one) => !isMoved(one)).map(({ file }) => file);
    if (gone.length === 0) return;
    if (!(await this.#request.removes(gone))) this.counts.orphaned = gone.length;
    else for (const file of gone) await this.#remove(file);
  }

  async #place(partition: Partition, shown: Shown): Promise<void> {
    const { root, data } = this.#request.config;
    const { row, known, name } = shown;
    const text = await this.#textFor(partition, shown);
    if (text === null) {
      this.counts.unchanged += 1;
      return;
    }
    const wanted = `${data}/${partition.name}/${row.path}`;
    let file = known?.file ?? wanted;
    // A record that is found only by its id has another name or address now.
    const isMoved = known !== undefined && known.name !== name && !this.#taken.has(folded(wanted));
    if (known === undefined || isMoved) {
      file = wanted;
      for (let nth = 2; this.#taken.has(folded(file)); nth += 1) {
        file = `${wanted.slice(0, wanted.length - partition.extension.length)}-${nth}${partition.extension}`;
      }
      this.#taken.add(folded(file));
    }
    if (known === undefined && row.values.has('id')) this.#written.add(`${partition.object} ${row.key} ${name}`);
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    // A reader never sees half a file.
    const waiting = join(dirname(path), `.hcd-${process.pid}.tmp`);
    await writeFile(waiting, text);
    await rename(waiting, path);
    this.counts.written += 1;
    if (isMoved) await this.#remove(known.file);
  }

  async #remove(file: string): Promise<void> {
    const { root, data } = this.#request.config;
    await rm(join(root, file), { force: true });
    this.counts.removed += 1;
    for (let folder = dirname(file); folder !== data && folder.startsWith(data); folder = dirname(folder)) {
      if ((await rmdir(join(root, folder)).catch(() => false)) === false) return;
    }
  }

  /** Null where the file says what the site has. */
  async #textFor(partition: Partition, { row, stored, known }: Shown): Promise<string | null> {
    const whole = fileText(row.values, row.body);
    if (known === undefined) return whole;
    known.isKept = true;
    const { object } = partition;
    const text = readText(join(this.#request.config.root, known.file));
    if (text === whole) return null;
    const file = parseFile(text, partition.excluded);
    const entry = { ...known, ...valuesOf(file, partition), object, partition: partition.name };
    const given = await this.#records.members(entry);
    const isInOrder = (): Promise<boolean> => this.#isInOrder(given['templateid']);
    return changedText(text, { partition, row, entry, given, stored, file, isInOrder });
  }

  /** Ranks count by their order only. */
  async #isInOrder(templatename: JsonValue | undefined): Promise<boolean> {
    const kind = this.#kinds.get('templates');
    const key = await kind?.find(this.#scope, { templatename });
    const shown = key === undefined ? undefined : await kind?.show(this.#scope, [key], { isWhole: true });
    const order = shown?.get(key ?? 0)?.['tvs'];
    const files = await this.#records.joins.of('template_tvs', templatename);
    const known = Array.isArray(files) && Array.isArray(order) ? files.filter((tv) => order.includes(tv)) : null;
    return isSameJson(known, order);
  }
}

interface Shown {
  readonly row: FolderRow;
  readonly name: string;
  readonly known: Known | undefined;
  readonly stored: JsonObject;
}
