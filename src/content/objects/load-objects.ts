/** From the folder of definition files and the plugin modules to the registry, or to one error with every problem. */

import type { PlacedProblem } from '../../values/json-tree.js';
import { assembleObjects } from './assemble-objects.js';
import type { Registry } from './definition.js';
import type { RealTables } from './object-columns.js';
import { parseObjectFile } from './object-file.js';
import { type ObjectFile, readObjectFolder } from './object-folder.js';
import { requireValue, throwProblems } from './object-problem.js';
import type { ObjectWords } from './object-words.js';
import { loadPlugins } from './plugin-api.js';
import { buildRegistry } from './registry.js';

export interface ObjectSources {
  /** Folder of definition files; one that does not exist holds none. */
  readonly folder: string;
  /** Paths of plugin modules. */
  readonly plugins: readonly string[];
}

/** The registry of core objects and everything registered; configuration_invalid lists what is wrong, line by line. */
export async function loadRegistry(sources: ObjectSources, database: RealTables): Promise<Registry> {
  return (await loadObjects(sources, database)).registry;
}

export interface RegisteredObjects {
  readonly registry: Registry;
  /** File or plugin module of each extra object, by the object's name. */
  readonly origins: ReadonlyMap<string, string>;
}

/** The same registry, and where its extra objects come from. */
export async function loadObjects(sources: ObjectSources, database: RealTables): Promise<RegisteredObjects> {
  const files = parseFiles(await readObjectFolder(sources.folder));
  const plugins = await loadPlugins(sources.plugins);
  throwProblems([...files.problems, ...plugins.problems]);
  const objects = [...files.objects, ...plugins.objects];
  const loaded = requireValue(assembleObjects({ objects, relations: plugins.relations }, database));
  return {
    registry: buildRegistry(loaded.objects, loaded.relations),
    origins: new Map(objects.map(({ name }) => [name.value, name.place.source])),
  };
}

export interface FileCheck {
  readonly file: ObjectFile;
  /** The other definitions that the file's relations may name. */
  readonly beside: readonly ObjectFile[];
  /** Null checks the file by itself, without tables and relations. */
  readonly database: RealTables | null;
}

/** Problems of one file, as a start with it would report them; problems of the files beside it are not its own. */
export function checkObjectFile({ file, beside, database }: FileCheck): readonly PlacedProblem[] {
  const own = parseObjectFile(file.text, file.name);
  if (!own.value || !database) return own.problems;
  const sound = beside
    .filter(({ name }) => name !== file.name)
    .flatMap((other) => parseObjectFile(other.text, other.name).value ?? [])
    .filter((words) => assembleObjects({ objects: [{ ...words, relations: [] }], relations: [] }, database).value);
  const others = sound.map((words) => ({ ...words, relations: [] }));
  const { problems } = assembleObjects({ objects: [...others, own.value], relations: [] }, database);
  return problems.filter(({ source }) => source === file.name);
}

function parseFiles(files: readonly ObjectFile[]): { objects: ObjectWords[]; problems: PlacedProblem[] } {
  const parsed = files.map(({ text, name }) => parseObjectFile(text, name));
  return {
    objects: parsed.flatMap(({ value }) => value ?? []),
    problems: parsed.flatMap(({ problems }) => problems),
  };
}
