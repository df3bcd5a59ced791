/** Loads plugin modules and collects what they register. Endpoints and middleware are not offered. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../errors/app-error.js';
import { isJsonObject } from '../../values/json.js';
import {
  type JsonMember,
  type JsonNode,
  maxDepth,
  type Place,
  type PlacedProblem,
  pathBelow,
} from '../../values/json-tree.js';
import type { GivenObjects } from './assemble-objects.js';
import { checkWords } from './check-words.js';
import {
  definitionError,
  type ObjectWords,
  problemAt,
  problemOf,
  readObjectWords,
  readRelationWords,
} from './object-words.js';

/** Problems are reported together when all plugins have run. */
interface PluginApi {
  registerObject(definition: unknown): void;
  registerRelation(object: unknown, relation: unknown): void;
}

type Register = (api: PluginApi) => unknown;

interface PluginObjects {
  readonly objects: ObjectWords[];
  readonly relations: GivenObjects['relations'][number][];
  readonly problems: PlacedProblem[];
}

/** In the given order. Throws configuration_invalid with the module's error as the cause. */
export async function loadPlugins(paths: readonly string[]): Promise<PluginObjects> {
  const collected: PluginObjects = { objects: [], relations: [], problems: [] };
  for (const path of paths) {
    const source = basename(path);
    const register = decodeRegister(await runPlugin(source, () => import(pathToFileURL(path).href)));
    if (!register) {
      throw new AppError('configuration_invalid', { message: `Plugin ${source} exports no function register` });
    }
    const state = { isOpen: true };
    await runPlugin(source, () => register(makeApi(source, { collected, state })));
    state.isOpen = false;
  }
  return collected;
}

function decodeRegister(module: unknown): Register | null {
  if (typeof module !== 'object' || module === null || !('register' in module)) return null;
  return typeof module.register === 'function' ? (module.register as Register) : null;
}

async function runPlugin(source: string, run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw definitionError([problemOf(source, `the plugin failed: ${why}`)], cause);
  }
}

function makeApi(
  source: string,
  { collected, state }: { readonly collected: PluginObjects; readonly state: { readonly isOpen: boolean } },
): PluginApi {
  const { objects, relations, problems } = collected;
  const placeOf = (path: string): Place => {
    if (state.isOpen) return { source, path, line: null, column: null };
    throw new AppError('configuration_invalid', {
      message: `Plugin ${source} registers after its register function has ended; register everything before it returns`,
    });
  };
  return Object.freeze({
    registerObject(definition: unknown) {
      const place = placeOf(nameOf(definition));
      const words = readObjectWords(treeOf(definition, { place, problems }));
      problems.push(...words.problems);
      if (!words.value) return;
      problems.push(...checkWords(words.value));
      objects.push(words.value);
    },
    registerRelation(object: unknown, relation: unknown) {
      const place = placeOf(`registerRelation(${JSON.stringify(object)})`);
      const words = readRelationWords(treeOf(relation, { place, problems }));
      problems.push(...words.problems);
      if (typeof object !== 'string') {
        problems.push(problemAt(place, 'the first argument must be the name of an object'));
      } else if (words.value) relations.push({ object: { value: object, place }, words: words.value });
    },
  });
}

function nameOf(definition: unknown): string {
  const name = isJsonObject(definition) ? definition['name'] : undefined;
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'registerObject()';
}

interface TreeSpot {
  readonly place: Place;
  readonly problems: PlacedProblem[];
  readonly depth?: number;
}

/** Undefined members are left out, values that JSON cannot hold become null. */
function treeOf(value: unknown, { place, problems, depth = 0 }: TreeSpot): JsonNode {
  const below = (key: string | number): TreeSpot => ({
    place: { ...place, path: pathBelow(place.path, key) },
    problems,
    depth: depth + 1,
  });
  const refused = (message: string): JsonNode => {
    problems.push(problemAt(place, message));
    return { kind: 'null', place };
  };
  if (value === null) return { kind: 'null', place };
  if (typeof value === 'string') return { kind: 'string', value, place };
  if (typeof value === 'number') return { kind: 'number', value, place };
  if (typeof value === 'boolean') return { kind: 'boolean', value, place };
  if (typeof value !== 'object') return refused(`is a ${typeof value}, which a definition cannot hold`);
  // Also ends a value that contains itself.
  if (depth > maxDepth) return refused(`nested deeper than ${maxDepth} levels`);
  if (Array.isArray(value)) {
    return { kind: 'array', items: value.map((item: unknown, index) => treeOf(item, below(index))), place };
  }
  const members = Object.entries(value).flatMap(([key, member]: [string, unknown]): JsonMember[] => {
    const spot = below(key);
    return member === undefined ? [] : [{ key, keyPlace: spot.place, value: treeOf(member, spot) }];
  });
  return { kind: 'object', members, place };
}
