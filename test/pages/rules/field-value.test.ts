/** What each kind of field stores: values that are taken as they are, brought into form, or refused with a reason. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldTypeOf, fieldTypes } from '../../../src/pages/rules/field-types.js';
import { readPageDocument } from '../../../src/pages/rules/read-page-document.js';
import { storedFields } from '../../../src/pages/rules/section-type.js';
import { idOf, makeType, rulesWith, typesWith } from './section-types.js';

/** Reads one value of a field with these words. */
function read(words: Readonly<Record<string, unknown>>, value: unknown) {
  const type = makeType({ fields: [{ name: 'x', ...words }] });
  const section = { id: idOf(7), type: 'probe', data: { x: value } };
  const { value: document, problems } = readPageDocument(
    { schemaVersion: 1, sections: [section] },
    rulesWith(typesWith(type)),
  );
  return {
    value: document?.sections[0]?.data['x'],
    problems: problems.map(({ path, message }) => `${path}: ${message}`),
  };
}

const choice = { options: ['a', { value: 2, label: 'two' }] };
const rows = { type: 'repeater', fields: [{ name: 'title' }, { name: 'n', type: 'number' }] };

const accepted: [name: string, words: Record<string, unknown>, value: unknown, normal?: unknown][] = [
  ['a text', {}, ' a <b> '],
  ['an empty text', {}, ''],
  ['a text of several lines', { type: 'textarea' }, 'a\nb'],
  ['rich text', { type: 'richtext' }, '<p onclick="x">a</p><script>1</script>', '<p>a</p>'],
  ['code of an editor, like rich text', { type: 'ace' }, '<b>a', '<b>a</b>'],
  ['a number', { type: 'number' }, -1.5],
  ['an amount', { type: 'currency' }, 0],
  ['a negative zero', { type: 'number' }, -0, 0],
  ['an address', { type: 'url' }, ' https://x.example/a?b#c ', 'https://x.example/a?b#c'],
  ['a relative address', { type: 'url' }, '../a b.html'],
  ['an anchor', { type: 'url' }, '#top'],
  ['a telephone address', { type: 'url' }, 'tel:+4930'],
  ['a slug', { type: 'slug' }, 'über-uns_2'],
  ['an option', { type: 'select', ...choice }, 'a'],
  ['an option that is a number', { type: 'radio', ...choice }, '2'],
  ['no option', { type: 'select', ...choice }, ''],
  ['anything without options', { type: 'select' }, 'z'],
  ['options', { type: 'multiselect', ...choice }, ['2', 'a']],
  ['tags', { type: 'tag' }, ['x', 'y']],
  ['a flag', { type: 'toggle' }, false],
  ['a flag by an alias', { type: 'listyesno' }, true],
  ['a date', { type: 'date' }, '2028-02-29'],
  ['a time', { type: 'time' }, '23:59'],
  ['a local time', { type: 'datetime' }, '2026-11-21T09:30'],
  ['a range of dates', { type: 'daterange' }, { from: '2026-01-01', to: '2026-01-01' }],
  ['a colour', { type: 'colorpicker' }, '#ff0000'],
  [
    'a picture',
    { type: 'image' },
    {
      url: '/a.jpg',
      id: 3,
      filename: 'a.jpg',
      width: 10,
      crops: { wide: { url: '/w.jpg', variants: [{ url: '/v', width: 5 }] } },
    },
  ],
  ['a picture by its address', { type: 'image' }, '/a.jpg', { url: '/a.jpg' }],
  ['a file', { type: 'file' }, { url: 'https://x.example/a.pdf', size: 1024, extension: 'pdf' }],
  ['pictures', { type: 'gallery' }, [{ url: '/a.jpg' }, '/b.jpg'], [{ url: '/a.jpg' }, { url: '/b.jpg' }]],
  ['a video file', { type: 'video' }, { url: '/a.mp4', poster: '/a.jpg' }],
  [
    'a video of YouTube',
    { type: 'video' },
    { url: 'https://youtu.be/dQw4w9WgXcQ?t=3', embed_url: 'https://evil.example' },
    {
      url: 'https://youtu.be/dQw4w9WgXcQ?t=3',
      embed_url: 'https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ',
      provider: 'youtube',
      watch_url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
    },
  ],
  [
    'a video of Vimeo',
    { type: 'video' },
    'https://player.vimeo.com/video/76979871',
    {
      url: 'https://player.vimeo.com/video/76979871',
      embed_url: 'https://player.vimeo.com/video/76979871',
      provider: 'vimeo',
      watch_url: 'https://vimeo.com/76979871',
    },
  ],
  [
    'a video of Rutube',
    { type: 'video' },
    '//rutube.ru/video/0123456789abcdef0123456789abcdef/',
    {
      url: '//rutube.ru/video/0123456789abcdef0123456789abcdef/',
      embed_url: 'https://rutube.ru/play/embed/0123456789abcdef0123456789abcdef',
      provider: 'rutube',
      watch_url: 'https://rutube.ru/video/0123456789abcdef0123456789abcdef/',
    },
  ],
  [
    'a host that only looks like YouTube',
    { type: 'video' },
    'https://youtube.com.x.example/watch?v=dQw4w9WgXcQ',
    { url: 'https://youtube.com.x.example/watch?v=dQw4w9WgXcQ' },
  ],
  [
    'a point on a map',
    { type: 'map' },
    { lat: 52.5, lng: 13.4, zoom: 12, provider: 'osm', embed_url: 'javascript:1' },
    {
      lat: 52.5,
      lng: 13.4,
      zoom: 12,
      provider: 'osm',
      embed_url: 'https://www.openstreetmap.org/export/embed.html?marker=52.5%2C13.4',
      watch_url: 'https://www.openstreetmap.org/?mlat=52.5&mlon=13.4#map=12/52.5/13.4',
    },
  ],
  [
    'a point with defaults',
    { type: 'map' },
    { lat: 0, lng: -1 },
    {
      lat: 0,
      lng: -1,
      zoom: 14,
      provider: 'yandex',
      embed_url: 'https://yandex.com/map-widget/v1/?ll=-1%2C0&z=14&pt=-1%2C0',
      watch_url: 'https://yandex.com/maps/?ll=-1%2C0&z=14&pt=-1%2C0',
    },
  ],
  ['a button', { type: 'button' }, { label: 'a', url: '/b', target: '_blank' }],
  ['rows', rows, [{ n: 1, title: 'a', _rowId: 'r1' }, {}]],
  [
    'rows of a table by its columns',
    { type: 'table', columns: [{ name: 'label' }, { name: 'value' }] },
    [{ label: 'a', value: 'b' }],
  ],
  ['rows without columns', { type: 'jsongrid' }, [{ a: 1, b: 'x', c: null, d: true }]],
  [
    'blocks of an editor',
    { type: 'editor_js' },
    { json: { blocks: [{ type: 'p' }] }, html: '<p>a<script>b</script></p>' },
    { json: { blocks: [{ type: 'p' }] }, html: '<p>a</p>' },
  ],
  ['a record', { type: 'relation' }, 7],
  ['records by number and key', { type: 'multirelation' }, [7, 'a', 3]],
  ['products', { type: 'products' }, [3, 1]],
  ['pairs', { type: 'keyvalue' }, [{ key: 'a', value: 'b' }]],
  ['a stored table', { type: 'embeddedTable' }, { table_key: 'prices', limit: 20 }],
  [
    'a data source',
    { type: 'datasource' },
    {
      provider: 'resources',
      filters: [{ field: 'parent', op: 'eq', value: 3 }],
      sort: [{ field: 'id', direction: 'desc' }],
      search: 'a',
      limit: 100,
    },
  ],
  ['hours of a week', { type: 'schedule' }, '{"monday": ["10:00-18:00"], "sun": []}'],
  ['a form', { type: 'form' }, 'contact'],
  ['names of elements of the CMS, as texts', { type: 'snippet' }, 'Wayfinder'],
  [
    'a value per screen size',
    { type: 'text', responsive: true },
    { mobile: 'm', desktop: 'd' },
    { desktop: 'd', mobile: 'm' },
  ],
  ['one value for all screen sizes', { type: 'number', responsive: true }, 3],
];

