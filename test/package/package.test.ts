/** The packed program, installed into an empty directory, holds what it needs and starts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { type InstalledPackage, installPackage } from './installed-package.js';

const run = promisify(execFile);

describe('the installed package', () => {
  let installed: InstalledPackage;

  beforeAll(async () => {
    installed = await installPackage();
  });

  const hcd = (...words: string[]) => run(installed.program, words, { cwd: installed.directory });

  test('holds the program and its documents', () => {
    expect(installed.files).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin/hcd',
        'dist/commands/main.js',
        'man/hcd.1',
        'package.json',
      ]),
    );
  });

  test('holds neither sources nor tests nor benchmarks', () => {
    const allowed =
      /^((README|CHANGELOG)\.md|LICENSE|package\.json|bin\/hcd|assets\/.*|man\/.*\.1|dist\/(src|commands|migrations)\/.*\.js)$/;
    expect(installed.files.filter((path) => !allowed.test(path))).toEqual([]);
  });

  test('prints its version', async () => {
    expect(await hcd('--version')).toEqual({ stdout: `${installed.version}\n`, stderr: '' });
  });

  test('prints its help', async () => {
    const { stdout, stderr } = await hcd('--help');
    expect(stdout).toContain('Usage:\n  hcd COMMAND');
    expect(stderr).toBe('');
  });
});
