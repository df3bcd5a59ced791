/** Checks one definition file for `hcd object check`. */
import { relative, resolve } from 'node:path';
import { checkDefinitionFile } from '../../src/content/objects/object-registry.js';
import { AppError } from '../../src/errors/app-error.js';
import { escapeControls } from '../../src/log/escape.js';
import type { Deps } from '../deps.js';
import type { JsonRecord, Result } from '../result.js';
import { openReady } from '../store/open-ready.js';

export interface CheckOptions {
  readonly file: string;
  readonly noDatabase: boolean;
}

export async function runCheck({ file, noDatabase }: CheckOptions, deps: Deps): Promise<Result> {
  const path = resolve(deps.cwd, file);
  const folder = resolve(deps.cwd, deps.loadConfig().config.objects_dir);
  const store = noDatabase ? null : await openReady(deps);
  const problems = await checkDefinitionFile(path, { folder, store }).catch(refuse);
  return resultOf(relative(deps.cwd, path), problems);
}

type Problem = Awaited<ReturnType<typeof checkDefinitionFile>>[number];

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
