/** Reads a folder that Gitify or people wrote into the records that the lines of an export give. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { largestUnsigned } from '../../values/unsigned.js';
import { type FolderClass, isKeptSetting } from './folder-classes.js';
import { type Partition, partitionFiles } from './folder-config.js';
import { type FolderEntry, type FolderReading, idIn, placeIn, textIn } from './folder-entry.js';
import { FileFault, type FolderFile, failRead, folded, parseFile, readText, reserved } from './folder-file.js';
import { FolderIndex } from './folder-index.js';
import { isKeyed, joinObjects } from './folder-joins.js';
import { FolderRecords } from './folder-records.js';
import { Spool } from './spool.js';
import type { TransferRecord } from './transfer-record.js';
import { digestFile, digestFolder } from './unchanged-folder.js';

/** In the order of `objects`. Every file is read before the first record is given, so that nothing is half done. */
export async function* readFolder(objects: readonly string[], reading: FolderReading): AsyncGenerator<TransferRecord> {
  let pass = await readFiles(reading);
  if (pass.changesNames) {
    await pass.close();
    reading.memory?.clear();
    pass = await readFiles(reading);
  }
  try {
    reading.problems.refuseAny();
    await pass.index.settle();
    const records = new FolderRecords(reading, pass.index);
    for (const object of joinObjects) {
      for await (const entry of pass.spools.get(object)?.take() ?? [])
        await records.joins.add(entry, await records.members(entry));
    }
    await records.joins.checkGroups();
    yield* records.implied();
    let count = 0;
    for (const object of objects) {
      for await (const entry of pass.spools.get(object)?.take() ?? []) {
        const record = await records.recordOf(entry);
        if (record === null) continue;
        count += 1;
        yield record;
      }
    }
    reading.problems.refuseAny();
    reading.found.read = { files: digestFolder(reading, pass.digests), records: count };
  } finally {
    await pass.close();
  }
}

export async function readFiles(reading: FolderReading): Promise<FirstPass> {
  const pass = new FirstPass(reading);
  reading.found.clear();
  for (const partition of reading.config.partitions) await pass.read(partition);
  if ([...(reading.memory?.keys() ?? [])].some((file) => !pass.seen.has(file))) pass.changesNames = true;
  return pass;
}

class FirstPass {
  readonly spools = new Map<string, Spool<FolderEntry>>();
  readonly index: FolderIndex;
  readonly #reading: FolderReading;
  #unnamed = 0;
  #done = 0;
  /** Others may refer to what a changed file was called. */
  changesNames = false;
  readonly #isFirst: boolean;
  readonly #files = new Map<string, string>();
  readonly seen = new Set<string>();
  readonly digests: string[] = [];

  constructor(reading: FolderReading) {
    this.#reading = reading;
    this.#isFirst = (reading.memory?.size ?? 0) === 0;
    for (const { entry } of reading.memory?.values() ?? []) this.#unnamed = Math.min(this.#unnamed, entry?.id ?? 0);
    this.index = new FolderIndex(reading.store);
  }

  async close(): Promise<void> {
    for (const spool of this.spools.values()) await spool.close();
  }

