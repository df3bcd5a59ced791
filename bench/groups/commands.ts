/** What a short command costs, from the shell's own count: it has the end of the process as well. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Place, settings } from '../place.js';

export const commands: readonly (readonly string[])[] = [['--version'], ['--help'], ['key', 'list']];

export interface CommandRun {
  /** Arguments of the program; those of Node.js where there is no program. */
  readonly words: readonly string[];
  readonly program?: string;
  readonly databaseUrl?: string;
}

/** So many runs, because the shell counts hundredths of a second. */
const repeats = 5;
const loop = `for i in ${'x '.repeat(repeats)}; do "$@" >/dev/null || exit; done; times`;

/** Microseconds of processor time of one run. */
export function commandCost({ folder }: Place, { words, program, databaseUrl = '' }: CommandRun): number {
  const args = [process.execPath, ...(program === undefined ? [] : [join(program, 'bin/hcd')]), ...words];
  const said = execFileSync('/bin/sh', ['-c', loop, 'sh', ...args], {
    ...{ cwd: folder, encoding: 'utf8' },
    env: { ...process.env, ...settings, HCD_DATABASE_URL: databaseUrl },
  });
  const times = [...(said.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  const sum = times.reduce((total, [, minutes, seconds]) => total + Number(minutes) * 60 + Number(seconds), 0);
  return (sum / repeats) * 1e6;
}
