/** Uploading, listing and removing files over HTTP (docs/files.md#manage-files). */
import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { describeEachDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

const key = (id: string, scopes: readonly string[]): Identity => ({
  kind: 'api_key',
  id,
  scopes: new Set(scopes),
  userId: null,
});
const identities = {
  all: key('all', ['*']),
  maker: key('maker', ['media.create']),
  reader: key('reader', ['media.read']),
  other: key('other', ['resources.read']),
};

interface Sent {
  readonly name?: string;
  readonly content?: string | Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
  readonly as?: keyof typeof identities;
}

describeEachDatabase('media', (database) => {
  let site: TestSite;
  let folder: string;
  let png: Uint8Array;
  let zip: Uint8Array;

  beforeAll(async () => {
    folder = join(await makeTempDir('media'), 'files');
    png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#123456' } })
      .png()
      .toBuffer();
    zip = Buffer.from('504b03040a0000000000', 'hex');
    await mkdir(folder);
    const env = { HCD_MEDIA_MAX_BYTES: '100000', HCD_MEDIA_MAX_PIXELS: '1000000', HCD_GATEWAY_AUDIT_ENABLED: '1' };
    site = await startTestSite({ databaseUrl: await database.url(), filesDir: folder, env, identities });
  });

  async function put({ name = 'lamp.png', content = png, fields = {}, as = 'all' }: Sent) {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new Blob([Buffer.from(content)]), name);
    const answer = await fetch(`${site.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}` },
      body: form,
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  }

  const names = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();
  const uploads = () => readdir(join(folder, '.hcd', 'uploads')).catch(() => []);

  test('keeps a file, shows it and sends it', async () => {
    const { status, headers, body } = await put({ fields: { path: 'products/lamp one.png' } });
    expect(status).toBe(201);
    expect(body).toEqual({
      data: {
        path: 'products/lamp one.png',
        url: '/files/products/lamp%20one.png',
        size: png.length,
        type: 'image/png',
        modified: expect.stringMatching(/^\d{4}-.*Z$/),
        width: 60,
        height: 40,
      },
      meta: {},
    });
    expect(headers.get('location')).toBe('/api/v1/media/products/lamp%20one.png');
    const shown = await site.get('/media/products/lamp%20one.png', { as: 'reader' });
    expect(shown.body).toEqual(body);
    const sent = await fetch(`${site.url}/files/products/lamp%20one.png`);
    expect(Buffer.from(await sent.arrayBuffer()).equals(Buffer.from(png))).toBe(true);
    expect(await uploads()).toEqual([]);
  });

  test.each([
    ['', 'own.png', 'own.png'],
    ['folder/', 'own.png', 'folder/own.png'],
    ['folder/other.png', 'own.png', 'folder/other.png'],
    ['', 'C:\\pictures\\mine.png', 'mine.png'],
    ['', 'ünïcödé.png', 'ünïcödé.png'],
  ])('puts path "%s" of the file %s at %s', async (path, name, expected) => {
    const { status, body } = await put({ name, fields: path === '' ? {} : { path } });
    expect([status, (body['data'] as { path: string }).path]).toEqual([201, expected]);
  });

  test('refuses a taken name, and replaces it where asked', async () => {
    await put({ fields: { path: 'taken.txt' }, content: 'first' });
    const second = await put({ fields: { path: 'taken.txt' }, content: 'second' });
    expect([second.status, second.body['code']]).toEqual([409, 'conflict']);
    expect(await readFile(join(folder, 'taken.txt'), 'utf8')).toBe('first');
    const third = await put({ fields: { path: 'taken.txt', overwrite: '1' }, content: 'third' });
    expect(third.status).toBe(201);
    expect(await (await fetch(`${site.url}/files/taken.txt`)).text()).toBe('third');
    await mkdir(join(folder, 'a-folder.txt'));
    for (const overwrite of ['0', '1']) {
      expect((await put({ fields: { path: 'a-folder.txt', overwrite }, content: 'x' })).status).toBe(409);
    }
    expect((await put({ fields: { path: 'taken.txt/below.txt' }, content: 'x' })).status).toBe(409);
  });

  test('lets one of two uploads of a name win', async () => {
    const both = await Promise.all(['one', 'two'].map((content) => put({ content, fields: { path: 'race.txt' } })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test.each([
    ['an archive named as a picture', { name: 'a.jpg', content: 'zip' }, 'image/jpeg'],
    ['a picture of another type', { name: 'a.jpg' }, 'image/png'],
    ['a type that is not allowed', { name: 'a.html', content: '<p>' }, 'media_types'],
    ['a program', { name: 'a.exe', content: 'MZ' }, 'media_types'],
    ['a name without type', { name: 'a', content: 'x' }, 'media_types'],
    ['a text as a picture', { name: 'a.png', content: 'text' }, 'image/png'],
    ['bytes as a text', { name: 'a.txt', content: Uint8Array.of(65, 0, 66) }, 'text/plain'],
    ['a picture as a text', { name: 'a.txt' }, 'text/plain'],
    ['a page as a drawing', { name: 'a.svg', content: '<html></html>' }, 'image/svg+xml'],
    ['half a picture', { name: 'a.png', content: 'half' }, 'readable'],
  ] as const)('answers %s with 415', async (_name, sent, text) => {
    const content = 'content' in sent ? sent.content : png;
    const known: Record<string, Uint8Array> = { zip, half: png.slice(0, 20) };
    const { status, body } = await put({
      name: sent.name,
      content: typeof content === 'string' ? (known[content] ?? content) : content,
    });
    expect([status, body['code']]).toEqual([415, 'unsupported_media_type']);
    expect(body['detail']).toContain(text);
    expect(await uploads()).toEqual([]);
  });

  test.each([
    ['../x.txt'],
    ['/x.txt'],
    ['a/../x.txt'],
    ['.hidden.txt'],
    ['.hcd/uploads/x.txt'],
    ['a//x.txt'],
    ['a\\x.txt'],
    ['line\nbreak.txt'],
    ['x.txt '],
    ['nul\0.txt'],
    ['right\u202eleft.txt'],
    [`${'x'.repeat(201)}.txt`],
  ])('refuses the path %j', async (path) => {
    const before = await names();
    const { status, body } = await put({ content: 'x', fields: { path } });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['path']]);
    expect(await names()).toEqual(before);
  });

  test('refuses a path through a symbolic link', async () => {
    const outside = await makeTempDir('outside');
    await symlink(outside, join(folder, 'linked'));
    expect((await put({ content: 'x', fields: { path: 'linked/x.txt' } })).status).toBe(422);
    expect(await readdir(outside)).toEqual([]);
  });

  test('refuses pictures of too many pixels', async () => {
    const wide = await sharp({ create: { width: 16_000, height: 100, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { status, body } = await put({ name: 'wide.png', content: wide });
    expect([status, body['errors']]).toEqual([
      422,
      { file: ['has 16000 x 100 pixels; at most 1000000 are taken (media_max_pixels)'] },
    ]);
  });

  test.each([
    ['one more byte', 100_001],
    ['twice as many bytes', 200_000],
  ])('refuses %s than allowed', async (_name, size) => {
    const { status, body } = await put({ name: 'large.txt', content: 'x'.repeat(size) });
    expect([status, body['code']]).toEqual([413, 'payload_too_large']);
    expect(body['detail']).toBe('The file is larger than 100000 bytes (media_max_bytes)');
    expect(await uploads()).toEqual([]);
  });

  test('takes the largest allowed file', async () => {
    expect((await put({ name: 'largest.txt', content: 'x'.repeat(100_000) })).status).toBe(201);
  });

  const part = (name: string, content: string, file = true) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"${file ? '; filename="x.txt"\r\nContent-Type: text/plain' : ''}\r\n\r\n${content}\r\n`;
  const form = 'multipart/form-data; boundary=b';

  test('takes a file whose part names no type', async () => {
    const answer = await fetch(`${site.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer all', 'content-type': form },
      body:
        part('file', 'without', true).replace('\r\nContent-Type: text/plain', '').replace('x.txt', 'bare.txt') +
        '--b--\r\n',
    });
    expect([answer.status, await answer.json()]).toMatchObject([
      201,
      { data: { path: 'bare.txt', type: 'text/plain' } },
    ]);
  });

  test.each([
    ['no file', form, '--b--\r\n', 422, ['file']],
    ['an unknown field', form, `${part('file', 'x')}${part('title', 'x', false)}--b--\r\n`, 422, ['title']],
    ['an empty file', form, `${part('file', '')}--b--\r\n`, 422, ['file']],
    ['two files', form, `${part('file', 'x')}${part('file', 'y')}--b--\r\n`, 422, ['file']],
    ['a file in another field', form, `${part('picture', 'x')}--b--\r\n`, 422, ['picture']],
    [
      'a flag of another kind',
      form,
      `${part('overwrite', 'perhaps', false)}${part('file', 'x')}--b--\r\n`,
      422,
      ['overwrite'],
    ],
    ['a form without an end', form, part('file', 'x'), 422, ['body']],
    ['a form without boundary', 'multipart/form-data', part('file', 'x'), 422, ['body']],
    ['JSON', 'application/json', '{}', 415, null],
    ['long fields', form, `${part('path', 'x'.repeat(20_000), false)}${part('file', 'x')}--b--\r\n`, 413, null],
    [
      'headers that would take long to read',
      form,
      `--b\r\nContent-Disposition: form-data; name="file"; ${'filename="'.repeat(9000)}\r\n\r\nx\r\n--b--\r\n`,
      422,
      ['body'],
    ],
  ])('refuses %s', async (_name, type, text, status, fields) => {
    const answer = await fetch(`${site.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer all', 'content-type': type },
      body: text,
    });
    const body = (await answer.json()) as { errors?: object };
    expect([answer.status, body.errors === undefined ? null : Object.keys(body.errors)]).toEqual([status, fields]);
    expect(await uploads()).toEqual([]);
  });

  test('leaves nothing of an upload that is cut off', async () => {
    const before = await names();
    const { port } = new URL(site.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\nContent-Type: ${form}\r\nContent-Length: 90000\r\n\r\n${part('file', 'x'.repeat(40_000))}`,
    );
    await eventually(async () => expect(await uploads()).toHaveLength(1));
    socket.destroy();
    await eventually(async () => expect(await uploads()).toEqual([]));
    expect(await names()).toEqual(before);
  });

  test('removes what a killed process left, and nothing of others', async () => {
    const place = join(await makeTempDir('left'), 'files');
    await mkdir(join(place, '.hcd', 'uploads'), { recursive: true });
    const { pid } = spawnSync('true');
    const left = [`${hostname()}-${pid}-a`, `${hostname()}-${process.pid}-b`, `elsewhere-${pid}-c`];
    for (const name of left) await writeFile(join(place, '.hcd', 'uploads', name), 'x');
    await startTestSite({ databaseUrl: await database.url(), filesDir: place });
    expect(await readdir(join(place, '.hcd', 'uploads'))).toEqual(left.slice(1).sort());
  });

  test('lists files in order, page by page', async () => {
    for (const path of ['list/b.txt', 'list/a/2.txt', 'list/a/1.txt', 'list/c.txt', 'list/a.txt']) {
      await put({ content: 'x', fields: { path } });
    }
    await writeFile(join(folder, 'list', '.hidden'), 'x');
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await site.get(`/media?path=list&limit=2${cursor}`, { as: 'reader' });
      const { data, meta } = body as { data: { path: string }[]; meta: { next_cursor?: string; has_more: boolean } };
      seen.push(...data.map(({ path }) => path));
      expect(meta.has_more).toBe(meta.next_cursor !== undefined);
      if (meta.next_cursor === undefined) break;
      cursor = `&cursor=${meta.next_cursor}`;
    }
    expect(seen).toEqual(['list/a/1.txt', 'list/a/2.txt', 'list/a.txt', 'list/b.txt', 'list/c.txt']);
  });

  test.each([
    ['limit=0', 422, ['limit']],
    ['limit=101', 422, ['limit']],
    ['path=..', 422, ['path']],
    ['cursor=%C3%BC', 422, ['cursor']],
    ['path=list&cursor=b3RoZXI', 422, ['cursor']],
    ['path=missing', 404, null],
  ])('answers the list %s with %s', async (query, status, fields) => {
    const { status: got, body } = await site.get(`/media?${query}`, { as: 'reader' });
    expect([got, body['errors'] === undefined ? null : Object.keys(body['errors'] as object)]).toEqual([
      status,
      fields,
    ]);
  });

  test('removes a file', async () => {
    await put({ content: 'x', fields: { path: 'gone.txt' } });
    expect((await fetch(`${site.url}/files/gone.txt`)).status).toBe(200);
    const removed = await site.get('/media/gone.txt', { as: 'all', method: 'DELETE' });
    expect([removed.status, removed.body]).toEqual([200, { data: { path: 'gone.txt', deleted: true }, meta: {} }]);
    expect((await fetch(`${site.url}/files/gone.txt`)).status).toBe(404);
    expect((await site.get('/media/gone.txt', { as: 'all', method: 'DELETE' })).status).toBe(404);
    expect((await site.get('/media/list', { as: 'all', method: 'DELETE' })).status).toBe(404);
  });

  test.each([
    ['other', 'GET', '/media', 403],
    ['maker', 'GET', '/media', 403],
    ['reader', 'DELETE', '/media/own.png', 403],
    ['maker', 'DELETE', '/media/own.png', 403],
  ])('does not let a key with other scopes (%s) %s %s', async (as, method, path, status) => {
    expect((await site.get(path, { as, method })).status).toBe(status);
  });

  test('reads no body of a caller without the scope', async () => {
    expect((await put({ as: 'reader' })).status).toBe(403);
    expect(await uploads()).toEqual([]);
  });
});

describe('a site that keeps no files', () => {
  test('says so', async () => {
    const site = await startTestSite({ databaseUrl: `sqlite:${await makeTempDir()}/x.sqlite`, identities });
    const { status, body } = await site.get('/media', { as: 'all' });
    expect([status, body['detail']]).toEqual([404, expect.stringContaining('belong to its CMS')]);
  });
});
