/** A project folder inside an installation, so that its files find the installed packages. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** Makes the folder anew with these files, by their path in it. */
export async function makeProject(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

export interface Step {
  readonly command: readonly string[];
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Throws an Error with what a command that fails said of its error. */
export async function runStep({ command, folder, env }: Step): Promise<void> {
  const [file = '', ...args] = command;
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  await promisify(execFile)(file, args, options).catch((error: Error & { stdout?: string; stderr?: string }) => {
    const said = `${error.stderr ?? ''}${error.stdout ?? ''}`.trim();
    const from = Math.max(0, said.search(/error/i));
    throw new Error(`${command.slice(1).join(' ')} failed: ${said.slice(from, from + 500)}`);
  });
}
