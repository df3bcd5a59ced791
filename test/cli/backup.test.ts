/** The command lines of `hcd backup` and `hcd restore`: what they accept, what they print, how they end. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Interrupted } from '../../commands/exit-codes.js';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { change, makeOwnStore, rowsOf } from '../operations/copy/stores.js';
import { type CliOptions, runCli, runCliProcess } from '../support/cli.js';
import { fakeClock } from '../support/clock.js';
import { freshSqliteUrl } from '../support/databases.js';
import { eventually } from '../support/eventually.js';
import { makeTempDir } from '../support/temp-dir.js';

const surroundings: CliOptions = { openStore, clock: systemClock };

async function makeSite(): Promise<{ url: string; folder: string }> {
  const url = await freshSqliteUrl();
  await makeOwnStore(url, { site_content: [{ id: 1 }] });
  return { url, folder: await makeTempDir('backup') };
}

describe('hcd backup', () => {
  test.each([
    ['without a file', 'backup', 'FILE or --dir is required'],
    ['with a file and a folder', 'backup a --dir b', 'FILE or --dir is required, and not both'],
    ['with --keep alone', 'backup a --keep 3', '--keep can only be used with --dir'],
    ['that keeps none', 'backup --dir b --keep 0', '--keep must be'],
  ])('is wrong usage %s', async (_name, line, problem) => {
    const outcome = await runCli(line);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(problem);
  });

  test('does not write to a terminal', async () => {
    const outcome = await runCli('backup -', { terminal: { columns: 80 } });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toContain('not a terminal');
  });

  test('prints what it wrote as JSON', async () => {
    const { url, folder } = await makeSite();
    const clock = fakeClock();
    const outcome = await runCli(['backup', '--dir', folder, '--database', url, '--json'], { openStore, clock });
    const { data } = JSON.parse(outcome.stdout);
    expect(Object.keys(data)).toEqual(['file', 'bytes', 'created', 'version', 'encrypted', 'tables', 'rows']);
    const [name = ''] = readdirSync(folder);
    expect(name).toMatch(/^hcd-\d{8}T\d{6}\.\d{3}Z\.backup$/);
    expect(data).toMatchObject({
      file: join(folder, name),
      bytes: statSync(join(folder, name)).size,
      encrypted: false,
    });
  });

  test('names a folder that does not exist, and how to create it', async () => {
    const { url, folder } = await makeSite();
    const absent = join(folder, 'nightly');
    const message = `${absent} cannot be written: there is no such file or folder. Mount its disk, or create it: mkdir -p -m 700 ${absent}`;
    for (const place of [['--dir', absent], [join(absent, 'site.backup')]]) {
      const outcome = await runCli(['backup', ...place, '--database', url], surroundings);
      expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(message) });
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test('keeps the newest files of its own names only, and the one that it wrote', async () => {
    const { url, folder } = await makeSite();
    const others = ['hcd-20200101T000000.000Z.backup', 'hcd-20990101T000000.000Z.backup', 'hcd-old.backup', 'mine.txt'];
    for (const name of others) writeFileSync(join(folder, name), 'x');
    const line = ['backup', '--dir', folder, '--keep', '2', '--database', url, '--json'];
    const outcome = await runCli(line, surroundings);
    const written = JSON.parse(outcome.stdout).data.file.slice(folder.length + 1);
    expect(readdirSync(folder).sort()).toEqual(
      [written, 'hcd-20990101T000000.000Z.backup', 'hcd-old.backup', 'mine.txt'].sort(),
    );
  });

  test('removes what killed backups left, and nothing that a running one writes', async () => {
    const { url, folder } = await makeSite();
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const unfinished = (name: string) => `hcd-20200101T000000.${name}.partial`;
    const kept = [unfinished(`002Z.backup.${process.ppid}`), 'mine.partial'];
    for (const name of [unfinished(`001Z.backup.${ended}`), unfinished('003Z.backup'), ...kept]) {
      writeFileSync(join(folder, name), 'x');
    }
    const store = dirname(url.slice('sqlite:'.length));
    const running = `hcd-backup-${process.ppid}-abcdef`;
    for (const name of [`hcd-backup-${ended}-abcdef`, running]) mkdirSync(join(store, name));
    expect(await runCli(['backup', '--dir', folder, '--database', url], surroundings)).toMatchObject({ code: 0 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual(kept);
    expect(readdirSync(store).filter((name) => name.startsWith('hcd-backup-'))).toEqual([running]);
  });

  test('to a file removes what killed backups of that file left, and nothing else', async () => {
    const { url, folder } = await makeSite();
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const kept = [
      ...[`a.backup.${process.ppid}.partial`, 'a.backup.partial', `b.backup.${ended}.partial`],
      `hcd-20200101T000000.001Z.backup.${ended}.partial`,
    ];
    for (const name of [`a.backup.${ended}.partial`, ...kept]) writeFileSync(join(folder, name), 'x');
    const outcome = await runCli(['backup', join(folder, 'a.backup'), '--database', url], surroundings);
    expect(outcome).toMatchObject({ code: 0 });
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual(kept.sort());
  });

  test('replaces a file only with --yes', async () => {
    const { url, folder } = await makeSite();
    const file = join(folder, 'a.backup');
    writeFileSync(file, 'precious');
    expect(await runCli(['backup', file, '--database', url], surroundings)).toMatchObject({ code: 1 });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(await runCli(['backup', file, '--database', url, '--yes'], surroundings)).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'latin1')).toMatch(/^hcd-backup 2 /);
  });

  test.each(['backup', 'export'])('never replaces the database by what hcd %s writes', async (command) => {
    const { url, folder } = await makeSite();
    const database = url.slice('sqlite:'.length);
    symlinkSync(database, join(folder, 'link'));
    for (const path of [database, join(folder, 'link')]) {
      const outcome = await runCli([command, path, '--database', url, '--yes'], surroundings);
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('is a file of the database') });
    }
    const inFolder = await runCli([command, folder, '--database', url, '--yes'], surroundings);
    // An export into a folder writes files beside the database.
    if (command === 'export') expect(inFolder).toMatchObject({ code: 0 });
    else expect(inFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('is a folder') });
    expect(await rowsOf(url, 'modx_site_content', ['id'])).toEqual(['[1]']);
  });

  test('says what is wrong with a folder or a database', async () => {
    const { url, folder } = await makeSite();
    const nowhere = await runCli(['backup', join(folder, 'no', 'a'), '--database', url], surroundings);
    expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no such file or folder') });
    const empty = await runCli(
      ['backup', join(folder, 'a'), '--database', `sqlite:${folder}/none.sqlite`],
      surroundings,
    );
    expect(empty).toMatchObject({ code: 3, stderr: expect.stringContaining('hcd migrate') });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a passphrase', () => {
  test('encrypts, and its file may end in a line end', async () => {
    const { url, folder } = await makeSite();
    const [file, secret, same, wrong, empty] = ['a', 'secret', 'same', 'wrong', 'empty'].map((name) =>
      join(folder, name),
    );
    writeFileSync(secret ?? '', 'correct horse\n');
    writeFileSync(same ?? '', 'correct horse\r\n');
    writeFileSync(wrong ?? '', 'correct horse\n\n');
    writeFileSync(empty ?? '', '\n');
    const run = async (...words: (string | undefined)[]) => {
      const outcome = await runCli([...words.map((word) => word ?? ''), '--json'], surroundings);
      const { error, data } = JSON.parse(outcome.stdout);
      return error?.code ?? data;
    };
    const target = await freshSqliteUrl();
    const restore = (...words: (string | undefined)[]) => run('restore', file, '--database', target, ...words);
    expect(await run('backup', file, '--database', url, '--passphrase-file', empty)).toBe('passphrase_needed');
    expect(await run('backup', file, '--database', url, '--passphrase-file', secret)).toMatchObject({
      encrypted: true,
    });
    expect(await restore()).toBe('passphrase_needed');
    expect(await restore('--passphrase-file', wrong)).toBe('passphrase_wrong');
    expect(await restore('--passphrase-file', join(folder, 'missing'))).toBe('refused');
    expect(await restore('--passphrase-file', same)).toEqual({ tables: expect.any(Number), rows: expect.any(Number) });
  });
});

describe('hcd restore', () => {
  test('asks on a terminal before it replaces a store', async () => {
    const { url, folder } = await makeSite();
    const file = join(folder, 'a.backup');
    await runCli(['backup', file, '--database', url], surroundings);
    const typed = (stdin: string) =>
      runCli(['restore', file, '--database', url, '--no-color'], {
        ...surroundings,
        stdin,
        terminal: { columns: 100 },
      });
    const refused = await typed('n\n');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed') });
    expect(refused.stderr).toContain('Replace all of it with the backup?');
    expect(await typed('y\n')).toMatchObject({ code: 0 });
  });

  test('replaces nothing once it was interrupted', async () => {
    const { url, folder } = await makeSite();
    const file = join(folder, 'a.backup');
    await runCli(['backup', file, '--database', url], surroundings);
    await change(url, ["UPDATE modx_site_content SET pagetitle = 'newer'"]);
    const controller = new AbortController();
    // Time is asked for when the first bytes were read.
    const elapsed = () => {
      controller.abort(new Interrupted());
      return systemClock.elapsed();
    };
    const outcome = await runCli(['restore', file, '--database', url, '--yes'], {
      ...surroundings,
      clock: { ...systemClock, elapsed },
      stop: controller.signal,
    });
    expect(outcome).toMatchObject({ code: 130, stdout: '', stderr: 'hcd: interrupted\n' });
    await eventually(() =>
      expect(readdirSync(dirname(url.slice('sqlite:'.length)))).not.toContain('test.sqlite.restore'),
    );
    expect(await rowsOf(url, 'modx_site_content', ['pagetitle'])).toEqual(['["newer"]']);
  });

  test('refuses a file that is missing, a folder and another file', async () => {
    const { url, folder } = await makeSite();
    writeFileSync(join(folder, 'text'), 'Dear Sir or Madam\n');
    for (const [name, code] of [
      ['missing', 'refused'],
      ['.', 'refused'],
      ['text', 'backup_invalid'],
    ] as const) {
      const outcome = await runCli(['restore', join(folder, name), '--database', url, '--yes', '--json'], surroundings);
      expect([name, outcome.code, JSON.parse(outcome.stdout).error.code]).toEqual([name, 1, code]);
    }
  });

  test('reads standard input and writes standard output', async () => {
    const { url, folder } = await makeSite();
    const { spawnSync } = await import('node:child_process');
    const target = `sqlite:${join(folder, 'b.sqlite')}`;
    const pipe = `"$0" bin/hcd backup - --database '${url}' | "$0" bin/hcd restore - --database '${target}'`;
    const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', pipe, process.execPath]);
    // Work of more than five seconds shows how far it is.
    const said = String(stderr).replaceAll(/^[\w ]+: \d+(?: of \d+ \(\d+ %\))?\n/gm, '');
    expect([status, said]).toEqual([0, '']);
    expect(await runCliProcess(['doctor', '--database', target])).toMatchObject({ code: 0 });
  });
});
