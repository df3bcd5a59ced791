/** Files that are damaged, foreign or made to do harm: refused with line and column, and the store stays as it was. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { importRecords } from '../../../src/operations/transfer/import-records.js';
import { readNdjson } from '../../../src/operations/transfer/ndjson.js';
import { LineProblems } from '../../../src/operations/transfer/transfer-record.js';
import type { Store } from '../../../src/store/open/open.js';
import { describeEachDatabase } from '../../support/databases.js';
import { exportText, fileOf, header, importText, kinds, type Line, migratedStore } from './transfer-store.js';

const at = (uri: string) => ({ context: 'web', uri });
const page = (uri: string, more: object = {}): Line => [
  'resources',
  { context_key: 'web', uri, pagetitle: 'P', ...more },
];
const chunk = (name: string, snippet: unknown = 'x'): Line => ['chunks', { name, snippet }];
const raw = (...parts: readonly (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const nested = (count: number, open: string): string =>
  `{"object":"chunks","record":{"name":"a","properties":${open.repeat(count)}`;

const loop = 'must not be the record itself, or one below it';
const start = 'the first line of an export';

const cases: readonly [name: string, file: string | Buffer, line: number, column: number, problem: string][] = [
  ['an empty file', '', 1, 1, start],
  ['empty lines', '\n\n', 1, 1, start],
  ['bytes of a compressed file', raw([0x1f, 0x8b, 8, 0]), 1, 1, 'not UTF-8 text: byte 2 of the line'],
  ['UTF-16', Buffer.from(`\ufeff${header}\n`, 'utf16le'), 1, 1, 'not UTF-8 text: byte 1 of the line'],
  ['a table of another program', 'id,name\n1,a\n', 1, 1, start],
  ['a backup', 'hcd-backup 1 gzip plain\n', 1, 1, 'a backup, which hcd restore reads'],
  [
    'a first line that is too long',
    `{"hcd":1,${' '.repeat(16_000_000)}"exported":""}`,
    1,
    1,
    'longer than 16000000 bytes',
  ],
  ['a first line with more', header.replace('}', ',"by":"me"}'), 1, 44, '"by" is unknown'],
  ['a line that is too long', `${header}\n${' '.repeat(16_000_001)}`, 2, 1, 'longer than 16000000 bytes'],
  ['a line that is cut off', fileOf(chunk('a')).slice(0, -9), 2, 47, 'the text is not closed'],
  [
    'bytes that are not UTF-8',
    raw(`${header}\n{"object":"`, [0xff, 0xfe]),
    2,
    1,
    'not UTF-8 text: byte 12 of the line',
  ],
  ['half a character at the end', raw(`${header}\n"a`, [0xe2, 0x82]), 2, 1, 'not UTF-8 text: byte 3 of the line'],
  ['a NUL', fileOf(chunk('a'), '\0'), 3, 1, 'found "\\u0000"'],
  ['a NUL in a name', fileOf(chunk('a\0b')), 2, 30, 'must not contain a NUL character'],
  [
    'half of a surrogate pair',
    fileOf('{"object":"chunks","record":{"name":"a\\ud800"}}'),
    2,
    30,
    'half of a surrogate pair',
  ],
  ['deep lists', fileOf('['.repeat(100_000)), 2, 65, 'nested deeper than 64 levels'],
  ['deep objects in a record', fileOf(nested(100_000, '{"a":')), 2, 364, 'nested deeper than 64 levels'],
  ['too many values', fileOf(nested(500_000, '[],').replace(':[]', ':[[]')), 2, 1_500_040, 'more than 500000 values'],
  [
    'too many members',
    fileOf(`{"m":{},${Array.from({ length: 100_001 }, (_, n) => `"m${n}":1`).join()}}`),
    2,
    1_088_888,
    'more than 100000 members',
  ],
  [
    'a name that is given twice',
    fileOf('{"object":"chunks","record":{"name":"a","name":"b"}}'),
    2,
    41,
    '"name" is given twice',
  ],
  ['a record that comes twice', fileOf(chunk('a', 'b'), chunk('a', 'c')), 3, 1, 'an earlier line has a too'],
  ['an object named like a method', fileOf(['constructor', {}]), 2, 2, 'constructor: is an unknown object'],
  [
    'a member named like a method',
    fileOf('{"object":"chunks","record":{"name":"a","__proto__":{}}}'),
    2,
    41,
    '__proto__: is unknown',
  ],
  ['a line with a count', fileOf(chunk('a'), '{"records":5}'), 3, 2, '"records" is unknown'],
  ['a record that is a list', fileOf('{"object":"chunks","record":[]}'), 2, 20, 'record must be an object, not a list'],
  [
    'a number beyond the column',
    fileOf(page('a', { menuindex: 2 ** 53 + 1 })),
    2,
    79,
    'from -2147483648 to 2147483647',
  ],
  [
    'a number beyond all numbers',
    fileOf('{"object":"resources","record":{"context_key":"web","pagetitle":"P","menuindex":1e400}}'),
    2,
    69,
    'from -2147483648 to 2147483647',
  ],
  ['a time of the year 0', fileOf(page('a', { publishedon: '0000-01-01T00:00:00Z' })), 2, 79, 'must be ISO 8601'],
  ['an unknown parent', fileOf(page('a', { parent: at('none') })), 2, 79, 'no resource with the URI none in web'],
  ['a page that is its own parent', fileOf(page('a', { parent: at('a') })), 2, 79, loop],
  [
    'pages that are above each other',
    fileOf(page('a', { parent: at('b') }), page('b', { parent: at('a') })),
    2,
    79,
    loop,
  ],
  ['a page below its own child', fileOf(page('top', { parent: at('below') })), 2, 81, loop],
];

describeEachDatabase('a file', (kind) => {
  let store: Store;
  let before: string;
  const site = fileOf(page('top', { parent: null }), page('below', { parent: at('top') }));

  beforeAll(async () => {
    store = await migratedStore(await kind.url());
    await importText(store, site);
    before = await exportText(store);
  });
  afterAll(() => store.close());

  const importAll = (file: string | Buffer, isDry: boolean): Promise<unknown> => {
    const read = (within?: Parameters<typeof importRecords>[0]['within']) => {
      const problems = new LineProblems();
      const records = readNdjson(Readable.from([Buffer.from(file)]), { problems });
      return importRecords({ store, kinds, records, problems, by: 'test', isDry, ...(within && { within }) });
    };
    return isDry ? read() : store.content.write((tx) => read({ tx, database: 'content' }));
  };

  it.each(cases)('is refused with %s', async (_name, file, line, column, problem) => {
    for (const isDry of [true, false]) {
      const error: unknown = await importAll(file, isDry).catch((thrown: unknown) => thrown);
      if (!(error instanceof AppError)) throw error;
      expect(error.message).toContain(problem);
      expect(error).toMatchObject({ code: 'refused', details: { place: { line, column } } });
      expect(error.message.length).toBeLessThan(700);
    }
    expect(await exportText(store)).toBe(before);
  });

  it('names at most twenty problems of a line, and the place of the first', async () => {
    const members = Array.from({ length: 5000 }, (_, at) => [`m${at}`, 1]);
    const error: unknown = await importText(store, fileOf(['chunks', Object.fromEntries(members)])).catch((e) => e);
    const place = { line: 2, column: 30, object: 'chunks', field: 'm0' };
    expect(error).toMatchObject({ details: { place, fields: { 'line 2': { length: 20 } } } });
  });

  it('may move pages below what was below them', async () => {
    const moved = fileOf(page('top', { parent: at('below') }), page('below', { parent: null }));
    expect(await importAll(moved, true)).toMatchObject({ updated: 2 });
    expect(await importAll(moved, false)).toMatchObject({ updated: 2 });
    expect(await importAll(site, false)).toMatchObject({ updated: 2 });
  });
});
