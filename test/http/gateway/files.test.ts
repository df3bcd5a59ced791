/** Files of the site over HTTP (docs/files.md). */
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { rawGet, sendRaw } from '../../support/raw-socket.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

const large = randomBytes(700_001);

describeEachDatabase('files', (database) => {
  let site: TestSite;
  let folder: string;
  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${site.url}/files/${path}`, { method, headers });

  beforeAll(async () => {
    const outside = await makeTempDir('outside');
    await writeFile(join(outside, 'secret.txt'), 'secret');
    folder = join(outside, 'files');
    await mkdir(join(folder, 'a b'), { recursive: true });
    await mkdir(join(folder, '.hcd'));
    const contents: Record<string, string | Buffer> = {
      ...{ 'hello.txt': 'Hello, world', 'large.bin': large, 'page.html': '<script>alert(1)</script>' },
      ...{ 'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>', 'feed.xml': '<feed/>', 'empty.txt': '' },
      ...{ 'model.dae': '<COLLADA/>', 'scene.x3d': '<X3D/>', [`${'x'.repeat(251)}.txt`]: 'long' },
      ...{ 'photo.JPG': 'a photo', noextension: 'x', 'a b/ünï.css': 'a{}', '.env': 'SECRET=1', '.hcd/x.txt': 'x' },
    };
    for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);
    await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'));
    await symlink(outside, join(folder, 'linked'));
    site = await startTestSite({
      databaseUrl: await database.url(),
      filesDir: folder,
      env: { HCD_GATEWAY_CACHE_ENABLED: '1' },
    });
  });

  test.each([
    ['hello.txt', 'text/plain; charset=utf-8', null],
    ['page.html', 'text/html; charset=utf-8', 'sandbox'],
    ['drawing.svg', 'image/svg+xml', 'sandbox'],
    ['feed.xml', 'application/xml', 'sandbox'],
    ['model.dae', 'model/vnd.collada+xml', 'sandbox'],
    ['scene.x3d', 'model/x3d+xml', 'sandbox'],
    ['photo.JPG', 'image/jpeg', null],
    [`${'x'.repeat(251)}.txt`, 'text/plain; charset=utf-8', null],
    ['noextension', 'application/octet-stream', null],
    ['a%20b/%C3%BCn%C3%AF.css', 'text/css; charset=utf-8', null],
    ['empty.txt', 'text/plain; charset=utf-8', null],
    ['large.bin', 'application/octet-stream', null],
  ])('sends %s with its type', async (path, type, policy) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toBe(
      policy && "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.headers.get('cache-tag')).toBe(`gateway:media,gateway:media:${path}`);
    expect(answer.headers.get('last-modified')).toMatch(/GMT$/);
    const size = Buffer.from(await answer.arrayBuffer()).length;
    const head = await ask(path, {}, 'HEAD');
    const tagged = [200, String(size), answer.headers.get('etag')];
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual(tagged);
  });

  test.each([
    ...['', 'a%20b', 'a%20b/', 'hello.txt/', 'missing.txt', '.env', '.hcd/x.txt', '%2eenv', '..%2fsecret.txt'],
    ...['a%20b%2f%C3%BCn%C3%AF.css', 'a%20b%5c%C3%BCn%C3%AF.css', 'link.txt', 'linked/secret.txt', 'hello.txt%0a'],
    ...['hello.txt%7f', 'hello.txt%20', 'hello.txt.', 'hello.txt::$DATA', `${'long/'.repeat(250)}x`],
    'x'.repeat(1500),
  ])('has nothing at "%s"', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  test.each([
    ...['/files/../secret.txt', '/files/a/../../secret.txt', '/files/a%20b/%2e%2e/hello.txt'],
    ...['/files/%2e%2e/secret.txt', '/files//hello.txt', '/files/./hello.txt', '/files/%00'],
  ])('has nothing at %s as it is sent', async (target) => {
    const { port } = new URL(site.url);
    const answer = await sendRaw({ port: Number(port), bytes: rawGet(target) });
    expect([400, 404]).toContain(answer.status);
  });

  test.each([
    ['bytes=0-99', 0, 100],
    ['bytes=100-', 100, 700_001],
    ['bytes=-10', 699_991, 700_001],
    ['bytes=699999-9999999', 699_999, 700_001],
    ['bytes=-9999999', 0, 700_001],
  ])('sends the range %s', async (range, start, end) => {
    const answer = await ask('large.bin', { range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/700001`);
    expect(answer.headers.get('content-length')).toBe(String(end - start));
    expect(Buffer.from(await answer.arrayBuffer()).equals(large.subarray(start, end))).toBe(true);
  });

  test.each(['bytes=700001-', 'bytes=-0', 'bytes=9999999-99999999'])('refuses the range %s', async (range) => {
    const answer = await ask('large.bin', { range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */700001']);
    expect(await answer.json()).toMatchObject({ status: 416, code: 'range_not_satisfiable' });
  });

  test.each(['bytes=5-1', 'bytes=-', 'lines=1-2', 'bytes=0-1,4-5', 'bytes=a-b'])(
    'sends the whole for %s',
    async (range) => {
      const answer = await ask('hello.txt', { range });
      expect([answer.status, await answer.text()]).toEqual([200, 'Hello, world']);
    },
  );

  test('sends the rest of a download only while the file is the same', async () => {
    const tag = (await ask('large.bin', {}, 'HEAD')).headers.get('etag') ?? '';
    const rest = await ask('large.bin', { range: 'bytes=5-9', 'if-range': tag });
    const other = await ask('large.bin', { range: 'bytes=5-9', 'if-range': '"other"' });
    expect([rest.status, other.status]).toEqual([206, 200]);
    await Promise.all([rest.arrayBuffer(), other.arrayBuffer()]);
  });

  test.each(['hello.txt', 'large.bin'])('answers 304 while %s is unchanged', async (path) => {
    const first = await ask(path);
    await first.arrayBuffer();
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{16}"$/);
    const answers = await Promise.all([
      ask(path, { 'if-none-match': etag }),
      ask(path, { 'if-none-match': `"x", W/${etag}` }),
      ask(path, { 'if-modified-since': modified }),
      ask(path, { 'if-modified-since': modified, 'if-none-match': '"x"' }),
      ask(path, { 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([304, 304, 304, 200, 200]);
    for (const answer of answers) await answer.arrayBuffer();
  });

  test('checks conditions before the range, and has no ranges for HEAD', async () => {
    const path = 'large.bin';
    const first = await ask(path, {}, 'HEAD');
    const etag = first.headers.get('etag') ?? '';
    const beyond = { range: 'bytes=700001-' };
    const answers = await Promise.all([
      ask(path, { ...beyond, 'if-none-match': etag }),
      ask(path, { ...beyond, 'if-none-match': '"x"' }),
      ask(path, { range: 'bytes=0-9' }, 'HEAD'),
      ask(path, { 'if-match': '"x"', ...beyond }),
      ask(path, { 'if-match': etag, range: 'bytes=0-9' }),
      ask(path, { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }),
      ask('hello.txt', { 'if-match': '"x"' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([304, 416, 200, 412, 206, 412, 412]);
    for (const answer of answers) await answer.arrayBuffer();
  });

  test('lets caches keep an address with the version forever', async () => {
    const version = (await ask('large.bin', {}, 'HEAD')).headers.get('etag')?.replaceAll('"', '');
    const named = await ask(`large.bin?v=${version}`, {}, 'HEAD');
    const other = await ask('large.bin?v=0123456789abcdef', {}, 'HEAD');
    expect(named.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(other.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test('breaks off a body whose file becomes shorter', async () => {
    const path = join(folder, 'shrinking.bin');
    await writeFile(path, Buffer.alloc(30_000_000));
    const answer = await ask('shrinking.bin');
    await truncate(path, 1000);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    await rm(path);
  });

  test('answers in full when a file is replaced meanwhile', async () => {
    await writeFile(join(folder, 'next'), 'second');
    await writeFile(join(folder, 'changing.bin'), large);
    const answer = await ask('changing.bin');
    await rename(join(folder, 'next'), join(folder, 'changing.bin'));
    expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true);
  });

  test('answers while a file is replaced all the time', async () => {
    const names = ['one', 'two'].map((name) => join(folder, name));
    let isOver = false;
    const replacing = (async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const next = names[turn % 2] ?? '';
        await writeFile(next, turn % 3 === 0 ? large : 'small');
        await rename(next, join(folder, 'replaced.bin'));
      }
    })();
    await eventually(async () => expect((await ask('replaced.bin', {}, 'HEAD')).status).toBe(200));
    const statuses = new Set<number>();
    for (let turn = 0; turn < 200; turn += 1) {
      const answer = await ask('replaced.bin', { range: 'bytes=0-4' });
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
    isOver = true;
    await replacing;
    expect([...statuses]).toEqual([206]);
    await rm(join(folder, 'replaced.bin'));
  });

  test('takes only reads', async () => {
    const answer = await ask('hello.txt', {}, 'DELETE');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('logs the requests with the route', async () => {
    await ask('missing.txt');
    expect(site.log).toContainEqual(
      expect.objectContaining({ kind: 'request_finished', api: 'files', route: '/*path', status: 404 }),
    );
  });
});

describe('a site without files', () => {
  test('has nothing under /files', async () => {
    const site = await startTestSite({ databaseUrl: `sqlite:${await makeTempDir()}/x.sqlite` });
    expect((await fetch(`${site.url}/files/hello.txt`)).status).toBe(404);
  });
});
