/** The only reader of definition files: at start, and to check a single file. The tables of the objects. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../errors/app-error.js';
import { codeOf } from '../../errors/disk-error.js';
import { readTables } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import { type PlacedProblem, readJsonTree } from '../../values/json-tree.js';
import { utf8 } from '../../values/text.js';
import { categoryClosure } from '../models/access.js';
import { mediaSources } from '../models/elements.js';
import { tablesOfResources } from '../models/resources.js';
import { tvTemplates } from '../models/template-variables.js';
import { assembleObjects } from './assemble-objects.js';
import { checkSpec } from './check-spec.js';
import { buildRegistry, isCoreObject } from './core-objects.js';
import type { ObjectDefinition, Registry } from './definition.js';
import type { RealTables } from './object-columns.js';
import { definitionError, type ObjectSpec, problemOf, readObjectSpec, type WithProblems } from './object-spec.js';
import { loadPlugins } from './plugin-api.js';

export interface ObjectSources {
  readonly folder: string;
  readonly plugins: readonly string[];
}

/** Throws configuration_invalid that names every offending line. */
export async function openRegistry(store: Store, sources: ObjectSources): Promise<Registry> {
  return loadRegistry(sources, await allTables(store));
}

export interface RegisteredObject extends ReturnType<typeof describeObject> {
  readonly source: string | null;
}

export async function listRegisteredObjects(store: Store, sources: ObjectSources): Promise<RegisteredObject[]> {
  const { registry, origins } = await loadObjects(sources, await allTables(store));
  return [...registry.objects.values()].map((object) => ({
    ...describeObject(object),
    source: origins.get(object.name) ?? null,
  }));
}

/** Empty when a start would accept the file. Without a store only the file itself is checked. */
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

export function describeObject(object: ObjectDefinition) {
  const { name, table, primaryKey, readable, creatable, updatable, deletable } = object;
  const kind: 'core' | 'extra' = isCoreObject(name) ? 'core' : 'extra';
  const relations = object.relations.map((one) => `${one.name} (${one.type} ${one.target})`);
  const fields = Object.keys(object.fields).length;
  return { name, kind, table, primaryKey, fields, relations, readable, creatable, updatable, deletable };
}

export async function loadRegistry(sources: ObjectSources, database: RealTables): Promise<Registry> {
  return (await loadObjects(sources, database)).registry;
}

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
    origins: new Map(objects.map(({ name, placeOf }) => [name, placeOf('').source])),
  };
}

/** Without a database the file alone is checked, without tables and relations. */
export function checkObjectFile({
  file,
  others,
  database,
}: {
  readonly file: ObjectFile;
  readonly others: readonly ObjectFile[];
  readonly database: RealTables | null;
}): readonly PlacedProblem[] {
  const own = parseObjectFile(file.text, file.name);
  if (!own.value || !database) return own.problems;
  const sound = others
    .filter(({ name }) => name !== file.name)
    .flatMap(({ text, name }) => parseObjectFile(text, name).value ?? [])
    .map((spec) => ({ ...spec, relations: [] }))
    .filter((spec) => assembleObjects({ objects: [spec], relations: [] }, database).value);
  const { problems } = assembleObjects({ objects: [...sound, own.value], relations: [] }, database);
  return problems.filter(({ source }) => source === file.name);
}

const maxCharacters = 1_000_000;

export function parseObjectFile(text: string, fileName: string): WithProblems<ObjectSpec> {
  if (text.length > maxCharacters) {
    return { value: null, problems: [problemOf(fileName, `is longer than ${maxCharacters} characters`)] };
  }
  const document = readJsonTree(text, fileName);
  if (document.value === undefined) return { value: null, problems: document.problems };
  const spec = readObjectSpec(document.value, document.placeOf);
  const problems = [...document.problems, ...spec.problems, ...(spec.value ? checkSpec(spec.value) : [])];
  return { value: problems.length > 0 ? null : spec.value, problems };
}

interface ObjectFile {
  readonly name: string;
  readonly text: string;
}

/** In the order of their names; none for a missing folder. */
export async function readObjectFolder(folder: string): Promise<ObjectFile[]> {
  const names = await listFolder(folder);
  const wanted = names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  return Promise.all(wanted.map((name) => readObjectFile(join(folder, name))));
}

async function readObjectFile(path: string): Promise<ObjectFile> {
  const name = join(basename(join(path, '..')), basename(path));
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  try {
    // The byte order mark stays, so that places are counted after it.
    return { name, text: utf8.decode(bytes) };
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
  return new AppError('configuration_invalid', {
    message: `${name}: cannot be read (${codeOf(cause) || 'unknown'})`,
    cause,
  });
}

/** Tables with prefix, except those of resources: the object that each holds, null if every answer may depend on it. */
export type ObjectTables = ReadonlyMap<string, string | null>;

export function objectTables({ prefix, tables }: Pick<Store, 'prefix' | 'tables'>, registry: Registry): ObjectTables {
  const objects = [...registry.objects.values()].filter((definition) => definition !== registry.resources);
  const found = [
    ...objects.map((one): [string, string | null] => [
      one.prefixed ? prefix + one.table : one.table,
      registry.elements.includes(one) ? null : one.name,
    ]),
    ...[tvTemplates, categoryClosure, mediaSources].map(({ table }): [string, null] => [prefix + table, null]),
  ];
  return new Map(found.filter(([name]) => tables.has(name)));
}

/** The tables that content depends on, in which changes by other programs are noticed. */
export function watchedTables(store: Pick<Store, 'prefix' | 'tables'>, registry: Registry): readonly string[] {
  const ofResources = tablesOfResources.map((name) => store.prefix + name).filter((name) => store.tables.has(name));
  return [...ofResources, ...objectTables(store, registry).keys()];
}
