/** Values by field from which random writes are made: what fields take, what they refuse, and what is near the edge. */

const flag = [true, false, 0, 1, '0', '1', 'true', 'false'];
/** Seconds around the time of the test, which moves on with every step. */
const seconds = [null, 0, 1_700_000_003, 1_700_000_010, 1_700_000_040, 2_147_483_647];
const time = [...seconds, '1700000020', '2023-11-14T23:13:45+01:00'];
const text = ['x', '', ' y ', null, 0, -1.5, 'ä\u{1F600}', 'x'.repeat(191)];

/** Values that are accepted, at least in some place. */
export const fitting: Readonly<Record<string, readonly unknown[]>> = {
  pagetitle: ['One', 'Two', 'Drei ß', ' Four ', 5],
  alias: ['a', 'A', 'b', 'ä', 'a ', 'in/b', '', '&', 'index', '\u{1F600}', 'ss', 'ß', '[[*id]]'],
  uri: ['a.html', 'A.html', '//evil', '../up', '?q', '#f', 'ä', '', null, ' ', 'about/a.html', 'a.html '],
  uri_override: flag,
  published: flag,
  pub_date: time,
  unpub_date: time,
  publishedon: time,
  isfolder: flag,
  hidemenu: flag,
  introtext: text,
  content: text,
  description: text,
  menuindex: [0, '7', -1],
  template: [0, 1, '1'],
  content_type: [1, 4],
  class_key: ['modWebLink', 'MODX\\Revolution\\modDocument'],
  context_key: ['web', 'en'],
  deleted: [false, true],
  tvs: [{ mood: 'calm' }, { mood: '@INHERIT', size: 2 }, { size: '' }, { mood: null, size: true }, {}],
};
/** Values that are refused. */
export const unfit: Readonly<Record<string, readonly unknown[]>> = {
  pagetitle: ['', ' ', null, [], 'x'.repeat(192), 2 ** 53],
  alias: ['x'.repeat(192), {}, null],
  published: ['yes', null, 2],
  pub_date: [2 ** 31, -1, 'soon', 1.5, true],
  menuindex: [2 ** 31, 1.5, '1e3', null],
  template: [9, -1],
  content_type: [99, 0],
  class_key: ['modweblink', 'x', ''],
  context_key: ['WEB', 'closed', 'web ', null, 1],
  tvs: [{ other: 'x' }, { Mood: 1 }, [], null, { mood: [] }],
  id: [1],
  createdon: [1],
  properties: [{}],
  alias_visible: [0],
  nothing: [1],
};

/** Values for the fields of goods, of either kind. */
export const goods: Readonly<Record<string, readonly unknown[]>> = {
  title: ['a', 'A', 'ä ', '\u{1F600}', 'x'.repeat(40), 'x'.repeat(41), 0, null, '', true],
  price: [0, -0, 0.1, '12.50', 1e308, '1e309', '', null, 'x', 1e-320],
  stock: [0, '7', -5, 2 ** 53, 2 ** 53 - 1, 1.5, null],
  maker: ['acme', 'ACME', 'acme ', 'none', '', null, 0, 5],
  active: [...flag, 2, null, 'yes'],
  added: [...time, -1, 2 ** 31, '1969-12-31T23:59:59Z', ''],
  sold: [null, 0, -1, -(2 ** 31), 2 ** 31 - 1, '1901-01-01T00:00:00Z', '2026-02-29T00:00:00Z', ''],
  data: [null, {}, [], 'text', 0, { a: [1, { b: null }] }, { 'ä"\\\n': '\u{1F600}' }, -0, 1e21],
  image: ['pic.png', '/pic.png', 'https://a.example/p.png', '//a/p', '', null, 'ä b.png'],
  secret: ['x'],
  cost: [1, null, 'x'],
  shelf: [0, 1, 2, null],
  place: [0, 1, 2, null],
  id: [1],
};
