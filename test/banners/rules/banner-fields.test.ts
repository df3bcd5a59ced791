/**
 * Every field of a banner with every kind of value that JSON has: what is accepted as what, and what is refused. The
 * table of fields must stand here in full, so that a new field brings its own cases.
 */
import { describe, expect, test } from 'vitest';
import { bannerFieldNames, bannerSchema } from '../../../src/banners/rules/banner-fields.js';
import { completeBanner, mergeBanner, readBannerBody } from '../../../src/banners/rules/read-banner-body.js';
import { bannerDefaults } from '../../support/banner-defaults.js';

const nul = 'a\0b';
const half = 'a\ud800b';
const text = (length: number): string => 'ä'.repeat(length);

interface Cases {
  /** Pairs of a value and what becomes of it. */
  readonly accepts: readonly (readonly [given: unknown, becomes: unknown])[];
  readonly refuses: readonly unknown[];
}

const noText: readonly unknown[] = [1, true, [], {}, ['a'], nul, half];
const count: Cases = {
  accepts: [
    [0, 0],
    [-0, 0],
    [7, 7],
    ['7', 7],
    [4_294_967_295, 4_294_967_295],
    [null, 0],
  ],
  refuses: [-1, 1.5, 4_294_967_296, 1e20, 'x', '', '7.0', '0x7', true, [], {}, [7]],
};
const moment: Cases = {
  accepts: [
    [null, null],
    ['', null],
    [0, null],
    [1_795_253_400, 1_795_253_400],
    ['1795253400', 1_795_253_400],
    ['2026-11-21T09:30:00Z', 1_795_253_400],
    ['2026-11-21T10:30:00+01:00', 1_795_253_400],
    ['2026-11-21 09:30Z', 1_795_253_400],
    ['9999-12-31T23:59:59Z', 253_402_300_799],
  ],
  refuses: [
    -1,
    1.5,
    253_402_300_800,
    '2026-11-21',
    '2026-11-21T09:30:00',
    '2026-02-30T00:00:00Z',
    'tomorrow',
    true,
    [],
    {},
    nul,
  ],
};
const flag: Cases = {
  accepts: [
    [0, 0],
    [1, 1],
    [false, 0],
    [true, 1],
    ['0', 0],
    ['1', 1],
    ['false', 0],
    ['true', 1],
  ],
  refuses: [2, -1, 'yes', '', 'TRUE', null, [], {}],
};

const matrix: Readonly<Record<string, Cases>> = {
  name: {
    accepts: [
      ['Summer', 'Summer'],
      [' Summer ', ' Summer '],
      [text(255), text(255)],
      ['😀'.repeat(255), '😀'.repeat(255)],
    ],
    refuses: [null, '', '  ', text(256), '😀'.repeat(256), ...noText],
  },
  url: {
    accepts: [
      ['', ''],
      [null, ''],
      ['https://example.com/', 'https://example.com/'],
      ['[[~12]]', '[[~12]]'],
      [`https://example.com/${text(2028)}`, `https://example.com/${text(2028)}`],
    ],
    refuses: ['javascript:alert(1)', 'https://[[+host]]/', `https://example.com/${text(2029)}`, ...noText],
  },
  image: {
    accepts: [
      ['', ''],
      [null, ''],
      ['a/b.png', 'a/b.png'],
      [text(255), text(255)],
    ],
    refuses: [text(256), ...noText],
  },
  newimage: {
    accepts: [
      ['', ''],
      [null, ''],
      ['a/b.png', 'a/b.png'],
    ],
    refuses: [text(256), ...noText],
  },
  source: count,
  active: flag,
  description: {
    accepts: [
      ['', ''],
      [null, null],
      ['x'.repeat(65_535), 'x'.repeat(65_535)],
    ],
    refuses: ['x'.repeat(65_536), text(32_768), ...noText],
  },
  type: {
    accepts: [
      ['image', 'image'],
      ['html', 'html'],
    ],
    refuses: ['video', 'IMAGE', '', null, 1, true, [], {}],
  },
  html: {
    accepts: [
      ['<b>x</b>', '<b>x</b>'],
      [null, null],
    ],
    refuses: noText,
  },
  start: moment,
  end: moment,
  product_id: count,
  category_id: count,
  max_clicks: count,
  max_impressions: count,
  show_hours: {
    accepts: [
      [null, null],
      ['', null],
      [{}, null],
      [{ days: [], hours: [] }, null],
      [{ days: null, hours: null }, null],
      [{ days: [5, 1, 5] }, { days: [1, 5], hours: [] }],
      [
        { days: ['1'], hours: ['0', 23] },
        { days: [1], hours: [0, 23] },
      ],
    ],
    refuses: [
      { days: [0] },
      { days: [8] },
      { hours: [-1] },
      { hours: [24] },
      { hours: [1.5] },
      { hours: ['x'] },
      { days: 1 },
      { days: { 0: 1 } },
      { weekdays: [1] },
      [],
      [1],
      'always',
      7,
      true,
    ],
  },
  target_resource_id: count,
  target_parent_id: count,
  tags: {
    accepts: [
      [[], []],
      [null, []],
      [
        ['a', 'b-2_c', 'a'],
        ['a', 'b-2_c'],
      ],
      [Array.from({ length: 20 }, (_, at) => `t${at}`), Array.from({ length: 20 }, (_, at) => `t${at}`)],
      [['x'.repeat(64)], ['x'.repeat(64)]],
    ],
    refuses: [
      Array.from({ length: 21 }, (_, at) => `t${at}`),
      ['A'],
      ['ä'],
      ['a b'],
      ['a,b'],
      ['"'],
      [''],
      ['x'.repeat(65)],
      [1],
      [null],
      [['a']],
      'a,b',
      7,
      true,
      {},
    ],
  },
  positions: {
    accepts: [
      [[], []],
      [
        [3, 1, 3],
        [3, 1],
      ],
      [['2'], [2]],
      [[4_294_967_295], [4_294_967_295]],
    ],
    refuses: [
      [0],
      [-1],
      [1.5],
      ['x'],
      [null],
      [[1]],
      [4_294_967_296],
      Array.from({ length: 1001 }, (_, at) => at + 1),
      null,
      1,
      '1,2',
      {},
    ],
  },
};

