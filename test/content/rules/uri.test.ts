/** URI computation on the rows of a real site, and the rules that this site does not use. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanAlias } from '../../../src/content/rules/alias.js';
import {
  changesUri,
  computeUri,
  findUriClash,
  pageCandidates,
  readUriSettings,
  refreshDescendantUris,
  type UriContentType,
  type UriResource,
  uriOf,
} from '../../../src/content/rules/uri.js';
import { describeWithFixtureFiles } from '../../support/fixture.js';
import { type DumpRow, dumpRows, readDump } from './sql-dump.js';

const html: UriContentType = { mime_type: 'text/html', file_extensions: '.html' };
const feed: UriContentType = { mime_type: 'application/rss+xml', file_extensions: '.rss,.xml' };
const contentTypes = new Map([
  [1, html],
  [2, feed],
]);

function settings(changes: Record<string, string> = {}) {
  const base = { friendly_urls: '1', use_alias_path: '1', use_multibyte: '1' };
  return readUriSettings(new Map(Object.entries({ ...base, ...changes }))).settings;
}

function resource(fields: Partial<UriResource> & { id: number }): UriResource {
  return {
    pagetitle: `Page ${fields.id}`,
    alias: `r${fields.id}`,
    alias_visible: true,
    parent: 0,
    context_key: 'web',
    content_type: 1,
    isfolder: false,
    uri: null,
    uri_override: false,
    ...fields,
  };
}

function fromRow(row: DumpRow): UriResource {
  return {
    id: Number(row['id']),
    pagetitle: row['pagetitle'] ?? '',
    alias: row['alias'] ?? null,
    alias_visible: row['alias_visible'] === '1',
    parent: Number(row['parent']),
    context_key: row['context_key'] ?? '',
    content_type: Number(row['content_type']),
    isfolder: row['isfolder'] === '1',
    uri: row['uri'] ?? null,
    uri_override: row['uri_override'] === '1',
  };
}

describeWithFixtureFiles('the resources of a real site', () => {
  test('all 532 stored URIs are what we compute', async () => {
    const dump = await readDump();
    const rows = dumpRows(dump, 'modx_site_content').map(fromRow);
    const types = new Map(
      dumpRows(dump, 'modx_content_type').map((row): [number, UriContentType] => [
        Number(row['id']),
        { mime_type: row['mime_type'] ?? null, file_extensions: row['file_extensions'] ?? null },
      ]),
    );
    const stored = new Map(
      dumpRows(dump, 'modx_system_settings').map((row): [string, string | null] => [
        row['key'] ?? '',
        row['value'] ?? null,
      ]),
    );
    const reading = readUriSettings(stored);
    const tree = {
      resources: new Map(rows.map((row) => [row.id, { ...row, uri: null }])),
      contentTypes: types,
      settingsOf: () => reading.settings,
    };
    const computed = [...tree.resources.values()].map((row) => ({ id: row.id, uri: uriOf(tree, row) }));
    expect(computed).toEqual(rows.map(({ id, uri }) => ({ id, uri })));
    expect(computed).toHaveLength(532);
    expect(reading.problems).toEqual([
      'friendly_alias_translit names the table "russian" of an extra; texts are left as they are',
    ]);

    // Refreshing from the root must find every one of them as well.
    const changes = refreshDescendantUris(tree, 0);
    expect(new Map(changes.map(({ id, uri }) => [id, uri]))).toEqual(new Map(rows.map(({ id, uri }) => [id, uri])));
  });
});

describe('the URI of a resource', () => {
  const parent = resource({ id: 1, alias: 'shop', isfolder: true, uri: 'shop/' });
  const hidden = resource({ id: 2, alias: 'hidden', parent: 1, alias_visible: false });
  const frozen = resource({ id: 3, alias: 'old', uri: 'campaign/summer/', uri_override: true });
  const leaf = { id: 9, alias: 'boots', parent: 1 };
  type Case = [
    name: string,
    fields: Partial<UriResource> & { id: number },
    uri: string | null,
    changes?: Record<string, string>,
    ancestors?: UriResource[],
  ];

  const cases: Case[] = [
    ['has the extension of its content type', leaf, 'shop/boots.html'],
    ['has the container suffix instead when it is a container', { ...leaf, isfolder: true }, 'shop/boots/'],
    [
      'keeps the extension as a container without suffix setting',
      { ...leaf, isfolder: true },
      'shop/boots.html',
      { container_suffix: '' },
    ],
    [
      'keeps the extension as a container of another type',
      { ...leaf, isfolder: true, content_type: 2 },
      'shop/boots.rss',
    ],
    ['uses the first extension', { ...leaf, content_type: 2 }, 'shop/boots.rss'],
    ['has no ending with an unknown content type', { ...leaf, content_type: 77 }, 'shop/boots'],
    ['has no path without use_alias_path', leaf, 'boots.html', { use_alias_path: '0' }],
    ['leaves out ancestors whose alias is not visible', leaf, 'shop/boots.html', {}, [hidden, parent]],
    ['shows its own alias even when not visible', { ...leaf, alias_visible: false }, 'shop/boots.html'],
    ['has the id of an ancestor without alias', leaf, '4/boots.html', {}, [resource({ id: 4, alias: '' })]],
    ['ignores frozen ancestors by default', leaf, 'old/boots.html', {}, [frozen]],
    [
      'starts at a frozen ancestor when told so',
      leaf,
      'campaign/summer/x/boots.html',
      { use_frozen_parent_uris: '1' },
      [resource({ id: 5, alias: 'x' }), frozen, parent],
    ],
    ['comes from the title without an alias', { ...leaf, alias: '', pagetitle: 'Über & Co.' }, 'shop/über-and-co.html'],
    [
      'comes from the id when aliases are not automatic',
      { ...leaf, alias: null },
      'shop/9.html',
      { automatic_alias: '0' },
    ],
    ['is cleaned by the rules of its context', { ...leaf, alias: 'Größe & Co. ' }, 'shop/größe-and-co.html'],
    [
      'follows the settings of its context each time',
      { ...leaf, alias: 'Two_Words' },
      'shop/two-words.html',
      { friendly_alias_word_delimiters: '-_' },
    ],
    [
      'keeps capitals where the context keeps them',
      { ...leaf, alias: 'Two_Words' },
      'shop/Two-Words.html',
      { friendly_alias_lowercase_only: '0' },
    ],
    ['comes from the title with the alias "0"', { ...leaf, alias: '0', pagetitle: 'Zero' }, 'shop/zero.html'],
    ['comes from the title when nothing of the alias is left', { ...leaf, alias: '???' }, 'shop/page-9.html'],
    ['has the id of an ancestor with the alias "0"', leaf, '4/boots.html', {}, [resource({ id: 4, alias: '0' })]],
    [
      'has the stored alias of an ancestor as it is',
      leaf,
      'Two_Words/boots.html',
      {},
      [resource({ id: 4, alias: 'Two_Words' })],
    ],
    ['comes from the id when the title gives no alias', { ...leaf, alias: '', pagetitle: '???' }, 'shop/9.html'],
    ['stays when frozen', { ...leaf, uri: 'Any Thing?', uri_override: true }, 'Any Thing?'],
    ['is computed when frozen but empty', { ...leaf, uri: '', uri_override: true }, 'shop/boots.html'],
    ['stays without friendly URLs', { ...leaf, uri: null }, null, { friendly_urls: '0' }],
  ];

  test.each(cases)('%s', (_name, fields, uri, changes = {}, ancestors = [parent]) => {
    const row = resource(fields);
    const contentType = contentTypes.get(row.content_type);
    expect(computeUri({ resource: row, ancestors, contentType, settings: settings(changes) })).toBe(uri);
  });
});

describe('any stored alias', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 30 });
  const flag = fc.constantFrom('0', '1');
  const rules = fc.record({
    friendly_alias_lowercase_only: flag,
    use_multibyte: flag,
    friendly_alias_restrict_chars: fc.constantFrom('legal', 'alphanumeric', 'alpha'),
    friendly_alias_word_delimiter: fc.constantFrom('-', '_'),
    automatic_alias: flag,
  });

  test('leads to the segment that the rules of the context make of alias, title or id', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.constantFrom('0', '', '-', '?')), text, rules, (alias, pagetitle, changes) => {
        const context = settings(changes);
        const uri = computeUri({
          resource: resource({ id: 7, alias, pagetitle }),
          ancestors: [],
          contentType: undefined,
          settings: context,
        });
        const made = [
          alias === '0' ? '' : cleanAlias(alias, context.alias),
          changes.automatic_alias === '1' ? cleanAlias(pagetitle, context.alias) : '',
          '7',
        ];
        expect(uri).toBe(made.find((segment) => segment !== ''));
      }),
      { numRuns: 300 },
    );
  });
});

describe('what a save changes', () => {
  const before = resource({ id: 1, uri: 'r1.html' });
  const cases: [name: string, after: Partial<UriResource>, isComputed: boolean][] = [
    ['a new title changes nothing', { pagetitle: 'Other' }, false],
    ['a new alias changes the URI', { alias: 'x' }, true],
    ['a hidden alias changes the URI', { alias_visible: false }, true],
    ['a move changes the URI', { parent: 5 }, true],
    ['another context changes the URI', { context_key: 'docs' }, true],
    ['a content type changes the URI', { content_type: 2 }, true],
    ['the container flag changes the URI', { isfolder: true }, true],
    ['freezing keeps the URI', { uri_override: true }, false],
    ['a missing URI is computed', { uri: null }, true],
  ];

  test.each(cases)('%s', (_name, fields, isComputed) => {
    expect(changesUri(before, { ...before, ...fields })).toBe(isComputed);
  });
});

describe('refreshing descendants', () => {
  test('goes level by level, spares frozen URIs, passes below them and survives a cycle', () => {
    const rows = [
      resource({ id: 1, alias: 'new', isfolder: true, uri: 'new/' }),
      resource({ id: 2, parent: 1, isfolder: true, uri: 'old/r2/' }),
      resource({ id: 3, parent: 1, uri: 'kept.html', uri_override: true }),
      resource({ id: 4, parent: 2, uri: 'old/r2/r4.html' }),
      resource({ id: 5, parent: 3, uri: 'old/r3/r5.html' }),
      resource({ id: 6, parent: 1, uri: 'new/r6.html' }),
      resource({ id: 7, parent: 8 }),
      resource({ id: 8, parent: 7 }),
    ];
    const tree = { resources: new Map(rows.map((row) => [row.id, row])), contentTypes, settingsOf: () => settings() };
    expect(refreshDescendantUris(tree, 1)).toEqual([
      { id: 2, uri: 'new/r2/' },
      { id: 4, uri: 'new/r2/r4.html' },
      { id: 5, uri: 'new/r3/r5.html' },
    ]);
    expect(refreshDescendantUris(tree, 7)).toEqual([{ id: 8, uri: 'r7/r8.html' }]);
  });
});

describe('URI clashes', () => {
  const mine = { id: 1, uri: 'a.html', context_key: 'web', deleted: false };
  const cases: [name: string, other: Partial<typeof mine>, allContexts: boolean, found: boolean][] = [
    ['another row with the same URI', {}, false, true],
    ['itself is none', { id: 1 }, false, false],
    ['a deleted row is none', { deleted: true }, false, false],
    ['case matters', { uri: 'A.html' }, false, false],
    ['another context is none', { context_key: 'docs' }, false, false],
    ['another context counts with the global check', { context_key: 'docs' }, true, true],
  ];

  test.each(cases)('%s', (_name, fields, allContexts, found) => {
    const other = { ...mine, id: 2, ...fields };
    expect(findUriClash({ resource: mine, others: [other], allContexts })).toEqual(found ? other : undefined);
  });

  test('an empty URI collides with nothing', () => {
    const empty = { ...mine, uri: '' };
    expect(findUriClash({ resource: empty, others: [{ ...empty, id: 2 }], allContexts: true })).toBeUndefined();
  });
});

describe('candidates for a requested path', () => {
  const cases: [path: string, uris: string[], startPage?: 'first' | 'last'][] = [
    ['about', ['about', 'about.html', 'about/']],
    ['about.html', ['about.html', 'about']],
    ['shop/boots', ['shop/boots', 'shop/boots.html', 'shop/boots/']],
    ['shop/', ['shop/', 'shop', 'shop.html']],
    ['index', ['index.html', 'index'], 'last'],
    ['', ['index.html', 'index'], 'first'],
    ['/', ['index.html', 'index'], 'first'],
    ['index.html', ['index.html', 'index']],
    ['docs/index', ['docs/index', 'docs/index.html', 'docs/index/']],
    ['feed.xml', ['feed.xml', 'feed.xml.html', 'feed.xml/']],
    ['überblick', ['überblick', 'überblick.html', 'überblick/']],
    ['100%', ['100%', '100%.html', '100%/']],
  ];

  test.each(cases)('%j', (path, uris, startPage) => {
    expect(pageCandidates(path)).toEqual({ uris, startPage: startPage ?? 'no' });
  });

  test('never hold the empty URI', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z./]{0,12}$/), (path) => {
        expect(pageCandidates(path).uris).not.toContain('');
      }),
    );
  });
});
