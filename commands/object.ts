/** `hcd object`: registered objects. */
import { relative, resolve } from 'node:path';
import { fileValue } from '../src/config/value-type.js';
import {
  checkDefinitionFile,
  listRegisteredObjects,
  type RegisteredObject,
} from '../src/content/objects/object-registry.js';
import { AppError } from '../src/errors/app-error.js';
import { escapeControls } from '../src/values/text.js';
import { defineCommand, defineSiteCommand, type Result } from './command.js';
import { required, toggle } from './parameters.js';

type Problem = Awaited<ReturnType<typeof checkDefinitionFile>>[number];

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists the core objects and the objects of definition files and plugins, as a server in this directory exposes them: table, number of fields, what callers can do, and the source of the definition. Definitions that do not match their tables are reported with the lines that are wrong.',
    examples: {
      'object list': 'List all objects',
      'object list --json': 'List all objects with their relations, as JSON',
    },
    async run(_options, deps) {
      const { objects_dir, plugins } = deps.loadConfig().config;
      const objects = await listRegisteredObjects(deps.store, { folder: resolve(deps.cwd, objects_dir), plugins });
      return {
        kind: 'list',
        columns: ['name', 'kind', 'table', 'fields', 'flags', 'source'],
        rows: objects.map(rowOf),
      };
    },
  }),

  check: defineCommand({
    description:
      'Reports every problem in the file with its line and column, as a server does when it starts. The exit code is 1 when there is a problem. Relations can name objects that are defined in the objects folder.',
    arguments: {
      file: required(fileValue, 'Definition file, such as objects/products.json'),
    },
    options: { noDatabase: toggle('Check only the file itself, not the columns of its table') },
    examples: {
      'object check objects/products.json': 'Check a file and the table it describes',
      'object check objects/products.json --no-database': 'Check a file where there is no database, such as in CI',
    },
    async run({ file, noDatabase }, deps) {
      const path = resolve(deps.cwd, file);
      const folder = resolve(deps.cwd, deps.loadConfig().config.objects_dir);
      const store = noDatabase ? null : (await deps.openSite()).store;
      const problems = await checkDefinitionFile(path, { folder, store }).catch(refuse);
      return resultOf(relative(deps.cwd, path), problems);
    },
  }),
};

function rowOf(object: RegisteredObject) {
  const flags = (['readable', 'creatable', 'updatable', 'deletable'] as const).filter((flag) => object[flag]);
  return { ...object, flags };
}

/** A file that cannot be read is refused like one with problems; it is not a configuration error. */
function refuse(error: unknown): readonly Problem[] {
  if (!(error instanceof AppError) || error.code !== 'configuration_invalid') throw error;
  throw new AppError('refused', { message: error.message, cause: error });
}

function resultOf(file: string, problems: readonly Problem[]): Result {
  const given = problems.map(({ line, column, path, message }) => ({ line, column, path, message }));
  const data = { file, problems: given };
  if (problems.length === 0) return { kind: 'done', message: `${file}: no problems`, data };
  const lines = problems.map(({ line, column, path, message }) => {
    const where = line === null ? file : `${file}:${line}:${column ?? 1}`;
    return escapeControls([where, ...(path === '' ? [] : [path]), message].join(': '));
  });
  return { kind: 'text', text: `${lines.join('\n')}\n`, data, exitCode: 1 };
}
