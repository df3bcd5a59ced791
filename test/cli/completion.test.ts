/** Completion: the script for bash is run by bash; those for zsh and fish are compared and, where installed, checked. */
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionData } from '../../commands/completion-data.js';
import { completionScript, shells } from '../../commands/completion-scripts.js';
import { expectGolden } from '../support/golden.js';
import { makeTempDir } from '../support/temp-dir.js';
import { sampleProgram } from './sample-program.js';

const data = await completionData(sampleProgram);
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** What bash offers for the last of the words. */
function offered(words: readonly string[], cwd?: string): string[] {
  const list = ['hcd', ...words].map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash', data)}
COMP_WORDS=(${list}); COMP_CWORD=${words.length}; _hcd; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-u', '-c', script], { encoding: 'utf8', cwd });
  expect([stderr, status]).toEqual(['', 0]);
  return stdout.split('\n').filter((line) => line !== '');
}

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

describe.skipIf(!has('bash'))('bash offers', () => {
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
  ])('%s', (_name, words, candidates) => {
    expect(offered(words)).toEqual(candidates);
  });

  it('files for a flag that names one, also with a space in the name', async () => {
    const cwd = await makeTempDir('completion');
    await mkdir(join(cwd, 'folder'));
    await writeFile(join(cwd, 'fine name.json'), '');
    expect(offered(['box', 'add', '--file', 'f'], cwd).sort()).toEqual(['fine name.json', 'folder']);
    expect(offered(['--config', 'fi'], cwd)).toEqual(['fine name.json']);
  });
});

describe('the script', () => {
  it.each(shells)('for %s is as reviewed', (shell) => {
    expectGolden(`cli/golden/completion-${shell}.txt`, completionScript(shell, data));
  });

  const syntaxChecks = [
    ['bash', ['-n']],
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const;
  for (const [shell, flags] of syntaxChecks) {
    it.skipIf(!has(shell))(`for ${shell} is accepted by ${shell}`, () => {
      const { stderr, status } = spawnSync(shell, [...flags], {
        input: completionScript(shell, data),
        encoding: 'utf8',
      });
      expect([stderr, status]).toEqual(['', 0]);
    });
  }
});
