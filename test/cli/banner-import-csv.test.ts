/** Reading clicks and impressions from CSV: columns, line numbers, every refusal, bounded memory. */
import { describe, expect, test } from 'vitest';
import { type EventLine, type EventType, readEventCsv } from '../../commands/banner/import/read-event-csv.js';
import { expectGolden } from '../support/golden.js';

async function* bytes(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const all = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
}

async function read(
  text: string | Uint8Array,
  type: EventType = 'clicks',
  zone = 'Europe/Berlin',
): Promise<EventLine[]> {
  const lines: EventLine[] = [];
  for await (const line of readEventCsv(bytes(text), { type, zone })) lines.push(line);
  return lines;
}

const header = 'id,ad_id,ad_name,position_id,position_name,clicked_at,referrer,ip,order_id';
const at = Date.UTC(2026, 10, 20, 9, 30);
const plain = { id: null, ad: 3, position: 2, at, referrer: '', ip: '', orderId: null };

describe('reading events from CSV', () => {
  test('takes every column of the export, quoted values over several lines, a mark before the text and empty ids', async () => {
    const text = `\ufeff${header}\r\n17,3,"Tents, ""large""\nand small",2,Sidebar,2026-11-20T09:30:00Z,https://a.example/?q=1,192.0.2.0,A-77\r\n\r\n,3,Tents,2,Sidebar,1795167000,,,\r\n`;
    expect(await read(text)).toEqual([
      {
        line: 3,
        event: { id: 17, ad: 3, position: 2, at, referrer: 'https://a.example/?q=1', ip: '192.0.2.0', orderId: 'A-77' },
      },
      { line: 5, event: plain },
    ]);
  });

  test.each([
    ['\n', '\n'],
    ['\n', '\r\n'],
    ['\r\n', '\n'],
    ['\r\n', '\r\n'],
  ])('counts lines as an editor does: lines end with %j, those inside of values with %j', async (end, inside) => {
    const rows = [header, `,3,"a${inside}b${inside}c",2,,x,,,`, '', ',3,,2,,y,,,', `,3,"a${inside}b",2,,z,,,`];
    expect((await read(rows.join(end) + end)).map(({ line }) => line)).toEqual([4, 6, 8]);
    await expect(read([...rows, ',3,"open'].join(end))).rejects.toMatchObject({
      message: 'Line 9: a quoted value has no closing quote',
    });
  });

  test.each([
    ['semicolons', 'ad_id;position_id;clicked_at;referrer\n3;2;1795167000;https://a.example/?a,b\n', 2],
    [
      'semicolons, named first',
      'sep=;\r\nad_id;position_id;clicked_at;referrer\r\n3;2;1795167000;"https://a.example/?a,b"\r\n',
      3,
    ],
    ['tabs', 'ad_id\tposition_id\tclicked_at\treferrer\n3\t2\t1795167000\thttps://a.example/?a,b\n', 2],
    [
      'tabs, named first, after empty lines',
      '\ufeff\n\nSEP=\t\n\nad_id\tposition_id\tclicked_at\treferrer\n3\t2\t1795167000\thttps://a.example/?a,b',
      6,
    ],
    [
      'commas, named first and quoted',
      '\ufeff"sep=,"\nad_id,position_id,clicked_at,referrer\n3,2,1795167000,"https://a.example/?a,b"\n',
      3,
    ],
    [
      'a quoted header',
      '"ad_id";"position_id";"clicked_at";"referrer"\r"3";"2";"1795167000";"https://a.example/?a,b"',
      2,
    ],
  ])('takes values separated by %s', async (_name, text, line) => {
    const expected = [{ line, event: { ...plain, referrer: 'https://a.example/?a,b' } }];
    for (const size of [1, 7, 1000]) {
      const lines: EventLine[] = [];
      for await (const row of readEventCsv(bytes(text, size), { type: 'clicks', zone: 'UTC' })) lines.push(row);
      expect(lines).toEqual(expected);
    }
  });

  test('names the line of a wrong row and of a wrong header behind a line that names the separator', async () => {
    await expect(read('sep=;\nad_id;position_id\n')).rejects.toMatchObject({
      message: expect.stringMatching(/^Line 2: clicked_at is missing\./),
    });
    expect(await read('sep=;\nad_id;position_id;clicked_at\n3;2\n')).toEqual([
      { line: 3, problems: ['has 2 values, the header has 3'] },
    ]);
  });

  test.each([
    ['a time', '2026-11-20 10:30', at],
    ['a time with seconds', '2026-11-20T10:30:00', at],
    ['a fraction of a second, as databases write it', '2026-11-20 10:30:00.000', at],
    ['a time in summer', '2026-07-01 10:30', Date.UTC(2026, 6, 1, 8, 30)],
    ['a time that the clocks show twice as the first one', '2026-10-25 02:30', Date.UTC(2026, 9, 25, 0, 30)],
    ['a time that the clocks skip as the moment of the change', '2026-03-29 02:30', Date.UTC(2026, 2, 29, 1)],
    ['a date as its first moment', '2026-11-20', Date.UTC(2026, 10, 19, 23)],
    ['an offset as it is', '2026-11-20T09:30:00+00:00', at],
    ['Unix seconds as they are', '1795167000', at],
  ])('reads %s in the time zone of the banners', async (_name, text, expected) => {
    expect(await read(`ad_id,position_id,clicked_at\n3,2,${text}\n`)).toEqual([
      { line: 2, event: { ...plain, at: expected } },
    ]);
  });

  test.each(['2026-02-30', '2026-11-20 24:00', '2026-11-20 10', '20.11.2026 10:30', '2026-11-20 10:30 CET'])(
    'rejects the time %s',
    async (text) => {
      expect(await read(`ad_id,position_id,clicked_at\n3,2,${text}\n`)).toEqual([
        {
          line: 2,
          problems: [
            `clicked_at must be a time as ISO 8601 (2026-11-21T09:30:00Z; without Z or an offset in banners_timezone), a date, or Unix seconds, not "${text}"`,
          ],
        },
      ]);
    },
  );

  test('takes the columns in any order, without those that are not needed', async () => {
    expect(await read('shown_at,position_id,ad_id,ip\n2026-11-20T09:30:00Z,2,3,2001:db8::\n', 'impressions')).toEqual([
      { line: 2, event: { ...plain, ip: '2001:db8::' } },
    ]);
  });

  test('takes away the guard against formulas that an export puts before a value', async () => {
    const lines = await read(
      "ad_id,position_id,clicked_at,referrer\n3,2,1795167000,'=cmd()\n3,2,1795167000,'quoted'\n",
    );
    expect(lines.map((line) => ('event' in line ? line.event.referrer : line))).toEqual(['=cmd()', "'quoted'"]);
  });

  test('reports every problem of each invalid row with its line', async () => {
    const rows = [
      'x,0,Tents,2,Sidebar,yesterday,,192.0.2.300,',
      ',3,Tents,2',
      `,3,Tents,2,Sidebar,1795167000,${'é'.repeat(256)},,${'7'.repeat(65)}`,
      ',3,Tents,4294967296,Sidebar,1795167000,,fe80::1%eth0,',
      ',3,Tents,2,Sidebar,1795167000,,,',
      ',3,Tents,2,Sidebar,1795167000,a\0b,,',
      ',3,Tents,2,Sidebar,1969-12-31T23:59:59Z,,,',
      ',3,Tents,2,Sidebar,0001-01-01T00:00:00Z,,,',
    ];
    const found = (await read(`${header}\n${rows.join('\n')}`)).map((line) =>
      'event' in line
        ? `line ${line.line}: ${JSON.stringify(line.event)}`
        : `line ${line.line}: ${line.problems.join('\n  ')}`,
    );
    expectGolden('cli/golden/banner-import-csv.txt', `${found.join('\n')}\n`);
  });

  test.each([
    ['an empty file', '', 'The file is empty; a header row is required'],
    [
      'the other type',
      'id,ad_id,position_id,shown_at,ip\n',
      'Line 1: unknown column "shown_at"; clicked_at is missing. The columns of clicks are: id, ad_id, ad_name, position_id, position_name, clicked_at, referrer, ip, order_id',
    ],
    [
      'a column twice',
      'ad_id,ad_id,position_id,clicked_at\n',
      'Line 1: ad_id appears twice. The columns of clicks are: id, ad_id, ad_name, position_id, position_name, clicked_at, referrer, ip, order_id',
    ],
    [
      'a separator that it does not know',
      'sep=|\nad_id|position_id|clicked_at\n',
      'sep=|: values must be separated by a comma, a semicolon or a tab',
    ],
    ['a quote that does not end', `${header}\n,3,"Tents,2\n`, 'Line 2: a quoted value has no closing quote'],
    ['a quote in a value', `${header}\n,3,Ten"ts,2,,1,,,\n`, 'Line 2: a value contains a quote but is not quoted'],
    ['text behind a quote', `${header}\n,3,"Ten"ts,2,,1,,,\n`, 'Line 2: a quote inside a quoted value is not doubled'],
    [
      'a row without end',
      `${header}\n,3,"${'x'.repeat(70_000)}`,
      'Line 2: a row is longer than 65,536 characters: is a quote missing?',
    ],
    [
      'another encoding',
      Uint8Array.from([...new TextEncoder().encode(`${header}\n,3,`), 0xe9, 0x2c]),
      'The file is not UTF-8 text. Save it as UTF-8',
    ],
  ])('refuses %s', async (_name, text, message) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'refused', message });
  });

  test('passes on that the file cannot be read', async () => {
    const broken = (async function* () {
      yield new TextEncoder().encode(`${header}\n`);
      throw new RangeError('gone');
    })();
    await expect(async () => {
      for await (const _line of readEventCsv(broken, { type: 'clicks', zone: 'UTC' }));
    }).rejects.toThrow(new RangeError('gone'));
  });

  test('reads no further than it is asked to', async () => {
    let given = 0;
    const endless = (async function* () {
      yield new TextEncoder().encode('ad_id,position_id,clicked_at\n');
      const chunk = new TextEncoder().encode('3,2,1795167000\n'.repeat(1000));
      for (;;) {
        given += 1;
        yield chunk;
      }
    })();
    let count = 0;
    for await (const line of readEventCsv(endless, { type: 'clicks', zone: 'UTC' })) {
      expect('event' in line).toBe(true);
      count += 1;
      if (count === 5000) break;
    }
    expect(given).toBeLessThan(50);
  });
});
