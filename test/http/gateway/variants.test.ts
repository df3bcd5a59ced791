/** Pictures in other sizes (docs/files.md#pictures). */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type OutputInfo } from 'sharp';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { findMediaFile } from '../../../src/files/media-folder.js';
import { Variants } from '../../../src/files/variants.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

const photo = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 30 }, background: 'red' },
  });

describe('variants of pictures', () => {
  let site: TestSite;
  let folder: string;
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(`${site.url}/files/${path}`, { headers });
  const kept = () => readdir(join(folder, '.hcd', 'variants')).catch(() => []);

  beforeAll(async () => {
    folder = await makeTempDir('variants');
    const contents: Record<string, Buffer | string> = {
      'photo.jpg': await photo(1000, 500)
        .withExif({ IFD0: { Copyright: 'A name that stays private' } })
        .jpeg()
        .toBuffer(),
      'turned.jpg': await photo(600, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      'small.png': await photo(100, 80).png().toBuffer(),
      'moving.gif': await sharp([await photo(200, 100).png().toBuffer(), await photo(200, 100).png().toBuffer()], {
        join: { animated: true },
      })
        .gif()
        .toBuffer(),
      'bomb.png': await sharp({ create: { width: 20_000, height: 200, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
      'broken.jpg': Buffer.from('ffd8ffe000104a464946', 'hex'),
      'drawing.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'text.txt': 'text',
    };
    for (const [name, content] of Object.entries(contents)) await writeFile(join(folder, name), content);
    const env = { HCD_GATEWAY_CACHE_ENABLED: '1', HCD_MEDIA_MAX_PIXELS: '1000000' };
    site = await startTestSite({ databaseUrl: await freshSqliteUrl(), filesDir: folder, env });
  });

  async function info(answer: Response): Promise<OutputInfo & { readonly type: string | null }> {
    const { info: found } = await sharp(Buffer.from(await answer.arrayBuffer())).toBuffer({ resolveWithObject: true });
    return { ...found, type: answer.headers.get('content-type') };
  }

  test.each([
    ['photo.jpg?w=256', 256, 128, 'image/jpeg'],
    ['photo.jpg?h=256', 512, 256, 'image/jpeg'],
    ['photo.jpg?w=256&h=256', 256, 256, 'image/jpeg'],
    ['photo.jpg?w=256&h=256&fit=inside', 256, 128, 'image/jpeg'],
    ['photo.jpg?w=256&h=256&fit=contain', 256, 256, 'image/jpeg'],
    ['photo.jpg?w=256&format=webp', 256, 128, 'image/webp'],
    ['photo.jpg?w=256&format=avif', 256, 128, 'image/avif'],
    ['photo.jpg?w=256&format=png', 256, 128, 'image/png'],
    ['photo.jpg?format=webp', 1000, 500, 'image/webp'],
    ['photo.jpg?w=2560', 1000, 500, 'image/jpeg'],
    ['photo.jpg?w=2560&h=2560&fit=contain', 1000, 500, 'image/jpeg'],
    ['turned.jpg?w=128', 128, 256, 'image/jpeg'],
    ['small.png?w=640&h=640', 100, 80, 'image/png'],
    ['moving.gif?w=64', 64, 32, 'image/webp'],
  ])('sends %s as %s x %s', async (path, width, height, type) => {
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-tag')).toBe(`gateway:media,gateway:media:${path.replace(/\?.*/, '')}`);
    const found = await info(answer);
    expect([found.width, found.height, found.type]).toEqual([width, height, type]);
  });

  test('keeps what moves', async () => {
    const bytes = Buffer.from(await (await ask('moving.gif?w=128')).arrayBuffer());
    expect((await sharp(bytes).metadata()).pages).toBe(2);
  });

  test('drops what the picture says about its maker', async () => {
    expect((await sharp(join(folder, 'photo.jpg')).metadata()).exif).toBeDefined();
    const bytes = Buffer.from(await (await ask('photo.jpg?w=128')).arrayBuffer());
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  test('takes a smaller quality for fewer bytes', async () => {
    const [low, high] = await Promise.all(
      ['10', '90'].map(async (q) => (await (await ask(`photo.jpg?w=640&q=${q}`)).arrayBuffer()).byteLength),
    );
    expect(low).toBeLessThan(high ?? 0);
  });

  test.each([
    ['image/avif,image/webp,*/*;q=0.8', 'image/webp'],
    ['image/avif,*/*', 'image/avif'],
    ['image/webp;q=0,image/avif;q=0.5', 'image/avif'],
    ['image/webp; q=0.0', 'image/jpeg'],
    ['*/*', 'image/jpeg'],
  ])('chooses by Accept: %s', async (accept, type) => {
    for (const _time of ['made', 'kept', 'from memory']) {
      const answer = await ask('photo.jpg?w=128&format=auto', { accept });
      expect([answer.headers.get('content-type'), answer.headers.get('vary')]).toEqual([type, 'Accept']);
      await answer.arrayBuffer();
    }
  });

  test('has a tag of each variant, and 304 and ranges', async () => {
    const first = await ask('photo.jpg?w=384');
    const etag = first.headers.get('etag') ?? '';
    const bytes = Buffer.from(await first.arrayBuffer());
    expect((await ask('photo.jpg?w=384', { 'if-none-match': etag })).status).toBe(304);
    expect((await ask('photo.jpg?w=640')).headers.get('etag')).not.toBe(etag);
    const part = await ask('photo.jpg?w=384', { range: 'bytes=0-9' });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(0, 10)]);
  });

  test.each([
    ['photo.jpg?w=257', 'w must be one of 64, 128, 256, 384, 640, 828, 1080, 1280, 1920, 2560 (media_sizes)'],
    ['photo.jpg?h=0256', 'h must be one of'],
    ['photo.jpg?w=', 'w must be one of'],
    ['photo.jpg?w=256&w=384', 'w is given more than once; give it once'],
    ['photo.jpg?fit=fill', 'fit must be one of cover, contain, inside'],
    ['photo.jpg?format=gif', 'format must be one of auto, avif, webp, jpeg, png'],
    ['photo.jpg?q=0', 'q must be a whole number from 1 to 100'],
    ['photo.jpg?q=101', 'q must be a whole number'],
    ['text.txt?w=64', 'are for pictures, and this file is text/plain'],
    ['bomb.png?w=64', '20000 x 200 pixels, more than 1000000 (media_max_pixels)'],
    ['broken.jpg?w=64', 'it cannot be read'],
  ])('refuses %s', async (path, detail) => {
    const answer = await ask(path);
    expect([answer.status, await answer.json()]).toMatchObject([400, { detail: expect.stringContaining(detail) }]);
  });

  test('sends drawings as they are', async () => {
    expect(await (await ask('drawing.svg?w=64')).text()).toContain('<svg');
  });

  test('makes a variant once for many requests, and another one of a new file', async () => {
    await photo(400, 200).jpeg().toFile(join(folder, 'many.jpg'));
    const before = (await kept()).length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('many.jpg?w=64')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const answer of answers) await answer.arrayBuffer();
    expect(await kept()).toHaveLength(before + 1);
    expect(await readdir(join(folder, '.hcd', 'uploads'))).toEqual([]);
  });
});

test('other requests pass while large pictures are made smaller', async () => {
  const folder = await makeTempDir('beside');
  await photo(4000, 3000).jpeg().toFile(join(folder, 'large.jpg'));
  const { url } = await startTestSite({ databaseUrl: await freshSqliteUrl(), filesDir: folder });
  let answered = 0;
  let isMaking = true;
  const get = async (path: string) => {
    const answer = await fetch(`${url}/files/${path}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  const all = Promise.all(['avif', 'webp'].map((format) => get(`large.jpg?w=1920&format=${format}`))).finally(() => {
    isMaking = false;
  });
  for (; isMaking; answered += 1) expect(await get('none')).toBe(404);
  expect(await all).toEqual([200, 200]);
  // Both take some 600 ms: a request that waits for one of them would be one of two.
  expect(answered).toBeGreaterThan(10);
});

describe('kept variants', () => {
  const question = { width: 64, height: null, fit: 'cover', format: 'png', quality: null } as const;
  const limits = { media_max_pixels: 1_000_000, media_variant_bytes: 100_000 };
  let folder: string;
  let now: number;
  let variants: Variants;

  beforeEach(async () => {
    folder = await makeTempDir('kept');
    now = systemClock.now();
    variants = new Variants(folder, { now: () => now });
  });

  async function make(name: string) {
    await photo(80, 80).png().toFile(join(folder, name));
    const file = await findMediaFile(folder, name);
    if (file === null) throw new Error(name);
    now += 1000;
    return { file, variant: await variants.find({ file, question, limits }) };
  }

  test('stay within their bound, those used last', async () => {
    const first = await make('first.png');
    for (let number = 0; number < 20; number += 1) {
      await make(`other${number}.png`);
      await variants.find({ file: first.file, question, limits });
    }
    const names = await readdir(join(folder, '.hcd', 'variants'));
    expect(names.length).toBeLessThanOrEqual(Math.ceil(100_000 / first.variant.size));
    expect(names.map((name) => `.hcd/variants/${name}`)).toContain(first.variant.path);
  });

  test('are sent without being kept where the folder cannot be written', async () => {
    await mkdir(join(folder, '.hcd'));
    await writeFile(join(folder, '.hcd', 'variants'), 'a file in the way');
    const { variant } = await make('first.png');
    expect(variant.bytes).toHaveLength(variant.size);
    expect(await readdir(join(folder, '.hcd', 'uploads'))).toEqual([]);
  });
});
