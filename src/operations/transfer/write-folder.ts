/** Writes the content of a site into a folder as Gitify lays it out. Files that hold what the site has are not touched. */
import { mkdir, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store } from '../../store/open/open.js';
import { isSameJson } from '../../values/json.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import { isSecretSetting, joinEnds, keyed, referred } from './folder-classes.js';
import { type FolderConfig, listFiles, type Partition, refusal } from './folder-config.js';
import { changedText, differenceOf } from './folder-difference.js';
import { idIn, textIn } from './folder-entry.js';
import { type FileValue, type FolderFile, fileText, folded, parseFile, readText } from './folder-file.js';
import { FolderIndex } from './folder-index.js';
import { type FolderRow, folderRows } from './folder-rows.js';
import type { Filter, Scope } from './kind.js';
import { Names } from './names.js';
import { plainValue } from './table-rows.js';

export interface FolderExport {
  readonly config: FolderConfig;
  readonly objects: readonly string[] | undefined;
  readonly filter: Filter;
  readonly onRecords: (done: number) => void;
  /** Whether files without a record are to be removed. */
  readonly removes: (files: readonly string[]) => boolean | Promise<boolean>;
}

export interface FolderCounts {
  records: number;
  written: number;
  unchanged: number;
  removed: number;
  /** Files that no longer have a record, and stay. */
  orphaned: number;
}

/** Throws `refused` for a file of the folder that cannot be read, before anything is written. */
export async function writeFolder(store: Store, request: FolderExport): Promise<FolderCounts> {
  const { config, objects } = request;
  const { readers, end } = await openSnapshots(store);
  const names = new Names(readers, store.prefix);
  const scope = { readers, prefix: store.prefix, tables: store.tables, names };
  const run = new FolderWriting(scope, request, new FolderIndex(store));
  try {
    const chosen = config.partitions.filter((one) => {
      const object = one.kept?.object ?? (one.join === null ? undefined : joinEnds[one.join.join][0][1]);
      return object !== undefined && object !== 'settings' && objects?.includes(object) !== false;
    });
    for (const partition of chosen) await run.readFiles(partition);
    await run.settle();
    for (const partition of chosen) await run.write(partition);
  } finally {
    await end();
  }
  await run.removeOrphans();
  return run.counts;
}

interface Known {
  readonly file: string;
  isKept: boolean;
  /** Written by hand, without an id: it may never have been imported, and no export removes it. */
  isByHand: boolean;
}

class FolderWriting {
  readonly counts: FolderCounts = { records: 0, written: 0, unchanged: 0, removed: 0, orphaned: 0 };
  readonly #orphans: string[] = [];
  readonly #scope: Scope;
  readonly #request: FolderExport;
  /** By partition and what finds a record. */
  readonly #known = new Map<string, Map<string, Known>>();
  readonly #files = new Map<string, Known[]>();
  readonly #ranks = new Map<string, { readonly tv: string; readonly rank: number }[]>();
  readonly #index: FolderIndex;
  /** Pages made by hand without an address, by their number in the index. */
  readonly #unnamed = new Map<number, { readonly known: Known; readonly byKey: Map<string, Known> }>();
  /** As file systems compare that fold case. */
  readonly #taken = new Set<string>();

  constructor(scope: Scope, request: FolderExport, index: FolderIndex) {
    this.#index = index;
    this.#scope = scope;
    this.#request = request;
  }

