/** Opens the text editor of the user on a temporary file. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVariable } from '../../src/config/definitions.js';
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';
import { writeNote } from '../output.js';
import { usageError } from '../parameters.js';

/** From `$VISUAL` or `$EDITOR`. Throws usage, which names --file, without a terminal or an editor. */
export function editorOf({ env, io }: Deps): readonly string[] {
  const refuse = (why: string) => usageError({ '--file': `is required: ${why}` });
  if (!io.stdin.isTerminal || !io.stdout.isTerminal) throw refuse('not a terminal, cannot open an editor');
  const words = shellWords(readVariable(env, 'VISUAL') ?? readVariable(env, 'EDITOR') ?? '');
  if (words.length === 0) throw refuse('neither VISUAL nor EDITOR names a text editor');
  return words;
}

/** As a shell splits a line with quotes and backslashes, but without variables and other syntax. */
function shellWords(line: string): readonly string[] {
  const words = line.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs) ?? [];
  const part = /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs;
  return words.map((word) =>
    word.replace(part, (_, double?: string, single?: string, escaped?: string) =>
      double === undefined ? (single ?? escaped ?? '') : double.replace(/\\(["\\$`])/g, '$1'),
    ),
  );
}

interface Edited {
  readonly editor: readonly string[];
  /** Editors choose their colours by its ending. */
  readonly name: string;
  readonly text: string;
}

interface Saving<T> {
  readonly deps: Deps;
  readonly save: (path: string) => Promise<T>;
  /** The command that saves the file later. */
  readonly again: (path: string) => string;
}

/** Null for an unchanged text. The file stays when `save` fails. */
export async function editText<T>({ editor, name, text }: Edited, { deps, save, again }: Saving<T>): Promise<T | null> {
  const folder = await mkdtemp(join(tmpdir(), 'hcd-edit-'));
  const path = join(folder, name);
  const isChanged = () =>
    readFile(path, 'utf8')
      .then((now) => now !== text)
      .catch(() => false);
  let isKept = false;
  try {
    await writeFile(path, text, { mode: 0o600 });
    await runEditor([...editor, path], deps);
    return (await isChanged()) ? await save(path) : null;
  } catch (error) {
    isKept = await isChanged();
    if (isKept)
      writeNote(deps.io.stderr, `Nothing was saved. Your text is kept; correct it and save it: ${again(path)}`);
    throw error;
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

async function runEditor([file = '', ...words]: readonly string[], { env, cwd }: Deps): Promise<void> {
  const refuse = (message: string, cause?: unknown) => new AppError('refused', { message, cause });
  // Ctrl-C belongs to the editor, but the terminal sends it to this process too.
  const listeners = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT').on('SIGINT', () => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      spawn(file, words, { cwd, env: { ...env }, stdio: 'inherit' })
        .once('error', (cause) => reject(refuse(`The editor ${file} cannot be started: see VISUAL and EDITOR`, cause)))
        .once('close', (code) => (code === 0 ? resolve() : reject(refuse(`The editor ${file} has failed`))));
    });
  } finally {
    process.removeAllListeners('SIGINT');
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}
