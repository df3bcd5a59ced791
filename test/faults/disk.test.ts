/**
 * A disk that is full, and one that can only be read, as file systems of their own: they need the right to mount, and are
 * skipped without it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { loadSqliteDriver, openConnection } from '../../src/store/sqlite/connection.js';
import { makeOwnStore, rowsOf } from '../operations/copy/stores.js';
import { opened, run as runStatements } from '../store/opened.js';
import { runCli, runCliProcess, startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { expectSound } from '../support/sound-store.js';
import { makeTempDir } from '../support/temp-dir.js';

function run(program: string, ...words: readonly string[]): boolean {
  return spawnSync(program, words).status === 0;
}

/** Tried in a namespace that ends with the trial. */
const mayMount = process.getuid?.() === 0 && run('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt');
if (!mayMount) process.stdout.write('This user may not mount: the tests of full and read-only disks are skipped.\n');

/** A new file system of 6 MiB, unmounted with the test. */
async function makeDisk(): Promise<string> {
  const folder = join(await makeTempDir('disk'), 'disk');
  await mkdir(folder);
  expect(run('mount', '-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder)).toBe(true);
  onTestFinished(() => expect(run('umount', folder)).toBe(true));
  return folder;
}

/** Writes until no byte is left; gives the file. */
async function fill(folder: string): Promise<string> {
  const path = join(folder, 'filler');
  const file = await open(path, 'w');
  try {
    for (const size of [65_536, 512]) {
      try {
        while (writeSync(file.fd, Buffer.alloc(size, 1)) === size);
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' });
      }
    }
  } finally {
    await file.close();
  }
  return path;
}

describe.skipIf(!mayMount)('a store', () => {
  it('whose log has filled the disk under a long read takes writes again when the read has ended', async () => {
    const path = join(await makeDisk(), 'site.sqlite');
    const db = await opened({ url: `sqlite:${path}`, create: true });
    await runStatements(
      db,
      'CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB)',
      'INSERT INTO t VALUES (1, zeroblob(200000))',
    );
    const driver = await loadSqliteDriver();
    const other = openConnection({ driver, path, readonly: false });
    other.rows('PRAGMA wal_checkpoint(TRUNCATE)', []);
    const write = () =>
      db
        .write((tx) => tx.run({ sql: 'UPDATE t SET b = randomblob(200000)', params: [] }))
        .then(
          () => 'written',
          (error: unknown) => error,
        );
    other.exec('BEGIN');
    other.rows('SELECT COUNT(*) FROM t', []);
    let found: unknown = 'written';
    while (found === 'written') found = await write();
    expect(found).toMatchObject({ code: 'unavailable' });
    expect(await write()).toMatchObject({ code: 'unavailable' });
    // What was begun before must not be what helps.
    await new Promise((resolve) => setTimeout(resolve, 500));
    other.exec('COMMIT');
    other.close();
    await expect.poll(write).toBe('written');
    for (let at = 0; at < 50; at += 1) expect(await write()).toBe('written');
    await db.close();
  });

  it('on a full disk is read, refuses writes with 503, and takes them again when there is space', async () => {
    const folder = await makeDisk();
    const url = `sqlite:${join(folder, 'site.sqlite')}`;
    const port = await freePort();
    const env = { HCD_DATABASE_URL: url, HCD_GATEWAY_RATE_LIMIT_ENABLED: '0', HCD_GATEWAY_CACHE_ENABLED: '0' };
    const cwd = await makeTempDir('full-disk');
    expect((await runCliProcess('migrate', { cwd, env })).code).toBe(0);
    const made = await runCliProcess('key create --scopes * --name disk --json', { cwd, env });
    const key: string = JSON.parse(made.stdout).data.key;
    const server = startCli(`serve gateway --port ${port}`, { cwd, env });
    await server.waitForStderr('listening on http://');
    const resources = `http://127.0.0.1:${port}/api/v1/resources`;
    let count = 0;
    const write = async (): Promise<number> => {
      count += 1;
      const answer = await fetch(resources, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ pagetitle: `Page ${count}`, alias: `page-${count}`, published: true }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const titles = async (): Promise<unknown> => {
      const answer = await fetch(`${resources}?fields=alias&sort=id`);
      return [answer.status, JSON.parse(await answer.text()).data.map((row: { alias: string }) => row.alias)];
    };
    try {
      expect(await write()).toBe(201);
      for (const round of [1, 2]) {
        const before = await titles();
        const filler = await fill(folder);
        // What its log still had room for may succeed.
        const refused: number[] = [];
        for (let turn = 0; turn < 60 && refused.length < 3; turn += 1) {
          const status = await write();
          if (status !== 201) refused.push(status);
        }
        expect([round, refused]).toEqual([round, [503, 503, 503]]);
        expect(before).toMatchObject([200, expect.any(Array)]);
        expect((await fetch(`http://127.0.0.1:${port}/api/v1/health`)).status).toBe(200);
        const [status] = (await titles()) as [number];
        expect(status).toBe(200);
        rmSync(filler);
        await expect.poll(write).toBe(201);
      }
    } finally {
      server.kill('SIGTERM');
      const { code, stderr } = await server.outcome;
      expect([code, stderr.includes('database or disk is full'), stderr.includes('"stack"')]).toEqual([0, true, false]);
    }
    await expectSound(url);
  });

  it('on a full disk has no half configuration file', async () => {
    const cwd = await makeDisk();
    const line = 'init --yes --without-key --database sqlite:site.sqlite';
    expect((await runCliProcess('migrate --database sqlite:site.sqlite', { cwd })).code).toBe(0);
    const full = await fill(cwd);
    const { code, stderr } = await runCliProcess(line, { cwd });
    expect([code === 0 || code === 70, stderr.includes('is a bug')]).toEqual([false, false]);
    expect(readdirSync(cwd).filter((name) => name.startsWith('hcd.toml'))).toEqual([]);
    rmSync(full);
    expect((await runCliProcess(line, { cwd })).code).toBe(0);
    expect(statSync(join(cwd, 'hcd.toml')).mode & 0o777).toBe(0o600);
  });

  it('on a full disk leaves no half migration, and no half backup', async () => {
    const folder = await makeDisk();
    const cwd = await makeTempDir('full-disk');
    const url = `sqlite:${join(folder, 'site.sqlite')}`;
    const env = { HCD_DATABASE_URL: url };
    const filler = await fill(folder);
    const migrated = await runCliProcess('migrate', { cwd, env });
    expect([migrated.code, migrated.stderr.includes('is a bug')]).toEqual([3, false]);
    rmSync(filler);
    expect((await runCliProcess('migrate', { cwd, env })).code).toBe(0);
    rmSync(await fill(folder));
    const full = await fill(folder);
    const backup = join(folder, 'site.backup');
    const taken = await runCliProcess(['backup', backup], { cwd, env });
    expect([taken.code === 0, existsSync(backup)]).toEqual([false, false]);
    const worked = await runCliProcess('worker --once', { cwd, env });
    expect([worked.code, worked.stderr]).toEqual([3, expect.stringMatching(/full/)]);
    expect(worked.stderr).not.toContain('does not answer');
    rmSync(full);
    await expectSound(url);
  });

  it('has a complete backup after exit code 0, however little space there was', async () => {
    const folder = await makeDisk();
    const elsewhere = await makeTempDir('full-disk');
    const url = `sqlite:${join(folder, 'site.sqlite')}`;
    await makeOwnStore(url, { site_content: [{ id: 77, content: 'text '.repeat(20_000) }] });
    const cli = (...words: readonly string[]) => runCli(words, { openStore, clock: systemClock });
    const file = join(elsewhere, 'site.backup');
    let code: number | null = -1;
    for (let space = 1; code !== 0; space += 1) {
      const filler = await fill(folder);
      truncateSync(filler, Math.max(0, statSync(filler).size - space * 192 * 1024));
      ({ code } = await cli('backup', file, '--database', url));
      expect(existsSync(file)).toBe(code === 0);
      rmSync(filler);
    }
    const target = `sqlite:${join(elsewhere, 'new.sqlite')}`;
    expect(await cli('restore', file, '--database', target)).toMatchObject({ code: 0 });
    expect(await rowsOf(target, 'modx_site_content', ['id'])).toEqual(['[77]']);
  });

  it('on a full disk says so during an import, which goes on when there is space', async () => {
    const folder = await makeDisk();
    const cwd = await makeTempDir('full-disk');
    const env = { HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}` };
    expect((await runCliProcess('migrate', { cwd, env })).code).toBe(0);
    const records = Array.from({ length: 100 }, (_none, at) => ({
      object: 'resources',
      record: {
        context_key: 'web',
        pagetitle: `Page ${at}`,
        alias: `page-${at}`,
        uri: `page-${at}.html`,
        content: 'text '.repeat(2000),
      },
    }));
    const content = [{ hcd: 1, exported: '2026-11-23T12:00:00Z' }, ...records].map(
      (line) => `${JSON.stringify(line)}\n`,
    );
    const file = join(cwd, 'content.ndjson');
    await writeFile(file, content.join(''));
    const filler = await fill(folder);
    // Room to open the database.
    truncateSync(filler, statSync(filler).size - 512 * 1024);
    const stopped = await runCliProcess(['import', file], { cwd, env });
    expect([stopped.code, stopped.stderr]).toEqual([3, expect.stringContaining('its disk is full, or fails')]);
    rmSync(filler);
    const again = await runCliProcess(['import', file], { cwd, env });
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('full')]);
    await expectSound(env.HCD_DATABASE_URL);
  });

  it('on a disk that can only be read is refused with what to do, by every command', async () => {
    const folder = await makeDisk();
    const cwd = await makeTempDir('read-only-disk');
    const env = { HCD_DATABASE_URL: `sqlite:${join(folder, 'site.sqlite')}`, HCD_PORT: String(await freePort()) };
    expect((await runCliProcess('migrate', { cwd, env })).code).toBe(0);
    expect(run('mount', '-o', 'remount,ro', folder)).toBe(true);
    for (const line of ['serve', 'worker --once', 'migrate', 'db check', 'key create --scopes *', 'resource list']) {
      const { code, stderr } = await runCliProcess(line, { cwd, env });
      expect([line, code]).toEqual([line, 3]);
      expect(stderr).toContain('that this user may write the file and the folder');
    }
    expect(run('mount', '-o', 'remount,rw', folder)).toBe(true);
    await expectSound(env.HCD_DATABASE_URL);
  });
});
