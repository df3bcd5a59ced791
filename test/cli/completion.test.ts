/** Completion: what the program offers, and that the scripts hand it to their shells, where these are installed. */
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionText } from '../../commands/complete.js';
import { runCli } from '../support/cli.js';
import { makeTempDir } from '../support/temp-dir.js';
import { sampleProgram } from './sample-program.js';

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const shells = ['bash', 'zsh', 'fish'] as const;
const scriptOf = async (shell: string): Promise<string> => (await runCli(`completion ${shell}`)).stdout;

const globalFlags = ['--database', '--config', '--json', '--quiet', '--no-color', '--yes', '--help', '--version'];
const ownFlags = [
  '--scopes',
  '--max-clicks',
  '--kind',
  '--expires',
  '--since',
  '--active',
  '--file',
  '--tag',
  '--inactive',
  '--no-wait',
];

describe('the program offers', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['the commands', [''], ['box']],
    ['the commands that fit', ['bo'], ['box']],
    ['verbs with their other word, and groups', ['box', ''], ['add', 'create', 'label']],
    ['verbs below two groups', ['box', 'label', ''], ['list']],
    ['the global flags', ['--'], globalFlags],
    ['the flags of a command', ['box', 'add', '--'], [...ownFlags, ...globalFlags]],
    ['the flags behind the other word', ['box', 'create', '--ma'], ['--max-clicks']],
    ['the choices of a flag', ['box', 'add', '--kind', ''], ['round', 'square']],
    ['the choices that fit', ['box', 'add', '--kind', 's'], ['square']],
    ['nothing for free text', ['box', 'add', '--scopes', ''], []],
    ['nothing for a global flag with free text', ['--database', ''], []],
    ['the commands after a global flag with its value', ['--database', 'box', ''], ['box']],
    ['the commands after a switch', ['--json', 'box', ''], ['add', 'create', 'label']],
    ['nothing behind an unknown flag but what follows without it', ['--unknown', 'box', 'l'], ['label']],
    ['files for a flag that names one', ['box', 'add', '--file', 'f'], [':file']],
    ['files for a global flag that names one', ['--config', ''], [':file']],
    ['the commands without any word', [], ['box']],
  ])('%s', async (_name, words, candidates) => {
    const lines = (await completionText(sampleProgram, words)).split('\n').filter((line) => line !== '');
    expect(lines.map((line) => line.split('\t')[0])).toEqual(candidates);
  });

  it('a description with each word', async () => {
    expect((await runCli(['__complete', 'key', 'cr'])).stdout).toBe('create\tCreate an API key\n');
  });
});

/** A folder with files, and a program hcd that offers these lines. */
async function folderWith(lines: string): Promise<{ readonly cwd: string; readonly env: NodeJS.ProcessEnv }> {
  const cwd = await makeTempDir('completion');
  await mkdir(join(cwd, 'folder'));
  await writeFile(join(cwd, 'fine name.json'), '');
  await mkdir(join(cwd, 'bin'));
  await writeFile(join(cwd, 'bin/hcd'), `#!/bin/sh\nprintf '%s\\n' "$*" > asked\nprintf '${lines}'\n`);
  await chmod(join(cwd, 'bin/hcd'), 0o755);
  return { cwd, env: { PATH: `${join(cwd, 'bin')}:${process.env['PATH']}`, HOME: cwd } };
}

function output(program: string, args: readonly string[], options: object): string[] {
  const { stdout, stderr, status } = spawnSync(program, [...args], { encoding: 'utf8', ...options });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.split('\n').filter((line) => line !== '');
}

describe.skipIf(!has('bash'))('bash completes', () => {
  async function completed(words: readonly string[], lines: string): Promise<string[]> {
    const list = ['hcd', ...words].map((word) => `'${word}'`).join(' ');
    const call = `COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _hcd; printf '%s\\n' "\${COMPREPLY[@]}"; cat asked`;
    return output('bash', ['--norc', '-u', '-c', `${await scriptOf('bash')}\n${call}`], await folderWith(lines));
  }

  it('words with the program', async () => {
    const lines = await completed(['box', 'a'], 'add\\tAdd a box\\nall\\tAll: of them\\n');
    expect(lines).toEqual(['add', 'all', '__complete box a']);
  });

  it('nothing where the program offers nothing', async () => {
    expect(await completed(['box', ''], '')).toEqual(['__complete box ']);
  });

  it('files, also with a space in the name', async () => {
    const [, ...found] = (await completed(['--file', 'f'], ':file\\n')).reverse();
    expect(found.sort()).toEqual(['fine name.json', 'folder']);
  });
});

describe.skipIf(!has('fish'))('fish completes', () => {
  it.each([
    ['words with their descriptions', 'add\\tAdd a box\\nall\\tAll of them\\n', ['add\tAdd a box', 'all\tAll of them']],
    ['files', ':file\\n', ['asked']],
  ])('%s', async (_name, lines, expected) => {
    const given = await folderWith(lines);
    expect(output('fish', ['-c', `${await scriptOf('fish')}\ncomplete -C 'hcd box a'`], given)).toEqual(expected);
    expect(output('cat', ['asked'], given)).toEqual(['__complete box a']);
  });
});

const syntaxChecks = { bash: '-n', zsh: '-n', fish: '--no-execute' };
it.each(shells.filter(has))('the script for %s is accepted by it', async (shell) => {
  const file = join(await makeTempDir('completion'), 'script');
  await writeFile(file, await scriptOf(shell));
  expect(output(shell, [syntaxChecks[shell], file], {})).toEqual([]);
});
