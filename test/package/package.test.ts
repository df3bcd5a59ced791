/** The packed program, installed into an empty directory, holds what it needs and starts. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
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
      /^((README|CHANGELOG)\.md|LICENSE|package\.json|bin\/hcd|(assets|docs|examples)\/.*|man\/.*\.1|dist\/(src|commands|migrations)\/.*\.js)$/;
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

  test('makes a database, loads the sample site and serves each API', async () => {
    expect(await hcd('migrate', 'up', '--quiet')).toEqual({ stdout: '', stderr: '' });
    const { stdout } = await hcd('demo', '--json');
    const { banners_api_key } = JSON.parse(stdout).data;
    const server = spawn(installed.program, ['serve', '--port', '0'], { cwd: installed.directory });
    try {
      const url = await readyUrl(server);
      const answers = await Promise.all(
        [
          ['/api/v1/pages/index?fields=id,context_key', {}],
          ['/pages/api/v1.php/openapi.json', {}],
          ['/banners/api.php?route=/', { 'x-api-key': banners_api_key }],
          ['/api/v1/docs', { accept: 'text/html' }],
        ].map(async ([path, headers]) => {
          const response = await fetch(`${url}${path}`, { headers: headers as Record<string, string> });
          return [response.status, (await response.text()).slice(0, 15)];
        }),
      );
      expect(answers).toEqual([
        [200, '{"data":{"id":1'],
        [200, '{"openapi":"3.1'],
        [200, '{"success":true'],
        [200, '<!doctype html>'],
      ]);
    } finally {
      server.kill('SIGTERM');
    }
    expect(await new Promise((resolve) => server.once('exit', resolve))).toBe(0);
  });
});

/** Waits for the line that says where the server listens. */
function readyUrl(server: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /listening on (\S+)\n/.exec(said) ?? [];
      if (url) resolve(url);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}
