/** `hcd media`. The rules of files are tested over HTTP, in test/http/gateway/media.test.ts. */
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { deliveries } from '../../src/webhooks/models/deliveries.js';
import { insertSubscription } from '../../src/webhooks/models/subscriptions.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { startTestSite } from '../support/site.js';
import { makeTempDir } from '../support/temp-dir.js';

const modified = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

describeEachDatabase('hcd media', (database) => {
  let db: CliDatabase;
  let cwd: string;
  let env: Record<string, string>;

  beforeEach(async () => {
    db = await prepareCliDatabase(await database.url());
    cwd = await makeTempDir('media');
    env = { HCD_FILES_DIR: join(cwd, 'files'), HCD_MEDIA_MAX_BYTES: '5000' };
    await writeFile(join(cwd, 'large.txt'), 'x'.repeat(5001));
    await writeFile(join(cwd, 'notes.txt'), 'Hello');
    await writeFile(join(cwd, '.hidden'), 'Hello');
    await writeFile(join(cwd, 'archive.jpg'), Buffer.from('504b03040a0000000000', 'hex'));
  });

  const run = (line: string) => db.run(line, { cwd, env });
  const json = (line: string) => db.json(line, { cwd, env });

  test('puts, lists, shows and removes files', async () => {
    const file = { path: 'texts/notes.txt', url: '/files/texts/notes.txt', size: 5, type: 'text/plain', modified };
    expect((await run('media list')).stdout).toBe('');
    expect(await json('media put notes.txt texts/')).toEqual({ data: file });
    expect((await run('media put notes.txt')).stderr).toBe('It is served at /files/notes.txt\n');
    expect(await json('media list texts')).toEqual({ data: [file], meta: { total: 1 } });
    expect(await json('media list --limit 1 --offset 1')).toMatchObject({ data: [file], meta: { total: 2 } });
    expect(await json('media list --q TES --type text')).toMatchObject({ data: [{}, {}], meta: { total: 2 } });
    expect(await json('media list --q TEXTS --type text/plain')).toEqual({ data: [file], meta: { total: 1 } });
    expect(await json('media list --type image')).toEqual({ data: [], meta: { total: 0 } });
    expect(await json('media show texts/notes.txt')).toEqual({ data: file });
    expect(await json('media remove texts/notes.txt --yes')).toEqual({
      data: { path: 'texts/notes.txt', deleted: true },
    });
    expect((await run('media show texts/notes.txt')).stderr).toBe('hcd: There is no file texts/notes.txt\n');
    expect(await readdir(join(cwd, 'files', '.hcd', 'uploads'))).toEqual([]);
  });

  test('puts what standard input has', async () => {
    const put = await db.run('media put - texts/typed.txt', { cwd, env, stdin: 'Typed' });
    expect(put.code).toBe(0);
    expect(await readFile(join(cwd, 'files', 'texts', 'typed.txt'), 'utf8')).toBe('Typed');
    expect((await db.run('media put - texts/', { cwd, env, stdin: 'Typed' })).stderr).toContain('PATH');
    const large = await db.run('media put - large.txt', { cwd, env, stdin: 'x'.repeat(5001) });
    expect(large.stderr).toContain('The file is larger than 5000 bytes (media_max_bytes)');
    expect((await db.run('media put - empty.txt', { cwd, env, stdin: '' })).stderr).toContain('is empty');
    expect(await readdir(join(cwd, 'files', '.hcd', 'uploads'))).toEqual([]);
  });

  test.each([
    ['media put missing.txt', 'missing.txt cannot be read: it does not exist'],
    ['media put .', 'is not a file'],
    ['media put large.txt', 'The file is larger than 5000 bytes (media_max_bytes)'],
    ['media put archive.jpg', 'The name says image/jpeg, but the content is application/zip'],
    ['media put notes.txt ../notes.txt', 'hcd: PATH ../notes.txt: must be a path such as products/lamp.jpg: parts of'],
    ['media put .hidden', 'hcd: FILE .hidden: cannot keep its name; give a path such as products/lamp.jpg: parts of'],
    ['media put .hidden texts/', 'hcd: FILE .hidden: cannot keep its name; give a path such as products/lamp.jpg'],
    ['media put notes.txt .texts/', 'hcd: PATH .texts/: must be a path such as products/lamp.jpg'],
    ['media put notes.txt .hidden.txt', 'must be a path such as products'],
    ['media put notes.txt notes', 'says no type, as .jpg does (a folder ends with /); media_types has: '],
    ['media list missing', 'There is no folder missing'],
    ['media remove missing.txt --yes', 'There is no file missing.txt'],
  ])('refuses %s', async (line, problem) => {
    const { code, stderr } = await run(line);
    expect(stderr).not.toContain('Send application/json');
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(await readdir(join(cwd, 'files', '.hcd', 'uploads')).catch(() => [])).toEqual([]);
  });

  test('writes a file that the server may read, and reports it to a running one', async () => {
    await chmod(join(cwd, 'notes.txt'), 0o600);
    const identities = { all: { kind: 'api_key', id: 'all', scopes: new Set(['*']), userId: null } } as const;
    const filesDir = env['HCD_FILES_DIR'] ?? '';
    const site = await startTestSite({
      databaseUrl: db.url,
      filesDir,
      env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
      identities,
    });
    await db.change(async ({ own }) => {
      const subscription = { name: null, url: 'https://example.com/', events: ['*'], active: true };
      await own.write((tx) => insertSubscription(tx, { ...subscription, secret: 'x', createdBy: 'test' }));
    });
    const ask = async () => (await fetch(`${site.url}/files/notes.txt`)).text();
    await run('media put notes.txt');
    expect((await stat(join(filesDir, 'notes.txt'))).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(await ask()).toBe('Hello');
    await writeFile(join(cwd, 'notes.txt'), 'Other');
    await run('media put notes.txt --overwrite --events');
    await site.live.refresh();
    expect(await ask()).toBe('Other');
    await run('media remove notes.txt --yes --events');
    const sent = await deliveries.on(site.store.own.primary).findAll({ attributes: ['event'], order: ['id'] });
    expect(sent.map(({ event }) => event)).toEqual(['media.updated', 'media.deleted']);
  });

  test('says that the folder cannot be written', async () => {
    await writeFile(join(cwd, 'files'), 'a file in the way');
    const { code, stderr } = await run('media put notes.txt');
    const problem = 'hcd: The folder of the files (files_dir) cannot be written (EEXIST)\n';
    expect([code, stderr]).toEqual([3, expect.stringContaining(problem)]);
  });

  test('refuses a taken name unless it may be replaced', async () => {
    await run('media put notes.txt');
    expect((await run('media put notes.txt')).stderr).toContain('There is a file or folder notes.txt already');
    expect((await run('media put notes.txt --overwrite')).code).toBe(0);
  });

  test('takes a folder that is reached through a link', async () => {
    await mkdir(join(cwd, 'real'));
    await symlink(join(cwd, 'real'), join(cwd, 'files'));
    expect((await run('media put notes.txt')).code).toBe(0);
    expect((await run('media show notes.txt')).code).toBe(0);
  });
});