const refused: [name: string, words: Record<string, unknown>, value: unknown, ...problems: string[]][] = [
  ['a number for a text', {}, 1, ': must be a text, not a number'],
  ['a list for a text', {}, ['a'], ': must be a text, not a list'],
  ['a long text', {}, 'x'.repeat(2001), ': must have at most 2000 characters'],
  ['half of a pair', {}, 'a\ud800', ': must not have NUL characters or halves of surrogate pairs'],
  ['a NUL', { type: 'textarea' }, 'a\0', ': must not have NUL characters or halves of surrogate pairs'],
  [
    'rich text of too many elements',
    { type: 'richtext' },
    '<i>x</i>'.repeat(11_000),
    ': must have at most 10000 elements',
  ],
  ['a text for a number', { type: 'number' }, '1', ': must be a number, not a text'],
  ['a number for a flag', { type: 'yesno' }, 1, ': must be true or false, not a number'],
  [
    'a script for an address',
    { type: 'url' },
    'java\nscript:alert(1)',
    ': must be a relative address or one of http, https, mailto, tel, not "java\\nscript:alert(1)"',
  ],
  [
    'a data address',
    { type: 'url' },
    'data:text/html,x',
    ': must be a relative address or one of http, https, mailto, tel, not "data:text/html,x"',
  ],
  [
    'a slug with spaces',
    { type: 'slug' },
    'a b',
    ': must be a text of letters, digits, hyphens and underscores, not "a b"',
  ],
  ['an e-mail without a host', { type: 'email' }, 'a@', ': must be an e-mail address, not "a@"'],
  ['an unknown option', { type: 'select', ...choice }, 'c', ': must be one of: a, 2'],
  ['a list with an unknown option', { type: 'multiselect', ...choice }, ['a', 'c'], '[1]: must be one of: a, 2'],
  ['a text for a list', { type: 'tag' }, 'a', ': must be a list of at most 500 texts, not a text'],
  ['a day that does not exist', { type: 'date' }, '2026-02-29', ': must be a date as YYYY-MM-DD, not "2026-02-29"'],
  ['an hour that does not exist', { type: 'time' }, '24:00', ': must be a time as HH:MM, not "24:00"'],
  [
    'a time with a zone',
    { type: 'datetime' },
    '2026-11-21T09:30Z',
    ': must be a local time as YYYY-MM-DDTHH:MM, without a zone, not "2026-11-21T09:30Z"',
  ],
  [
    'a range that ends first',
    { type: 'daterange' },
    { from: '2026-01-02', to: '2026-01-01' },
    ': must not end before it begins',
  ],
  [
    'a picture of a script',
    { type: 'image' },
    { url: 'javascript:1' },
    '.url: must be a relative address or one of http, https, not "javascript:1"',
  ],
  [
    'a picture with more than it has',
    { type: 'image' },
    { url: '/a', onload: 'x' },
    '.onload: is not known; known are url, id, path, filename, extension, name, title, type, width, height, size, crops',
  ],
  [
    'a crop of a script',
    { type: 'image' },
    { url: '/a', crops: { a: { url: 'data:x' } } },
    '.crops.a.url: must be a relative address or one of http, https, not "data:x"',
  ],
  [
    'a video of a script',
    { type: 'video' },
    'javascript:1',
    '.url: must be a relative address or one of http, https, not "javascript:1"',
  ],
  ['a point outside the world', { type: 'map' }, { lat: 91, lng: 0 }, '.lat: must be a number from -90 to 90'],
  ['an unknown map', { type: 'map' }, { lat: 1, lng: 0, provider: 'x' }, '.provider: must be one of: yandex, osm'],
  [
    'a button to a script',
    { type: 'button' },
    { label: 'a', url: 'vbscript:x' },
    '.url: must be a relative address or one of http, https, mailto, tel, not "vbscript:x"',
  ],
  ['a button into a named window', { type: 'button' }, { target: 'x' }, '.target: must be one of: _self, _blank'],
  ['an object for rows', rows, {}, ': must be a list of at most 500 rows, not an object'],
  ['a text for a row', rows, ['a'], '[0]: must be an object with title, n, _rowId; not a text'],
  ['a wrong value in a row', rows, [{}, { n: 'x' }], '[1].n: must be a number, not a text'],
  ['an unknown value in a row', rows, [{ m: 1 }], '[0].m: is not a field; known are title, n, _rowId'],
  ['too many rows', rows, Array.from({ length: 501 }, () => ({})), ': must have at most 500 rows'],
  [
    'a list inside a loose row',
    { type: 'jsongrid' },
    [{ a: [] }],
    '[0].a: must be a text, a number, true or false, not a list',
  ],
  ['a fraction for a record', { type: 'relation' }, 1.5, ': must be a number or key of a record, not a number'],
  [
    'pairs with more',
    { type: 'keyvalue' },
    [{ key: 'a', value: 'b', c: 1 }],
    '[0].c: is not known; known are key, value',
  ],
  [
    'a table without its key',
    { type: 'embeddedTable' },
    { limit: 0 },
    '.table_key: must be a name of letters, digits, dots, hyphens and underscores',
    '.limit: must be a whole number from 1 to 100',
  ],
  [
    'a data source with a query of its own',
    { type: 'datasource' },
    { provider: 'tables', sql: 'drop' },
    '.sql: is not known; known are provider, table, filters, sort, search, limit',
  ],
  [
    'a data source with code',
    { type: 'datasource' },
    { provider: 'php', snippet: 'x' },
    '.snippet: is not known; known are provider, table, filters, sort, search, limit',
    '.provider: must be one of: resources, tables, shop',
  ],
  [
    'an unknown operator',
    { type: 'datasource' },
    { provider: 'shop', filters: [{ field: 'a', op: 'exec' }] },
    '.filters[0].op: must be one of: eq, contains, in, gte, lte, between, empty, not_empty',
  ],
  [
    'hours that are not JSON',
    { type: 'schedule' },
    'always',
    ': must be a JSON text of an object: weekdays with lists of HH:MM-HH:MM',
  ],
  [
    'hours of an unknown day',
    { type: 'schedule' },
    '{"someday": ["10:00-11:00"]}',
    ': must name weekdays: monday, tuesday, wednesday, thursday, friday, saturday, sunday, their first three letters, or 1 to 7',
  ],
  ['blocks with more', { type: 'editorjs' }, { js: 'x' }, '.js: is not known; known are json, html'],
  [
    'an unknown screen size',
    { type: 'text', responsive: true },
    { tv: 'x' },
    '.tv: is not a screen size; known are desktop, tablet, mobile',
  ],
  ['a screen size for a field that has none', { type: 'text' }, { desktop: 'x' }, ': must be a text, not an object'],
];

