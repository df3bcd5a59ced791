/** `hcd media`. The rules of files are tested over HTTP, in test/http/gateway/media.test.ts. */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';

const modified = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);

describeEachDatabase('hcd media', (kind) => {
  let db: CliDatabase;
  let cwd: string;
  let env: Record<string, string>;

  beforeEach(async () => {
    db = await prepareCliDatabase(await kind.url());
    cwd = await makeTempDir('media');
    env = { HCD_FILES_DIR: join(cwd, 'files') };
    await writeFile(join(cwd, 'notes.txt'), 'Hello');
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
    expect(await json('media show texts/notes.txt')).toEqual({ data: file });
    expect(await json('media remove texts/notes.txt --yes')).toEqual({
      data: { path: 'texts/notes.txt', deleted: true },
    });
    expect((await run('media show texts/notes.txt')).stderr).toBe('hcd: There is no file texts/notes.txt\n');
    expect(await readdir(join(cwd, 'files', '.hcd', 'uploads'))).toEqual([]);
  });

  test.each([
    ['media put missing.txt', 'missing.txt cannot be read'],
    ['media put archive.jpg', 'The name says image/jpeg, but the content is application/zip'],
    ['media put notes.txt ../notes.txt', 'must be a path such as products'],
    ['media put notes.txt .hidden.txt', 'must be a path such as products'],
    ['media put notes.txt notes', 'media_types'],
    ['media list missing', 'There is no folder missing'],
    ['media remove missing.txt --yes', 'There is no file missing.txt'],
  ])('refuses %s', async (line, problem) => {
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([1, expect.stringContaining(problem)]);
    expect(await readdir(join(cwd, 'files', '.hcd', 'uploads')).catch(() => [])).toEqual([]);
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
