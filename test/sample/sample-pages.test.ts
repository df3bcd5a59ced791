/** The pages of the sample site: their number and variety, their addresses, and the links between them. */
import { describe, expect, test } from 'vitest';
import { cleanAlias, readAliasOptions } from '../../src/content/rules/alias.js';
import { readUriSettings, type UriContentType, type UriResource, uriOf } from '../../src/content/rules/uri.js';
import { contentFiles } from '../../src/operations/sample/load-sample.js';
import { sampleRequests } from '../../src/operations/sample/sample-files.js';
import type { RawValue } from '../../src/store/base/database.js';
import { living, type Row, recordsOf, resources, rowsOf } from './sample-rows.js';

describe('the pages', () => {
  test('are between 300 and 500, in two contexts, on at least four levels', () => {
    expect(resources.length).toBeGreaterThanOrEqual(300);
    expect(resources.length).toBeLessThanOrEqual(500);
    expect(new Set(resources.map((row) => row['context_key']))).toEqual(new Set(['web', 'journal']));
    const levels = resources.map((row) => String(row['uri']).split('/').filter(Boolean).length);
    expect(Math.max(...levels)).toBe(4);
  });

  test('have the ids that printed requests name', () => {
    const pages = {
      10: 'equipment/tents/corrie/corrie-2-storm.html',
      28: 'equipment/backpacks/',
      251: 'repairs/',
      299: 'campaign/winter-2026',
    };
    const named = sampleRequests().flatMap(({ path }) => /^\/(?:resources|pages)\/(\d+)/.exec(path)?.[1] ?? []);
    const uriOfId = (id: string) => resources.find((row) => String(row['id']) === id)?.['uri'];
    expect(Object.fromEntries(named.map((id) => [id, uriOfId(id)]))).toEqual(pages);
  });

  test('have every state that a site has', () => {
    const count = (holds: (row: Row) => boolean) => resources.filter(holds).length;
    const states = {
      unpublished: count((row) => row['published'] === 0),
      planned: count((row) => row['published'] === 0 && Number(row['pub_date']) > 0),
      withdrawnLater: count((row) => row['published'] === 1 && Number(row['unpub_date']) > 0),
      deleted: count((row) => row['deleted'] === 1),
      hidden: count((row) => row['hidemenu'] === 1),
      frozen: count((row) => row['uri_override'] === 1),
      aliasHidden: count((row) => row['alias_visible'] === 0),
      weblinks: count((row) => row['class_key'] === 'MODX\\Revolution\\modWebLink'),
      symlinks: count((row) => row['class_key'] === 'MODX\\Revolution\\modSymLink'),
      files: count((row) => row['class_key'] === 'MODX\\Revolution\\modStaticResource'),
      downloads: count((row) => row['content_dispo'] === 1),
      withProperties: count((row) => row['properties'] !== null),
      // biome-ignore lint/suspicious/noControlCharactersInRegex: everything outside ASCII is meant.
      outsideAscii: count((row) => /[^\x00-\x7f]/.test(String(row['uri']))),
    };
    expect(states).toEqual({
      unpublished: 15,
      planned: 6,
      withdrawnLater: 5,
      deleted: 5,
      hidden: 22,
      frozen: 1,
      aliasHidden: 2,
      weblinks: 2,
      symlinks: 1,
      files: 1,
      downloads: 1,
      withProperties: 1,
      outsideAscii: 34,
    });
  });

  test('serve machines under the expected addresses', () => {
    const plain = living
      .filter((row) => Number(row['content_type']) !== 1)
      .map((row) => `${row['context_key']} ${row['uri']}`);
    expect(plain.sort()).toEqual([
      'journal feed.rss',
      'web catalogue-2026.pdf',
      'web data.json',
      'web feed.xml',
      'web robots.txt',
      'web sitemap.xml',
      'web stores/all.geojson',
      'web trips.rss',
    ]);
  });

  test('have machine-readable bodies where they claim to', () => {
    const body = (uri: string) => String(living.find((row) => row['uri'] === uri)?.['content']);
    expect(Object.keys(JSON.parse(body('data.json')))).toEqual(['groups', 'currency']);
    expect(JSON.parse(body('stores/all.geojson')).features).toHaveLength(12);
    expect(body('sitemap.xml')).toMatch(/^<\?xml .*<\/urlset>\n$/s);
  });

  test('have an address of their own in their context', () => {
    const seen = new Map<string, RawValue>();
    const clashes = living.filter((row) => {
      const address = `${row['context_key']} ${row['uri']}`;
      const taken = seen.has(address);
      seen.set(address, row['id'] ?? null);
      return taken;
    });
    expect(clashes.map((row) => row['uri'])).toEqual([]);
    const linked = rowsOf('context_resource').map(({ context_key, resource }) => {
      return `${context_key} ${resources.find((row) => row['id'] === resource)?.['uri']}`;
    });
    expect(linked.filter((address) => seen.has(address))).toEqual([]);
  });

  test('keep a deleted page whose address a living one has taken', () => {
    const addresses = new Set(living.map((row) => row['uri']));
    const taken = resources.filter((row) => row['deleted'] === 1 && addresses.has(row['uri'] ?? null));
    expect(taken.map((row) => row['uri'])).toEqual(['join-the-club.html']);
  });

  test('have the addresses that the content rules give for the loaded rows and settings', () => {
    const settings = new Map(rowsOf('system_settings').map((row) => [String(row['key']), String(row['value'])]));
    const types = new Map<number, UriContentType>([
      ...[
        [1, 'text/html', '.html'],
        [2, 'text/xml', '.xml'],
        [3, 'text/plain', '.txt'],
        [6, 'application/rss+xml', '.rss'],
        [7, 'application/json', '.json'],
        [8, 'application/pdf', '.pdf'],
      ].map(([id, mime_type, file_extensions]): [number, UriContentType] => [
        Number(id),
        { mime_type: String(mime_type), file_extensions: String(file_extensions) },
      ]),
      ...rowsOf('content_type').map((row): [number, UriContentType] => [
        Number(row['id']),
        { mime_type: String(row['mime_type']), file_extensions: String(row['file_extensions']) },
      ]),
    ]);
    // The addresses are loaded as they are written; ASCII letters are for those that are made later.
    const asWritten = new Map(settings).set('friendly_alias_translit', 'none');
    const tree = {
      resources: new Map(resources.map((row) => [Number(row['id']), uriResource(row)])),
      contentTypes: types,
      settingsOf: () => readUriSettings(asWritten).settings,
    };
    expect(resources.map((row) => uriOf(tree, uriResource(row)))).toEqual(resources.map((row) => row['uri']));
  });

  test('are joined by pages with a slash in the title, which ends a word of the alias', () => {
    const settings = new Map(rowsOf('system_settings').map((row) => [String(row['key']), String(row['value'])]));
    expect(cleanAlias('AC/DC live', readAliasOptions(settings).options)).toBe('ac-dc-live');
  });

  test('are containers exactly when they have children', () => {
    const parents = new Set(resources.map((row) => row['parent']));
    expect(
      resources.filter((row) => (row['isfolder'] === 1) !== parents.has(row['id'] ?? null)).map((row) => row['uri']),
    ).toEqual([]);
  });

  test('link only to addresses that exist in their context', () => {
    const addresses = new Set(resources.map((row) => `${row['context_key']} ${row['uri']}`));
    const broken = resources.flatMap((row) =>
      [...String(row['content']).matchAll(/<a href="([^"]*)"/g)]
        .map((match) => (match[1] ?? '').replaceAll('&amp;', '&'))
        .filter((uri) => !addresses.has(`${row['context_key']} ${uri}`))
        .map((uri) => `${row['uri']} -> ${uri}`),
    );
    expect(broken).toEqual([]);
  });

  test('are there under each context and URI that a record names, and each address that a text links to', () => {
    const places = new Set(resources.map((row) => `${row['context_key']} ${row['uri']}`));
    const text = JSON.stringify([...contentFiles, 'pages', 'banners'].map(recordsOf));
    const named = [
      ...text.matchAll(/\{"context":"([^"]+)","uri":"([^"]*)"\}/g),
      ...text.matchAll(/\[\[~(\w+):([^\]]*)\]\]/g),
    ];
    const broken = named.map(([, context, uri]) => `${context} ${uri}`).filter((place) => !places.has(place));
    const uris = new Set(resources.map((row) => row['uri']));
    const linked = [...text.matchAll(/href=\\"([^\\"]*)\\"/g)].map(([, uri = '']) => uri.replaceAll('&amp;', '&'));
    // Style sheets are files, and tags of the CMS are filled in when a page is shown.
    const inside = linked.filter((uri) => !/^(mailto:|tel:|https:|assets\/|\[\[)/.test(uri));
    expect([named.length > 600, inside.length > 1000]).toEqual([true, true]);
    expect([...broken, ...inside.filter((uri) => !uris.has(uri.replace(/^\//, '')))]).toEqual([]);
  });

  test('have a body worth reading', () => {
    const pages = living.filter(
      (row) => row['content_type'] === 1 && row['class_key'] === 'MODX\\Revolution\\modDocument',
    );
    const lengths = pages.map((row) => String(row['content']).length).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 10)]).toBeGreaterThan(950);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeGreaterThan(1100);
    expect(new Set(pages.map((row) => row['content'])).size).toBe(pages.length);
  });
});

function uriResource(row: Row): UriResource {
  return {
    id: Number(row['id']),
    pagetitle: String(row['pagetitle']),
    alias: String(row['alias']),
    alias_visible: row['alias_visible'] === 1,
    parent: Number(row['parent']),
    context_key: String(row['context_key']),
    content_type: Number(row['content_type']),
    isfolder: row['isfolder'] === 1,
    uri: row['uri_override'] === 1 ? String(row['uri']) : null,
    uri_override: row['uri_override'] === 1,
  };
}