  /** Whether the file is as it was, and what it was is known. */
  async #isKnown(file: string): Promise<string | null> {
    const { memory, config } = this.#reading;
    if (memory === undefined) return '';
    this.seen.add(file);
    const { mtimeMs, size, ino } = await stat(join(config.root, file)).catch(failRead);
    const stamp = `${mtimeMs} ${size} ${ino}`;
    const known = memory.get(file);
    if (known?.stamp !== stamp || known.entry === null) return stamp;
    this.#register(known.entry);
    return null;
  }

  #remember(file: string, stamp: string, entry: FolderEntry | null): void {
    const { memory } = this.#reading;
    if (memory === undefined) return;
    const before = memory.get(file);
    const isSame = before?.stamp === stamp || (before?.entry && entry && namesOf(before.entry) === namesOf(entry));
    if (!this.#isFirst && !isSame) this.changesNames = true;
    memory.set(file, { stamp, entry });
  }

  async read(partition: Partition): Promise<void> {
    const { config, problems, onFile } = this.#reading;
    const folder = `${config.data}/${partition.name}`;
    const files = await partitionFiles(config, partition).catch((error: unknown) => {
      if (!(error instanceof FileFault)) throw error;
      problems.add({ line: 1, at: `${folder}/`, file: folder, column: 1, problem: error.message });
      return [];
    });
    if (partition.object === '') {
      for (const file of files) this.digests.push(digestFile(file));
      if (files.length > 0) this.#reading.found.ignore(partition.class, files.length);
      return;
    }
    const names = new Map<string, string>();
    for (const file of files) {
      const name = file.slice(folder.length + 1);
      try {
        if (name.split('/').some((part) => reserved.test(part))) {
          throw new FileFault('has a name that Windows keeps for a device: rename it, the record says its own');
        }
        const same = names.get(folded(name));
        if (same !== undefined) throw new FileFault(`and ${same} are one file on other systems: rename one`);
        names.set(folded(name), name);
        await this.#take(partition, file);
      } catch (error) {
        if (!(error instanceof FileFault)) throw error;
        problems.add({ ...placeIn({ file, places: { '': error.place } }), problem: error.message });
      }
      this.#done += 1;
      onFile?.(this.#done);
    }
  }

  async #take(partition: Partition, file: string): Promise<void> {
    const { object, body = '' } = partition;
    const stamp = await this.#isKnown(file);
    if (stamp === null) return;
    const text = readText(join(this.#reading.config.root, file));
    this.digests.push(digestFile(file, text));
    const { values, places } = valuesOf(parseFile(text, partition.excluded), partition);
    const isEmpty = Object.keys(values).every((name) => name === body && values[name] === '');
    if (isEmpty) throw new FileFault('is empty, or half written');
    const id = this.#idOf(object, values, places);
    const entry = { file, object, partition: partition.name, values, places, id };
    const { [body]: _text, ...light } = values;
    const known = { ...entry, values: object === 'tvs' ? values : light, places: {} };
    // Joins are members of other records, which always need all of them.
    this.#remember(file, stamp, joinObjects.has(object) ? null : known);
    if (!this.#register(entry)) return;
    const spool = this.spools.get(object) ?? new Spool<FolderEntry>();
    this.spools.set(object, spool);
    await spool.add(entry);
  }

  #idOf(object: string, values: FolderEntry['values'], places: FolderEntry['places']): number {
    this.#unnamed -= 1;
    const id = isKeyed(object) ? 0 : idIn(values['id']);
    const place = places['id'] ?? { line: 1, column: 1 };
    if (id === null || id > largestUnsigned)
      throw new FileFault(`id must be a whole number from 1 to ${largestUnsigned}`, place);
    if (id === 0) return this.#unnamed;
    const other = this.#files.get(`${object} ${id}`);
    if (other !== undefined) throw new FileFault(`${other} has the id ${id} too: leave it out of one of them`, place);
    const { highest } = this.index;
    highest.set(object, Math.max(highest.get(object) ?? 0, id));
    return id;
  }

  /** False for a record that is counted only. */
  #register(entry: FolderEntry): boolean {
    const { object, id, values, file } = entry;
    this.#files.set(`${object} ${id}`, file);
    if (object === 'settings' && !isKeptSetting(textIn(values['key']))) {
      this.#reading.found.ignore('modSystemSetting');
      return false;
    }
    this.index.register(entry);
    return true;
  }
}

/** What other files may refer to, or follows for them. */
function namesOf({ object, id, values }: FolderEntry): string {
  const texts = ['uri', 'alias', 'parent', 'context_key', 'isfolder', 'deleted', 'published', 'menuindex'];
  texts.push('name', 'templatename', 'category', 'key');
  // Without an alias the title is part of the address.
  if (textIn(values['alias']) === '') texts.push('pagetitle');
  const isWhole = object !== 'resources' && object !== 'chunks' && object !== 'snippets' && object !== 'templates';
  return JSON.stringify([Math.max(id, 0), isWhole ? values : texts.map((text) => values[text] ?? null)]);
}

/** The text below the line of dashes is the value of its column, which some files call content or snippet. */
export function valuesOf({ values, places, body, bodyLine }: FolderFile, { body: column }: FolderClass) {
  if (column === undefined) {
    if (body === null) return { values, places };
    throw new FileFault('has a text below -----, but its class has none', { line: bodyLine, column: 1 });
  }
  const alias = ['content', 'snippet'].find((name) => name !== column && Object.hasOwn(values, name));
  const { [alias ?? '']: other, ...others } = values;
  if (body !== null)
    return { values: { ...others, [column]: body }, places: { ...places, [column]: { line: bodyLine, column: 1 } } };
  return { values: { ...(other === undefined ? {} : { [column]: other }), ...others }, places };
}
