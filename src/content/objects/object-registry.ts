/**
 * The definitions of extra objects, from files and plugins, joined with the tables of the open store: at start, and to
 * check a single file. Only here are the files read.
 */

import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { readTables } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import { type PlacedProblem, readJsonTree } from '../../values/json-tree.js';
import { assembleObjects } from './assemble-objects.js';
import { checkWords } from './check-words.js';
import { buildRegistry, coreObjects } from './core-objects.js';
import type { ObjectDefinition, Registry } from './definition.js';
import type { RealTables } from './object-columns.js';
import { type Checked, definitionError, type ObjectWords, problemOf, readObjectWords } from './object-words.js';
import { loadPlugins } from './plugin-api.js';

export interface ObjectSources {
  /** Folder of definition files; one that does not exist holds none. */
  readonly folder: string;
  /** Paths of plugin modules. */
  readonly plugins: readonly string[];
}

/** The registry of a site, frozen; configuration_invalid names every offending line. */
export async function openRegistry(store: Store, sources: ObjectSources): Promise<Registry> {
  return loadRegistry(sources, await allTables(store));
}

export interface RegisteredObject extends ReturnType<typeof describeObject> {
  /** File or plugin module that defines the object; null for a core object. */
  readonly source: string | null;
}

/** Every object that a server would expose, with its origin; configuration_invalid names every offending line. */
export async function listRegisteredObjects(store: Store, sources: ObjectSources): Promise<RegisteredObject[]> {
  const { registry, origins } = await loadObjects(sources, await allTables(store));
  return [...registry.objects.values()].map((object) => ({
    ...describeObject(object),
    source: origins.get(object.name) ?? null,
  }));
}

/**
 * Problems of one definition file, for `hcd object check`; empty when a start would accept it. Its relations may name
 * the objects of `folder`. Without a store only what shows in the file itself is checked.
 */
export async function checkDefinitionFile(
  path: string,
  { folder, store }: { readonly folder: string; readonly store: Store | null },
): Promise<readonly PlacedProblem[]> {
  const file = await readObjectFile(path);
  const database = store === null ? null : await allTables(store);
  return checkObjectFile({ file, others: await readObjectFolder(folder), database });
}

/** Extra objects may use tables without the content prefix, which the store does not list. */
async function allTables({ content, prefix }: Store): Promise<RealTables> {
  return { tables: await readTables(content.primary, ''), prefix };
}

const coreNames = new Set(coreObjects.map(({ name }) => name));

/** An object as `hcd object list` shows it. */
export function describeObject(object: ObjectDefinition) {
  const { name, table, primaryKey, readable, creatable, updatable, deletable } = object;
  const kind: 'core' | 'extra' = coreNames.has(name) ? 'core' : 'extra';
  const relations = object.relations.map((one) => `${one.name} (${one.type} ${one.target})`);
  const fields = Object.keys(object.fields).length;
  return { name, kind, table, primaryKey, fields, relations, readable, creatable, updatable, deletable };
}

/** The registry of core and extra objects; configuration_invalid lists the problems, one in each line. */
export async function loadRegistry(sources: ObjectSources, database: RealTables): Promise<Registry> {
  return (await loadObjects(sources, database)).registry;
}

/** The same registry, and the file or plugin module of each extra object. */
async function loadObjects(
  sources: ObjectSources,
  database: RealTables,
): Promise<{ readonly registry: Registry; readonly origins: ReadonlyMap<string, string> }> {
  const files = (await readObjectFolder(sources.folder)).map(({ text, name }) => parseObjectFile(text, name));
  const plugins = await loadPlugins(sources.plugins);
  const misread = [...files.flatMap(({ problems }) => problems), ...plugins.problems];
  if (misread.length > 0) throw definitionError(misread);
  const objects = [...files.flatMap(({ value }) => value ?? []), ...plugins.objects];
  const { value, problems } = assembleObjects({ objects, relations: plugins.relations }, database);
  if (!value) throw definitionError(problems);
  return {
    registry: buildRegistry(value.objects, value.relations),
    origins: new Map(objects.map(({ name }) => [name.value, name.place.source])),
  };
}

interface FileCheck {
  readonly file: ObjectFile;
  /** The other definitions that the file's relations may name. */
  readonly others: readonly ObjectFile[];
  /** Null checks the file by itself, without tables and relations. */
  readonly database: RealTables | null;
}

/** Problems of one file, as a start with it would report them; problems of the other files are left out. */
export function checkObjectFile({ file, others, database }: FileCheck): readonly PlacedProblem[] {
  const own = parseObjectFile(file.text, file.name);
  if (!own.value || !database) return own.problems;
  const sound = others
    .filter(({ name }) => name !== file.name)
    .flatMap(({ text, name }) => parseObjectFile(text, name).value ?? [])
    .map((words) => ({ ...words, relations: [] }))
    .filter((words) => assembleObjects({ objects: [words], relations: [] }, database).value);
  const { problems } = assembleObjects({ objects: [...sound, own.value], relations: [] }, database);
  return problems.filter(({ source }) => source === file.name);
}

/** Characters of a definition; the largest real one is a few thousand. */
const maxCharacters = 1_000_000;

/** The words in `text`; null with at least one problem. `fileName` is what problems name. */
export function parseObjectFile(text: string, fileName: string): Checked<ObjectWords> {
  if (text.length > maxCharacters) {
    return { value: null, problems: [problemOf(fileName, `is longer than ${maxCharacters} characters`)] };
  }
  const document = readJsonTree(text, fileName);
  if (!document.value) return { value: null, problems: document.problems };
  const words = readObjectWords(document.value);
  const problems = [...document.problems, ...words.problems, ...(words.value ? checkWords(words.value) : [])];
  return { value: problems.length > 0 ? null : words.value, problems };
}

interface ObjectFile {
  /** In messages: the names of the folder and of the file. */
  readonly name: string;
  readonly text: string;
}

/** The `*.json` files of the folder in the order of their names; none when there is no such folder. */
export async function readObjectFolder(folder: string): Promise<ObjectFile[]> {
  const names = await listFolder(folder);
  const wanted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  return Promise.all(wanted.map((name) => readObjectFile(join(folder, name))));
}

/** One definition file; configuration_invalid when it cannot be read. */
async function readObjectFile(path: string): Promise<ObjectFile> {
  const name = join(basename(join(path, '..')), basename(path));
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  try {
    // The mark stays in the text, so that places are counted after it.
    return { name, text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch (cause) {
    throw new AppError('configuration_invalid', { message: `${name}: is not valid UTF-8`, cause });
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw unreadable(folder, cause);
  }
}

function unreadable(name: string, cause: unknown): AppError {
  return new AppError('configuration_invalid', { message: `${name}: cannot be read (${codeOf(cause)})`, cause });
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
}
