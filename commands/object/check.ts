/** `hcd object check FILE`: whether a server would accept a definition file. */
import { relative, resolve } from 'node:path';
import { fileValue } from '../../src/config/value-type.js';
import { checkDefinitionFile } from '../../src/content/objects/object-registry.js';
import { AppError } from '../../src/errors/app-error.js';
import { escapeControls } from '../../src/log/escape.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import type { JsonRecord, Result } from '../result.js';
import { openReady } from '../store/open-ready.js';

type Problem = Awaited<ReturnType<typeof checkDefinitionFile>>[number];

export const command = defineCommand({
  path: 'object check',
  summary: 'Check a definition file of an extra object',
  description:
    'Reports every problem of the file with its line and column, as a server would at its start, and ends with 1 when there is one. Relations may name the objects of the objects folder. With --no-database only what shows in the file itself is checked: its form, not whether the table has the columns.',
  arguments: {
    file: required(fileValue, { placeholder: 'FILE', description: 'The file, such as objects/products.json' }),
  },
  options: { noDatabase: toggle('Check the file by itself and open no database') },
  examples: [
    { line: 'object check objects/products.json', does: 'Check a file against the tables' },
    { line: 'object check objects/products.json --no-database', does: 'Check its form, as in a build' },
  ],
  async run({ file, noDatabase }, deps) {
    const path = resolve(deps.cwd, file);
    const folder = resolve(deps.cwd, deps.loadConfig().config.objects_dir);
    const store = noDatabase ? null : await openReady(deps);
    const problems = await checkDefinitionFile(path, { folder, store }).catch(refuse);
    return resultOf(relative(deps.cwd, path), problems);
  },
});

/** A file that cannot be read is refused like one with problems: the configuration is not at fault. */
function refuse(error: unknown): readonly Problem[] {
  if (!(error instanceof AppError) || error.code !== 'configuration_invalid') throw error;
  throw new AppError('refused', { message: error.message, cause: error });
}

function resultOf(file: string, problems: readonly Problem[]): Result {
  const data = { file, problems: problems.map(jsonOf) };
  if (problems.length === 0) return { kind: 'done', message: `${file}: no problems`, data };
  const lines = problems.map(({ line, column, path, message }) => {
    const where = line === null ? file : `${file}:${line}:${column ?? 1}`;
    return escapeControls([where, ...(path === '' ? [] : [path]), message].join(': '));
  });
  return { kind: 'text', text: `${lines.join('\n')}\n`, data, exitCode: 1 };
}

function jsonOf({ line, column, path, message }: Problem): JsonRecord {
  return { line, column, path, message };
}
