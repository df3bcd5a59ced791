/** Image variables with size and placeholder: `images=full` (docs/files.md#pictures-in-answers). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, expect, test } from 'vitest';
import { describeEachDatabase } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

const s3 = 'a:1:{s:3:"url";a:1:{s:5:"value";s:26:"https://pictures.example/s";}}';
const plain = (width: number, height: number, background = 'red') =>
  sharp({ create: { width, height, channels: 3, background } });
const unknown = { width: null, height: null, placeholder: null };

describeEachDatabase('images=full', (database) => {
  let site: TestSite;

  beforeAll(async () => {
    const filesDir = await makeTempDir('images');
    await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
      .jpeg()
      .toFile(join(filesDir, 'a lamp.jpg'));
    await writeFile(join(filesDir, 'broken.png'), 'x');
    await writeFile(join(filesDir, 'drawing.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    const env = {
      HCD_GATEWAY_CACHE_ENABLED: '1',
      HCD_MEDIA_MAX_PIXELS: '1000000',
      HCD_GATEWAY_SITE_URL: 'https://www.example.com/',
      HCD_MEDIA_PUBLIC_URL: 'https://files.example.com',
    };
    site = await startTestSite({ databaseUrl: await database.url(), filesDir, env });
    await plain(20, 10).png().toFile(join(filesDir, '100% #1.png'));
    const frames = await Promise.all(['red', 'blue'].map((color) => plain(1000, 1000, color).png().toBuffer()));
    await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toFile(join(filesDir, 'moving.gif'));
    const values = {
      ...{ lamp: 'a lamp.jpg', missing: 'missing.png', broken: 'broken.png', drawing: 'drawing.svg' },
      ...{ elsewhere: 'https://a.example/x.webp', stored: 'y.png', empty: '', bound: '@FILE x', signs: '100% #1.png' },
      ...{ pasted: '/files/a lamp.jpg', copied: '/files/a%20lamp.jpg?v=0123456789abcdef', encoded: 'a%20lamp.jpg' },
      ...{ fragment: 'sprite.svg#home', many: 'moving.gif', text: 'a lamp.jpg' },
    };
    const names = Object.keys(values);
    await site.fill({
      media_sources: [
        { id: 7, name: 'Stored', class_key: 'MODX\\Revolution\\Sources\\modS3MediaSource', properties: s3 },
      ],
      site_templates: [{ id: 1, templatename: 'Page' }],
      site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html', template: 1 }],
      site_tmplvars: names.map((name, at) => ({ id: at + 1, name, type: name === 'text' ? 'text' : 'image' })),
      site_tmplvar_templates: names.map((_name, at) => ({ tmplvarid: at + 1, templateid: 1 })),
      site_tmplvar_contentvalues: Object.values(values).map((value, at) => ({
        tmplvarid: at + 1,
        contentid: 1,
        value,
      })),
      media_sources_elements: [
        {
          ...{ source: 7, object: names.indexOf('stored') + 1, context_key: 'web' },
          object_class: 'MODX\\Revolution\\modTemplateVar',
        },
      ],
    });
  });

  const tvsOf = async (query: string) =>
    (await site.get(`/resources/1?include=tvs&${query}`)).body['data'] as { tvs: Record<string, unknown> };

  const placeholder = expect.stringMatching(/^data:image\/webp;base64,.{20,300}$/);
  const lamp = {
    url: expect.stringMatching(/^\/files\/a%20lamp\.jpg\?v=[0-9a-f]{16}$/),
    ...{ width: 300, height: 200, type: 'image/jpeg', placeholder },
  };

  test.each(['images=full', 'images=full&tv_format=typed'])('describes pictures with %s', async (query) => {
    expect((await tvsOf(query)).tvs).toEqual({
      missing: { url: '/files/missing.png', type: 'image/png', ...unknown },
      broken: { url: expect.stringMatching(/^\/files\/broken\.png\?v=/), type: 'image/png', ...unknown },
      drawing: { url: expect.stringMatching(/^\/files\/drawing\.svg\?v=/), type: 'image/svg+xml', ...unknown },
      elsewhere: { url: 'https://a.example/x.webp', type: 'image/webp', ...unknown },
      stored: { url: 'https://pictures.example/s/y.png', type: 'image/png', ...unknown },
      signs: {
        url: expect.stringMatching(/^\/files\/100%25%20%231\.png\?v=/),
        ...{ width: 20, height: 10, type: 'image/png', placeholder },
      },
      ...Object.fromEntries(['lamp', 'pasted', 'copied', 'encoded'].map((name) => [name, lamp])),
      fragment: { url: '/files/sprite.svg#home', type: 'image/svg+xml', ...unknown },
      many: {
        url: expect.stringMatching(/^\/files\/moving\.gif\?v=/),
        ...{ width: 1000, height: 1000, type: 'image/gif', placeholder: null },
      },
      empty: null,
      bound: null,
      text: 'a lamp.jpg',
    });
  });

  test('sends the address with the host where asked, and the picture at it', async () => {
    const { url } = (await tvsOf('images=full&urls=absolute')).tvs['lamp'] as { url: string };
    expect(url).toMatch(/^https:\/\/files\.example\.com\/files\/a%20lamp\.jpg\?v=/);
    const answer = await fetch(`${site.url}${new URL(url).pathname}${new URL(url).search}`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  test('has the tags of the files, also of one that is missing', async () => {
    const tagsOf = async (query: string) => {
      const { headers } = await site.get(`/resources/1?include=tvs&${query}`);
      return (headers.get('cache-tag') ?? '').split(',').filter((tag) => tag.startsWith('gateway:media:'));
    };
    expect(await tagsOf('tv_fields=lamp,missing,signs,elsewhere,text&images=full&urls=absolute')).toEqual([
      ...['gateway:media:a%20lamp.jpg', 'gateway:media:missing.png', 'gateway:media:100%25%20%231.png'],
    ]);
    expect(await tagsOf('tv_fields=lamp')).toEqual([]);
  });

  test('leaves values as they are without it', async () => {
    expect((await tvsOf('tv_format=typed')).tvs['lamp']).toBe('a lamp.jpg');
  });

  test('refuses another value', async () => {
    const { status, body } = await site.get('/resources/1?images=yes');
    expect([status, body['errors']]).toEqual([422, { images: ['must be one of: full'] }]);
  });

  test('names the widths of pictures where the site has other sizes', async () => {
    await site.fill({ system_settings: [{ key: 'media_sizes', value: '100,200' }] });
    const { tvs } = await tvsOf('images=full');
    expect([tvs['lamp'], Object.keys(tvs['missing'] ?? {})]).toEqual([
      { ...lamp, widths: [100, 200] },
      Object.keys(lamp),
    ]);
  });
});
