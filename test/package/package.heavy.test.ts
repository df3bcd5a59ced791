/** The packed program, installed into an empty directory, holds what it needs and starts. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { checkSqliteVersion } from '../../src/store/sqlite/connection.js';
import { loadNodeDriver } from '../../src/store/sqlite/driver.js';
import { type InstalledPackage, installGlobally, installPackage } from './installed-package.js';

const run = promisify(execFile);

/** Whatever listens on the usual port of this machine. */
const env = { ...process.env, HCD_PORT: '0' };

describe('the installed package', () => {
  let installed: InstalledPackage;

  beforeAll(async () => {
    installed = await installPackage();
  });

  const hcd = (...words: string[]) => run(installed.program, words, { cwd: installed.directory, env });

  test('holds the program and its documents', () => {
    expect(installed.files).toEqual(
      expect.arrayContaining([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin/hcd',
        'dist/commands/main.js',
        'dist/serve/main.js',
        'man/hcd.1',
        'package.json',
      ]),
    );
  });

  test('holds neither sources nor tests nor benchmarks', () => {
    const allowed =
      /^((README|CHANGELOG)\.md|LICENSE|package\.json|bin\/hcd|(assets|docs|contrib|examples)\/.*|man\/.*\.1|dist\/(src|commands|migrations|serve)\/.*\.js|dist\/modx\/hcd-[\d.]+-pl\.transport\.zip)$/;
    expect(installed.files.filter((path) => !allowed.test(path))).toEqual([]);
  });

  test('has man pages that are found after a global installation', async () => {
    const home = await installGlobally();
    const found = async (page: string) => (await run('man', ['-M', join(home, 'share/man'), '-w', page])).stdout.trim();
    for (const page of ['hcd', 'hcd-key-create']) expect(await found(page)).toMatch(new RegExp(`/man/${page}\\.1$`));
  });

  test('prints its version', async () => {
    expect(await hcd('--version')).toEqual({ stdout: `${installed.version}\n`, stderr: '' });
  });

  test('prints its help', async () => {
    const { stdout, stderr } = await hcd('--help');
    expect(stdout).toContain('Usage:\n  hcd COMMAND');
    expect(stderr).toBe('');
  });

  test.each([
    ['hcd mcp', ['mcp', '--key', 'hcd_none'], {}, '@modelcontextprotocol/sdk@1'],
    ['Redis', ['serve'], { HCD_REDIS_URL: 'redis://127.0.0.1:1' }, '@redis/client@6'],
  ])('says what to install for %s', async (user, words, more, spec) => {
    const { directory, program } = await installPackage();
    const options = { cwd: directory, env: { ...env, ...more } };
    await run(program, ['migrate', 'up', '--quiet'], { cwd: directory, env });
    const refused = await run(program, words, options).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        `hcd: ${user} needs a package that is not installed. Next to hcd (--global if hcd is), run: npm install ${spec}\n`,
      ),
    });
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

const isSqliteOfNodeUsable = ((): boolean => {
  const driver = loadNodeDriver();
  try {
    if (driver !== undefined) checkSqliteVersion(driver);
    return driver !== undefined;
  } catch {
    return false;
  }
})();

describe('the installed package without better-sqlite3', () => {
  test.runIf(isSqliteOfNodeUsable)(
    'uses the SQLite of Node without a warning',
    async () => {
      const { program, directory } = await installPackage(['better-sqlite3']);
      const hcd = (...words: string[]) => run(program, words, { cwd: directory, env });
      expect(await hcd('migrate', 'up', '--quiet')).toEqual({ stdout: '', stderr: '' });
      await hcd('demo', '--json');
      const { stdout, stderr } = await hcd('resource', 'list', '--q', 'index', '--json');
      expect([JSON.parse(stdout).data.length > 0, stderr]).toEqual([true, '']);
      expect((await hcd('doctor', '--all').catch((error: { stdout: string }) => error)).stdout).toMatch(
        /^sqlite-library\tok\tSQLite [\d.]+ in node:sqlite\t/m,
      );
    },
    90_000,
  );

  test.skipIf(isSqliteOfNodeUsable)('says what to install', async () => {
    const { program, directory } = await installPackage(['better-sqlite3']);
    const refused = await run(program, ['migrate', 'up'], { cwd: directory }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(String(Reflect.get(Object(refused), 'stderr'))).toMatch(
      loadNodeDriver() === undefined
        ? /^hcd: No SQLite library can be loaded\. Install the package better-sqlite3 .*where hcd is installed/
        : /^hcd: SQLite [\d.]+ inside node:sqlite can damage a file that several processes write\. /,
    );
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
