/** Addresses of files in media sources. */
import { describe, expect, test } from 'vitest';
import {
  type MediaSource,
  mediaFieldUrl,
  mediaSourceProperty,
  mediaSourceUrls,
} from '../../../src/content/rules/media-source.js';
import { serializePhpValue } from '../../../src/content/rules/php-value.js';
import { describeWithFixtureFiles, readFixtureJson } from '../../support/fixture.js';
import { dumpRows, readDump } from './sql-dump.js';

function source(name: string, value: string, classKey = 'MODX\\Revolution\\Sources\\modFileMediaSource'): MediaSource {
  return { classKey, properties: serializePhpValue({ [name]: { name, type: 'textfield', value } }) };
}

const settingOf = (key: string) => (key === 'assets_url' ? '/assets/' : undefined);
const s3 = 'MODX\\Revolution\\Sources\\modS3MediaSource';

describe('the address in a media source', () => {
  const cases: [name: string, value: string, source: MediaSource, url: string][] = [
    ['has the base URL in front', 'a/b.pdf', source('baseUrl', 'assets/files/'), 'assets/files/a/b.pdf'],
    ['gets no slash added for file sources', 'b.pdf', source('baseUrl', 'assets'), 'assetsb.pdf'],
    [
      'has nothing in front without properties',
      'b.pdf',
      { classKey: 'sources.modFileMediaSource', properties: 'a:0:{}' },
      'b.pdf',
    ],
    ['has nothing in front with damaged properties', 'b.pdf', { classKey: s3, properties: 'a:1:{' }, 'b.pdf'],
    [
      'has exactly one slash for other sources',
      '/b.pdf',
      source('url', 'https://cdn.example.org/x/', s3),
      'https://cdn.example.org/x/b.pdf',
    ],
    [
      'gets a slash for other sources',
      'b.pdf',
      source('url', 'https://cdn.example.org', s3),
      'https://cdn.example.org/b.pdf',
    ],
    ['resolves settings in the property', 'b.pdf', source('baseUrl', '[[++assets_url]]x/'), '/assets/x/b.pdf'],
    ['keeps unknown settings visible', 'b.pdf', source('baseUrl', '[[++nope]]x/'), '[[++nope]]x/b.pdf'],
    ['stays empty', '', source('baseUrl', 'assets/'), ''],
    ['stays when absolute', 'ftp://example.org/b.pdf', source('baseUrl', 'assets/'), 'ftp://example.org/b.pdf'],
  ];

  test.each(cases)('%s', (_name, value, mediaSource, url) => {
    expect(mediaSourceUrls({ source: mediaSource, settingOf })(value)).toBe(url);
  });

  test('a property may be a number, and is absent when not set', () => {
    const properties = serializePhpValue({ port: { value: 21 } });
    const names = ['port', 'host'];
    expect(names.map((name) => mediaSourceProperty({ classKey: '', properties }, name))).toEqual(['21', undefined]);
  });
});

describe('a file field of a registered object', () => {
  const files = source('baseUrl', 'assets/files/');
  const cdn = source('url', 'https://cdn.example.org', s3);
  const cases: [name: string, value: string, source: MediaSource | undefined, url: string][] = [
    ['stays empty', '', files, ''],
    ['stays when it has a scheme', 'https://example.org/x.jpg', files, 'https://example.org/x.jpg'],
    ['is resolved through the source', 'x.jpg', files, 'https://site.example.org/assets/files/x.jpg'],
    ['is complete when the source is elsewhere', 'x.jpg', cdn, 'https://cdn.example.org/x.jpg'],
    ['falls back to the address of the site', '/x.jpg', undefined, 'https://site.example.org/x.jpg'],
  ];

  test.each(['files/x.jpg', '/files/x.jpg'])('of %s has the host of the files', (value) => {
    const urls = { siteUrl: 'https://site.example.org/', filesUrl: 'https://files.example.org' };
    expect(mediaFieldUrl({ ...urls, value, source: undefined, settingOf })).toBe(
      'https://files.example.org/files/x.jpg',
    );
  });

  test.each(cases)('%s', (_name, value, mediaSource, url) => {
    expect(
      mediaFieldUrl({ value, source: mediaSource, siteUrl: 'https://site.example.org/', filesUrl: '', settingOf }),
    ).toBe(url);
  });
});

describeWithFixtureFiles('the file variable of a real site', () => {
  test('is rendered as the running CMS renders it', async () => {
    const { values } = (await readFixtureJson('expected-tv.json')) as {
      values: { tv: string; type: string; raw: string; rendered: string }[];
    };
    const dump = await readDump();
    const variables = dumpRows(dump, 'modx_site_tmplvars');
    const sources = dumpRows(dump, 'modx_media_sources');
    const links = dumpRows(dump, 'modx_media_sources_elements');
    const files = values.filter(({ type }) => type === 'file');
    const rendered = files.map(({ tv, raw }) => {
      const variable = variables.find((row) => row['name'] === tv);
      const link = links.find((row) => row['object'] === variable?.['id'] && row['context_key'] === 'web');
      const row = sources.find((candidate) => candidate['id'] === link?.['source']);
      const mediaSource = { classKey: row?.['class_key'] ?? '', properties: row?.['properties'] ?? null };
      return mediaSourceUrls({ source: mediaSource, settingOf })(raw);
    });
    expect(rendered).toEqual(files.map((file) => file.rendered));
    expect(rendered).toEqual(['assets/files/documents/Список модулей.pdf']);
  });
});
