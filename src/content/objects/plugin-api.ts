/** Loads plugin modules and collects what they register. Endpoints and middleware are not offered. */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../errors/app-error.js';
import { isJsonObject, isWithinDepth } from '../../values/json.js';
import { maxDepth, type PlacedProblem, type PlaceOf } from '../../values/json-tree.js';
import type { GivenObjects } from './assemble-objects.js';
import { checkSpec } from './check-spec.js';
import { definitionError, type ObjectSpec, problemOf, readObjectSpec, readRelationSpec } from './object-spec.js';

/** Problems are reported together when all plugins have run. */
interface PluginApi {
  registerObject(definition: unknown): void;
  registerRelation(object: unknown, relation: unknown): void;
}

type Register = (api: PluginApi) => unknown;

interface PluginObjects {
  readonly objects: ObjectSpec[];
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
  const placesBelow = (whole: string): PlaceOf => {
    if (state.isOpen) {
      return (path) => ({ source, path: path === '' ? whole : `${whole}.${path}`, line: null, column: null });
    }
    throw new AppError('configuration_invalid', {
      message: `Plugin ${source} registers after its register function has ended; register everything before it returns`,
    });
  };
  const isTooDeep = (value: unknown, placeOf: PlaceOf): boolean => {
    // Also true of a value that contains itself.
    if (isWithinDepth(value, maxDepth)) return false;
    problems.push({ ...placeOf(''), message: `nested deeper than ${maxDepth} levels` });
    return true;
  };
  return Object.freeze({
    registerObject(definition: unknown) {
      const placeOf = placesBelow(nameOf(definition));
      if (isTooDeep(definition, placeOf)) return;
      const spec = readObjectSpec(definition, placeOf);
      problems.push(...spec.problems);
      if (!spec.value) return;
      problems.push(...checkSpec(spec.value));
      objects.push(spec.value);
    },
    registerRelation(object: unknown, relation: unknown) {
      const placeOf = placesBelow(`registerRelation(${JSON.stringify(object)})`);
      if (isTooDeep(relation, placeOf)) return;
      const spec = readRelationSpec(relation, placeOf);
      problems.push(...spec.problems);
      if (typeof object !== 'string') {
        problems.push({ ...placeOf(''), message: 'the first argument must be the name of an object' });
      } else if (spec.value) relations.push({ object, spec: spec.value });
    },
  });
}

function nameOf(definition: unknown): string {
  const name = isJsonObject(definition) ? definition['name'] : undefined;
  return typeof name === 'string' && /^\w{1,64}$/.test(name) ? name : 'registerObject()';
}
