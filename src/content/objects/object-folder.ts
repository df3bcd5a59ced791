/** Reads the folder of definition files from the disk; nothing else in `objects` touches files. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AppError } from '../../errors/app-error.js';

export interface ObjectFile {
  /** As shown to people: the folder's own name and the file's. */
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
export async function readObjectFile(path: string): Promise<ObjectFile> {
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