describe('accepted values', () => {
  test.each(accepted)('%s', (...[, words, value, normal]) => {
    expect(read(words, value)).toEqual({ value: normal ?? value, problems: [] });
  });

  test.each(accepted)('%s, the same when read again', (...[, words, value]) => {
    const first = read(words, value).value;
    expect(read(words, JSON.parse(JSON.stringify(first)))).toEqual({ value: first, problems: [] });
  });
});

describe('refused values', () => {
  test.each(refused)('%s', (...[, words, value, ...problems]) => {
    expect(read(words, value)).toEqual({
      value: undefined,
      problems: problems.map((problem) => `sections[0].data.x${problem}`),
    });
  });
});

test('reads null as no value', () => {
  expect(read({ type: 'number' }, null)).toEqual({ value: undefined, problems: [] });
});

test('stores the fields of a group on the level of the group and nothing for headings', () => {
  const type = makeType({
    fields: [
      { name: 'head', type: 'heading' },
      {
        name: 'g',
        type: 'fieldset',
        fields: [{ name: 'a' }, { name: 'h', type: 'fieldset', fields: [{ name: 'b' }] }],
      },
      { name: 'c' },
    ],
  });
  expect(storedFields(type.fields).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
});

describe('types', () => {
  test('have readers that refuse without throwing, all 62 of them', () => {
    expect(fieldTypes.length).toBe(62);
    const values = fc.oneof(fc.anything({ maxDepth: 3 }).filter(isJson), fc.jsonValue());
    fc.assert(
      fc.property(fc.constantFrom(...fieldTypes), values, (type, value) => {
        const nests = ['repeater', 'migx', 'table', 'fieldset'].includes(type);
        const { problems } = read({ type, ...(nests ? { fields: [{ name: 'a' }] } : {}) }, value);
        expect(problems.every((problem) => problem.includes(': '))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['relationship', 'relation'],
    ['resources', 'resourcelist'],
    ['boolean', 'yesno'],
    ['onlyreading', 'readonly'],
    ['editor_js', 'editorjs'],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['toString', undefined],
  ])('%s means %s', (name, type) => {
    expect(fieldTypeOf(name)).toBe(type);
  });
});

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
