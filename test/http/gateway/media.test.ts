/** Uploading, listing and removing files over HTTP (docs/files.md#manage-files). */
import { mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { deliveries } from '../../../src/webhooks/models/deliveries.js';
import { insertSubscription } from '../../../src/webhooks/models/subscriptions.js';
import { fakeClock } from '../../support/clock.js';
import { describeEachDatabase } from '../../support/databases.js';
import { eventually } from '../../support/eventually.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { key } from './writing-site.js';

const [all, maker, reader, other] = [key('*'), key('media.create'), key('media.read'), key('resources.read')];
const identities = { all, maker, reader, other };

interface Sent {
  readonly name?: string;
  readonly content?: string | Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
  readonly as?: keyof typeof identities;
  readonly headers?: Readonly<Record<string, string>>;
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

  async function put({ name = 'lamp.png', content = png, fields = {}, as = 'all', headers = {} }: Sent) {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.set(field, value);
    form.set('file', new Blob([Buffer.from(content)]), name);
    const answer = await fetch(`${site.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, ...headers },
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
        ...{ path: 'products/lamp one.png', url: '/files/products/lamp%20one.png', size: png.length },
        ...{ type: 'image/png', modified: expect.stringMatching(/^\d{4}-.*Z$/), width: 60, height: 40 },
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
    ['', 'می\u200cروم.png', 'می\u200cروم.png'],
    ['', '100% #1.png', '100% #1.png'],
    ['', `${'x'.repeat(251)}.png`, `${'x'.repeat(251)}.png`],
  ])('puts path "%s" of the file %s at %s', async (path, name, expected) => {
    const { status, body } = await put({ name, fields: path === '' ? {} : { path } });
    const { path: found, url } = body['data'] as { path: string; url: string };
    expect([status, found, (await fetch(site.url + url)).status]).toEqual([201, expected, 200]);
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
    ...['../x.txt', '/x.txt', 'a/../x.txt', '.hidden.txt', '.hcd/uploads/x.txt', 'a//x.txt', 'a\\x.txt'],
    ...['line\nbreak.txt', 'x.txt ', 'nul\0.txt', 'right\u202eleft.txt', `${'x'.repeat(252)}.txt`],
  ])('refuses the path %j', async (path) => {
    const before = await names();
    const { status, body } = await put({ content: 'x', fields: { path } });
    expect([status, Object.keys(body['errors'] as object)]).toEqual([422, ['path']]);
    expect(await names()).toEqual(before);
  });

  test('refuses a path through a symbolic link', async () => {
    const outside = await makeTempDir('outside');
    await symlink(outside, join(folder, 'linked'));
    for (const path of ['linked/x.txt', 'linked/a/b/x.txt'])
      expect((await put({ content: 'x', fields: { path } })).status).toBe(422);
    expect(await readdir(outside)).toEqual([]);
    expect((await site.get('/media?path=linked', { as: 'reader' })).status).toBe(404);
  });

  test('refuses pictures of too many pixels', async () => {
    const wide = await sharp({ create: { width: 16_000, height: 100, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const { status, body } = await put({ name: 'wide.png', content: wide });
    const problem = 'has 16000 x 100 pixels; at most 1000000 are taken (media_max_pixels)';
    expect([status, body['errors']]).toEqual([422, { file: [problem] }]);
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

  const post = (type: string, body: string) =>
    fetch(`${site.url}/api/v1/media`, {
      method: 'POST',
      headers: { authorization: 'Bearer all', 'content-type': type },
      body,
    });

  test('takes a file whose part names no type', async () => {
    const bare = part('file', 'x').replace('\r\nContent-Type: text/plain', '').replace('x.txt', 'bare.txt');
    const answer = await post(form, `${bare}--b--\r\n`);
    const data = { path: 'bare.txt', type: 'text/plain' };
    expect([answer.status, await answer.json()]).toMatchObject([201, { data }]);
  });

  const end = '--b--\r\n';
  const long = `--b\r\nContent-Disposition: form-data; name="file"; ${'filename="'.repeat(9000)}\r\n\r\nx\r\n${end}`;
  const flag = part('overwrite', 'perhaps', false);

  test.each([
    ['no file', form, end, 422, ['file']],
    ['a name that no file has', form, `${part('file', 'x').replace('x.txt', '.hidden.txt')}${end}`, 422, ['file']],
    ['an unknown field', form, `${part('file', 'x')}${part('title', 'x', false)}${end}`, 422, ['title']],
    ['an empty file', form, `${part('file', '')}${end}`, 422, ['file']],
    ['two files', form, `${part('file', 'x')}${part('file', 'y')}${end}`, 422, ['file']],
    ['a file in another field', form, `${part('picture', 'x')}${end}`, 422, ['picture']],
    ['a flag of another kind', form, `${flag}${part('file', 'x')}${end}`, 422, ['overwrite']],
    ['a form without an end', form, part('file', 'x'), 422, ['body']],
    ['a form without boundary', 'multipart/form-data', part('file', 'x'), 422, ['body']],
    ['JSON', 'application/json', '{}', 415, null],
    ['long fields', form, `${part('path', 'x'.repeat(20_000), false)}${part('file', 'x')}${end}`, 413, null],
    ['headers that would take long to read', form, long, 422, ['body']],
  ])('refuses %s', async (_name, type, text, status, fields) => {
    const answer = await post(type, text);
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
    const waiting = join(place, '.hcd', 'uploads');
    const clock = fakeClock();
    const write = async (name: string, age: number) => {
      await writeFile(join(waiting, name), 'x');
      const at = clock.now() / 1000 - age;
      await utimes(join(waiting, name), at, at);
    };
    await mkdir(waiting, { recursive: true });
    await write('old', 3601);
    await write('new', 3599);
    await write('half.note', 61);
    await write('now.note', 59);
    await startTestSite({ databaseUrl: await database.url(), filesDir: place, clock });
    expect((await readdir(waiting)).sort()).toEqual(['new', 'now.note']);
    clock.forward(3_600_000);
    await clock.advance(0);
    await eventually(async () => expect(await readdir(waiting)).toEqual([]));
  });

  test('reports each change with its tags, and as an event', async () => {
    await site.store.own.write((tx) =>
      insertSubscription(tx, {
        ...{ name: null, url: 'https://example.com/', events: ['*'], active: true, secret: 'x', createdBy: 'test' },
      }),
    );
    const changes = async (after: string) => {
      const { body } = await site.get(`/changes${after}`, { headers: { accept: 'application/json' } });
      return body as { data: { id: string; event: string; tags: string[] }[]; meta: { next: string } };
    };
    const { next } = (await changes('')).meta;
    const ask = async () => (await fetch(`${site.url}/files/told/a%20b.txt`)).text();
    const path = 'told/a b.txt';
    await put({ content: 'first', fields: { path } });
    expect(await ask()).toBe('first');
    await put({ content: 'second', fields: { path, overwrite: '1' } });
    expect(await ask()).toBe('second');
    await site.get('/media/told%2Fa%20b.txt', { as: 'all', method: 'DELETE' });
    const { data } = await changes(`?after=${next}`);
    const tags = ['gateway:media', 'gateway:media:told/a%20b.txt'];
    expect(data.map((one) => [one.event, one.tags])).toEqual(data.map(() => ['change', tags]));
    expect(data).not.toEqual([]);
    const sent = await deliveries.on(site.store.own.primary).findAll({ attributes: ['event'], order: ['id'] });
    expect(sent.map(({ event }) => event)).toEqual(['media.created', 'media.updated', 'media.deleted']);
  });

  test('carries out an upload with an Idempotency-Key once', async () => {
    const sent = { content: 'once', fields: { path: 'once.txt' }, headers: { 'idempotency-key': 'k1' } };
    const first = await put(sent);
    const again = await put(sent);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await put({ ...sent, content: 'other' });
    expect([other.status, other.body['code']]).toEqual([409, 'idempotency_conflict']);
    expect(await readFile(join(folder, 'once.txt'), 'utf8')).toBe('once');
  });

  test('says that the folder cannot be written', async () => {
    const waiting = join(folder, '.hcd', 'uploads');
    await rename(waiting, `${waiting}.kept`);
    for (const block of [() => symlink(folder, waiting), () => writeFile(waiting, 'a file in the way')]) {
      await block();
      const { status, body } = await put({ content: 'x', fields: { path: 'no.txt' } });
      expect([status, body['detail']]).toEqual([503, 'The folder of the files (files_dir) cannot be written']);
      await rm(waiting);
    }
    await rename(`${waiting}.kept`, waiting);
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
    expect([got, body['errors'] ? Object.keys(body['errors']) : null]).toEqual([status, fields]);
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
