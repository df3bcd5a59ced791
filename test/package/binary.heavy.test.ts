/** The single executable, in an empty folder without Node.js and node_modules in reach. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hash } from '@node-rs/argon2';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../src/store/open/open.js';
import { repository } from '../architecture/source-file.js';
import { startCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { makeTempDir } from '../support/temp-dir.js';
import { findBinaryNode } from './binary-node.js';

const run = promisify(execFile);
const build = join(repository, 'dist/binary/build.js');

describe('the build of the single executable', () => {
  it('refuses a Node.js that cannot build one', async () => {
    const old = join(await makeTempDir('binary'), 'node');
    await writeFile(old, '#!/bin/sh\necho v24.0.0\n');
    await chmod(old, 0o700);
    await expect(run(process.execPath, [build, '--node', old])).rejects.toMatchObject({
      code: 1,
      stderr:
        'Node.js v24.0.0 cannot build a single executable. Name Node.js 26 or newer: npm run build:binary -- --node /path/to/node\n',
    });
  });
});

describe.skipIf(findBinaryNode() === undefined)('the single executable', () => {
  let executable = '';

  beforeAll(async () => {
    executable = join(await makeTempDir('binary'), 'hcd');
    await run(process.execPath, [build, '--node', findBinaryNode() ?? '', '--out', executable]);
  });

  /** In a folder with nothing but its own temporary files, with the variables given and no others. */
  async function folderFor(variables: Readonly<Record<string, string>>) {
    const cwd = await makeTempDir('binary');
    const temporary = join(cwd, 'tmp');
    await mkdir(temporary);
    const options = { cwd, executable, env: { PATH: '/nowhere', TMPDIR: temporary, ...variables } };
    const start = (line: string) => startCli(line, options);
    const hcd = async (line: string, stdin = '') => {
      const outcome = await startCli(line, { ...options, stdin }).outcome;
      expect(outcome.code, outcome.stderr).toBe(0);
      return outcome.stdout;
    };
    return { cwd, temporary, start, hcd, json: async (line: string) => JSON.parse(await hcd(`${line} --json`)).data };
  }

  it('prints its version and the help of each command', async () => {
    const { hcd } = await folderFor({});
    const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    expect(await hcd('--version')).toBe(`${version}\n`);
    expect(await hcd('webhook rotate-secret --help')).toContain('hcd webhook rotate-secret ID [FLAGS]');
  });

  it('comes with the licences of Node.js and of its packages', async () => {
    const licences = await readFile(`${executable}-licenses.txt`, 'utf8');
    expect(licences).toMatch(/^hcd .*^Node\.js$.*^mariadb \d.* \(LGPL-2\.1-or-later\)$.*^sequelize \d/ms);
  });

  describeEachDatabase('on a database', (database) => {
    it('sets up a site, serves it in two processes, delivers, and backs it up', async () => {
      const url = await database.url();
      const { cwd, temporary, start, hcd, json } = await folderFor({ HCD_DATABASE_URL: url, HCD_PORT: '0' });
      await json('init --yes --without-key');
      await hcd('migrate status');
      const { banners_api_key, page_token } = await json('demo');
      const { key } = await json('key create --scopes resources.read,resources.update');
      const password = 'twelve green tents';
      for (const name of ['bcrypt', 'argon2']) await hcd(`user add ${name} --password-stdin`, password);
      await setHash(url, { username: 'argon2', hash: await hash(password) });

      const port = await freePort();
      const server = start(`serve --workers 2 --port ${port}`);
      onTestFinished(() => server.kill('SIGKILL'));
      await server.waitForStderr(`listening on http://127.0.0.1:${port}`);
      const ask = async (path: string, headers = {}, body?: object) => {
        const given = body && { method: 'POST', body: JSON.stringify(body) };
        const type = body && { 'Content-Type': 'application/json' };
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...type, ...headers }, ...given });
        return `${answer.status} ${await answer.text()}`;
      };
      expect(await ask('/favicon.ico')).toMatch(/^200 /);
      expect(await ask('/api/v1/docs/style.css')).toMatch(/^200 .*\{/s);
      const withToken = { authorization: `Bearer ${page_token}` };
      expect(await ask('/pages/api/v1.php/pages/1?include=html', withToken)).toMatch(/^200 .*<section/);
      expect(await ask('/banners/api.php?route=/', { 'x-api-key': banners_api_key })).toMatch(/^200 \{"success":true/);
      // In the thread of SQLite.
      expect(await ask('/api/v1/resources?q=tent', { 'x-api-key': key })).toMatch(/^200 \{"data":\[\{"id"/);
      for (const username of ['bcrypt', 'argon2']) {
        expect(await ask('/api/v1/auth/session', {}, { username, password })).toMatch(/^20[01] \{"data":\{"user"/);
        expect(await ask('/api/v1/auth/session', {}, { username, password: 'wrong' })).toMatch(/^401 /);
      }
      expect(await readdir(temporary)).toEqual([]);
      await hcd('worker --once');
      expect((await json('status')).servers).toHaveLength(2);
      server.kill('SIGTERM');
      expect((await server.outcome).code).toBe(0);
      await hcd('backup site.backup');
      await hcd('db check');
      expect((await readdir(cwd)).sort()).toEqual(expect.arrayContaining(['hcd.toml', 'site.backup', 'tmp']));
    });
  });

  it('loads plugins and their modules from files', async () => {
    const { cwd, hcd } = await folderFor({ HCD_PLUGINS: 'plugin.mjs' });
    await writeFile(join(cwd, 'name.mjs'), `export const name = 'product';`);
    await writeFile(
      join(cwd, 'plugin.mjs'),
      `import { name } from './name.mjs';
       export const register = (api) => api.registerRelation('resources',
         { name, target: 'resources', type: 'to_one', foreignKey: 'parent', fields: ['id'] });`,
    );
    await hcd('migrate --yes');
    expect(await hcd('object list --json')).toContain('product');
  });
});

/** Stores a password as PHP may have done it. */
async function setHash(databaseUrl: string, { username, hash: password }: { username: string; hash: string }) {
  const store = await openStore({ databaseUrl, prefix: 'modx_' });
  try {
    const params = [password, username];
    await store.content.write((tx) => tx.run({ sql: 'UPDATE modx_users SET password = ? WHERE username = ?', params }));
  } finally {
    await store.close();
  }
}
