/** Programs of the machine that tests start: servers for a single test, ended with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { describe, onTestFinished } from 'vitest';
import { findProgram } from './mariadb-server.js';

/** A group that needs these programs: skipped where one is not installed; the end of the run says so. */
export function describeWithPrograms(programs: readonly string[], name: string, body: () => void): void {
  describe.skipIf(programs.some((program) => findProgram(program) === undefined))(name, body);
}

/** Starts a program that stays in the foreground; it is ended with the test. */
export function startProgram(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly child: ChildProcess; said(): string } {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed: wrap the group in describeWithPrograms`);
  // A test run that is itself killed must not leave servers behind: the kernel then ends them too.
  const setpriv = findProgram('setpriv');
  const words = setpriv ? [setpriv, '--pdeathsig', 'KILL', '--', program, ...args] : [program, ...args];
  const [command = program, ...rest] = words;
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  });
  return { child, said: () => said };
}