  #read(file: string, { excluded }: Partition): { readonly text: string; readonly parsed: FolderFile } {
    try {
      const text = readText(join(this.#request.config.root, file));
      return { text, parsed: parseFile(text, excluded) };
    } catch (error) {
      throw refusal(file, error);
    }
  }

  async readFiles(partition: Partition): Promise<void> {
    const { config } = this.#request;
    const byKey = new Map<string, Known>();
    const files: Known[] = [];
    const names = await listFiles(config, partition).catch((error: unknown) => {
      throw refusal(`${config.data}/${partition.name}`, error);
    });
    for (const file of names) {
      const known: Known = { file, isKept: false, isByHand: false };
      files.push(known);
      this.#taken.add(folded(file));
      const { values } = this.#read(file, partition).parsed;
      known.isByHand = partition.kept !== null && !keyed.has(partition.kept.object) && values['id'] === undefined;
      if (partition.kept?.object === 'resources') {
        const id = idIn(values['id']) || -this.#taken.size;
        this.#index.register({ object: 'resources', id, values });
        if (id < 0 && textIn(values['uri']) === '') this.#unnamed.set(id, { known, byKey });
      }
      for (const key of await this.#keysOf(partition, values)) if (!byKey.has(key)) byKey.set(key, known);
      if (isSecretSetting(textIn(values['key'])) && partition.kept?.object === 'context_settings') known.isKept = true;
      if (partition.join?.join === 'tvs') {
        const [tv = '', template = ''] = (await this.#keysOf(partition, values))[0]?.split('.') ?? [];
        const ranks = this.#ranks.get(template) ?? [];
        this.#ranks.set(template, ranks);
        ranks.push({ tv, rank: idIn(values['rank']) ?? 0 });
      }
    }
    // As an import orders them.
    for (const ranks of this.#ranks.values())
      ranks.sort((one, other) => one.rank - other.rank || Number(one.tv) - Number(other.tv));
    this.#known.set(partition.name, byKey);
    this.#files.set(partition.name, files);
  }

  /** Pages get the address that an import gives them. */
  async settle(): Promise<void> {
    if (this.#unnamed.size > 0) await this.#index.settle();
    for (const [id, { known, byKey }] of this.#unnamed) {
      const { context = '', uri = '' } = this.#index.places.get(id) ?? {};
      if (!byKey.has(`${context}:${uri}`)) byKey.set(`${context}:${uri}`, known);
    }
  }

  /** The address or name first, then the id. */
  async #keysOf({ kept, join: joined }: Partition, values: Readonly<Record<string, FileValue>>): Promise<string[]> {
    const { names } = this.#scope;
    if (joined !== null) {
      const columns = joined.primary.filter((column) => column !== 'object_class');
      const words: string[] = [];
      for (const column of columns) {
        const given = values[column] ?? joined.columns.get(column) ?? 0;
        const [id, name, kind] = [idIn(given), textIn(given), referred[column]];
        const page = { context: 'web', uri: name, nth: 1 };
        const byName = (): Promise<unknown> =>
          kind === undefined ? names.resources.find(page) : names.find(kind, name);
        words.push(column === 'context_key' ? name : String(id ?? (await byName()) ?? 0));
      }
      return [words.join('.')];
    }
    const text = (column: string): string => textIn(values[column]);
    const id = idIn(values['id']);
    const byId = id === null || id === 0 ? [] : [`#${id}`];
    switch (kept?.object) {
      case 'resources':
        return text('uri') === '' ? byId : [`${text('context_key') || 'web'}:${text('uri')}`, ...byId];
      case 'categories':
        return byId.length > 0 ? byId : [text('category')];
      case 'contexts':
      case 'context_settings':
        return [`${text('context_key')}.${text('key')}`];
      default:
        return [textIn(values['templatename'] ?? values['name']), ...byId];
    }
  }

  async write(partition: Partition): Promise<void> {
    const { filter, onRecords, config } = this.#request;
    const known = this.#known.get(partition.name);
    const perParent = new Map<unknown, number>();
    for await (const row of folderRows(this.#scope, partition, { filter, hasCategoryIds: config.hasCategoryIds })) {
      const siblings = (perParent.get(row.raw['parent']) ?? 0) + 1;
      perParent.set(row.raw['parent'], siblings);
      if (siblings > (partition.limit ?? siblings)) continue;
      const values = Object.fromEntries(Object.entries(row.raw).map(([name, value]) => [name, plainValue(value)]));
      const keys = await this.#keysOf(partition, values);
      // Two categories may have one name: a file that names no id is found last.
      if (partition.kept?.object === 'categories') keys.push(textIn(values['category']));
      const found = keys.map((key) => known?.get(key)).find((one) => one?.isKept === false);
      // A record that only its id finds has another name or address now.
      const isRenamed = found !== undefined && found !== known?.get(keys[0] ?? '');
      await this.#place(partition, { row, known: found, isRenamed });
      this.counts.records += 1;
      onRecords(this.counts.records);
    }
    if (filter.contexts !== undefined || filter.since !== undefined) return;
    for (const { file, isKept, isByHand } of this.#files.get(partition.name) ?? []) {
      if (!isKept && !isByHand) this.#orphans.push(file);
    }
  }

  async removeOrphans(): Promise<void> {
    if (this.#orphans.length === 0) return;
    if (!(await this.#request.removes(this.#orphans))) this.counts.orphaned = this.#orphans.length;
    else for (const file of this.#orphans) await this.#remove(file);
  }

  async #place(
    partition: Partition,
    {
      row,
      known,
      isRenamed,
    }: { readonly row: FolderRow; readonly known: Known | undefined; readonly isRenamed: boolean },
  ): Promise<void> {
    const { root } = this.#request.config;
    const text = known === undefined ? fileText(row.values, row.body) : await this.#changed(partition, row, known);
    if (text === null) {
      this.counts.unchanged += 1;
      return;
    }
    const wanted = `${this.#request.config.data}/${partition.name}/${row.path}`;
    let file = known?.file ?? wanted;
    const isMoved = isRenamed && !this.#taken.has(folded(wanted));
    if (known === undefined || isMoved) {
      file = wanted;
      for (let nth = 2; this.#taken.has(folded(file)); nth += 1) {
        file = `${wanted.slice(0, wanted.length - partition.extension.length)}-${nth}${partition.extension}`;
      }
      this.#taken.add(folded(file));
    }
    const path = join(root, file);
    await mkdir(dirname(path), { recursive: true });
    // A reader never sees half a file.
    const waiting = join(dirname(path), `.hcd-${process.pid}.tmp`);
    await writeFile(waiting, text);
    await rename(waiting, path);
    this.counts.written += 1;
    if (isMoved && known !== undefined) await this.#remove(known.file);
  }

  async #remove(file: string): Promise<void> {
    const { root, data } = this.#request.config;
    await rm(join(root, file), { force: true });
    this.counts.removed += 1;
    for (let folder = dirname(file); folder !== data && folder.startsWith(data); folder = dirname(folder)) {
      if ((await rmdir(join(root, folder)).catch(() => false)) === false) return;
    }
  }

  /** The text of a file that says something else than the row; null without a difference. */
  async #changed(partition: Partition, row: FolderRow, known: Known): Promise<string | null> {
    known.isKept = true;
    const { text, parsed: file } = this.#read(known.file, partition);
    const { names } = this.#scope;
    const difference = await differenceOf({ partition, row, file, names, isInOrder: this.#isInOrder(row) });
    if (difference.members.size === 0 && !difference.isBodyOther) return null;
    return changedText(text, { file, row, difference });
  }

  /** Ranks count by their order only. */
  #isInOrder({ raw, order }: FolderRow): boolean {
    const ranks = (this.#ranks.get(String(raw['templateid'])) ?? []).map(({ tv }) => tv);
    return isSameJson(
      ranks.filter((tv) => order.includes(tv)),
      order,
    );
  }
}