test('every field has its cases', () => {
  expect(Object.keys(matrix).sort()).toEqual([...bannerFieldNames].sort());
});

describe.each(Object.entries(matrix))('%s', (field, { accepts, refuses }) => {
  test.each(accepts.map(([given, becomes]) => [show(given), given, becomes]))('takes %s', (_text, given, becomes) => {
    const { values, positions, problems } = readBannerBody({ [field]: given });
    const stored = field === 'newimage' ? 'image' : field;
    expect({ ...values, ...(positions === undefined ? {} : { positions }) }).toEqual({ [stored]: becomes });
    expect(problems.fields).toEqual({});
  });

  test.each(refuses.map((given) => [show(given), given]))('refuses %s', (_text, given) => {
    const { values, positions, problems } = readBannerBody({ [field]: given });
    expect([values, positions]).toEqual([{}, undefined]);
    expect(Object.entries(problems.fields)).toEqual([[field, [expect.stringMatching(/^must (not )?\S+/)]]]);
  });
});

test('replaces image by newimage in either order', () => {
  expect(readBannerBody({ image: 'old.png', newimage: 'new.png' }).values).toEqual({ image: 'new.png' });
  expect(readBannerBody({ newimage: 'new.png', image: 'old.png' }).values).toEqual({ image: 'new.png' });
  expect(readBannerBody({ newimage: '', image: 'old.png' }).values).toEqual({ image: '' });
});

test.each(['id', 'clicks', 'current_image', 'counters', 'Name', '', 'constructor', 'toString', 'hasOwnProperty'])(
  'there is no field %j',
  (name) => {
    const { problems } = readBannerBody({ [name]: 1 });
    expect(problems.fields).toEqual({
      [name]: [`is not a field of a banner; the fields are ${bannerFieldNames.join(', ')}`],
    });
  },
);

test('reports all problems together', () => {
  const request = readBannerBody({ url: 'x', type: 'x', active: 2, size: 1, product_id: 1, category_id: 2 });
  completeBanner(request);
  expect(Object.keys(request.problems.fields)).toEqual([
    'url',
    'type',
    'active',
    'size',
    'name',
    'product_id',
    'category_id',
  ]);
});

test('a new banner has the defaults of the table', () => {
  expect(completeBanner(readBannerBody({ name: 'x' }))).toEqual({ name: 'x', ...bannerDefaults });
});

describe('fields that depend on one another', () => {
  const stored = completeBanner(readBannerBody({ name: 'x', product_id: 3, start: 100, end: 200 }));

  test.each<[name: string, body: Record<string, unknown>, problems: Record<string, string[]>]>([
    ['the other id of a pair', { category_id: 5 }, { category_id: ['excludes product_id: set one of them to 0'] }],
    ['the other id, and this one gone', { category_id: 5, product_id: 0 }, {}],
    ['the other pair', { target_parent_id: 5 }, {}],
    [
      'both of the other pair',
      { target_parent_id: 5, target_resource_id: 6 },
      {
        target_resource_id: ['excludes target_parent_id: set one of them to 0'],
        target_parent_id: ['excludes target_resource_id: set one of them to 0'],
      },
    ],
    ['an end before the start', { end: 99 }, { end: ['must not be before start'] }],
    ['an end at the start', { end: 100 }, {}],
    ['a start after the end', { start: 201 }, { start: ['must not be after end'] }],
    ['both moved', { start: 201, end: 300 }, {}],
    ['no start', { start: null, end: 1 }, {}],
    ['nothing of it', { name: 'y' }, {}],
  ])('%s', (_name, body, problems) => {
    const request = readBannerBody(body);
    mergeBanner(stored, request);
    expect(request.problems.fields).toEqual(problems);
  });

  test('does not report stored contradictions for an unrelated change', () => {
    const damaged = { ...stored, category_id: 4 };
    expect(mergeBanner(damaged, readBannerBody({ name: 'y' }))).toEqual({ ...damaged, name: 'y' });
  });
});

test('the schema of a body names every field and no other', () => {
  const schema = bannerSchema(['name']);
  expect(Object.keys(schema['properties'] as object)).toEqual([...bannerFieldNames]);
  expect([schema['required'], schema['additionalProperties']]).toEqual([['name'], false]);
});

/** Values as names of tests, without their length. */
function show(value: unknown): string {
  const shown = JSON.stringify(value) ?? String(value);
  return shown.length > 60 ? `${shown.slice(0, 40)}… (${shown.length})` : shown;
}
