/** Reads the file that a flag or argument names, or standard input for `-`. Refuses text that is not UTF-8. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../src/errors/app-error.js';
import type { Deps } from './deps.js';

/** Throws refused when the file cannot be read, or is not UTF-8 or not JSON. */
export async function readJsonFile(file: string, deps: Deps): Promise<unknown> {
  const text = await readTextFile(file, deps);
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? `: ${error.message}${lineOf(error.message, text)}` : '';
    throw new AppError('refused', { message: `${sourceName(file)} is not valid JSON${why}`, cause: error });
  }
}

/** Throws refused when the file cannot be read, or is not UTF-8. */
export async function readTextFile(file: string, deps: Deps): Promise<string> {
  return decode(await (file === '-' ? deps.io.stdin.readAll() : readPath(resolve(deps.cwd, file))), file);
}

/** Node.js 20 reports the place as a number of characters. */
function lineOf(message: string, text: string): string {
  const [, position] = / at position (\d{1,9})$/.exec(message) ?? [];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` (line ${lines.length} column ${(lines.at(-1)?.length ?? 0) + 1})`;
}

export function sourceName(file: string): string {
  return file === '-' ? 'The standard input' : file;
}

function readPath(path: string): Promise<Buffer> {
  return readFile(path).catch((cause: unknown) => {
    throw new AppError('refused', { message: `${path} cannot be read`, cause });
  });
}

function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('refused', { message: `${sourceName(file)} is not UTF-8 text. Save it as UTF-8`, cause: error });
  }
}

/** Larger files are probably the wrong ones. */
const mostBytes = 4096;

/** Without the line end at the end; null without a file. Throws refused, and passphrase_needed for an empty one. */
export async function readPassphrase(file: string | undefined, { cwd }: Pick<Deps, 'cwd'>): Promise<Buffer | null> {
  if (file === undefined) return null;
  const path = resolve(cwd, file);
  const bytes = await readPath(path);
  if (bytes.length > mostBytes) {
    throw new AppError('refused', { message: `${path} is larger than ${mostBytes} bytes: it cannot be a passphrase` });
  }
  const end = bytes.at(-1) === 0x0a ? (bytes.at(-2) === 0x0d ? -2 : -1) : bytes.length;
  const passphrase = bytes.subarray(0, end);
  if (passphrase.length > 0) return passphrase;
  throw new AppError('passphrase_needed', { message: `${path} is empty: write the passphrase into it` });
}
