/** What people see on a terminal of any width: no line is wider, times are short, and nothing steers the terminal. */

import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../commands/command.js';
import { topics } from '../../commands/help-text.js';
import { writeError, writeResult } from '../../commands/output.js';
import { createIo } from '../../commands/streams.js';
import { shortTime } from '../../commands/table.js';
import { AppError } from '../../src/errors/app-error.js';
import { createLogger } from '../../src/log/logger.js';
import { runCli } from '../support/cli.js';
import { fakeClock } from '../support/clock.js';

const now = Date.UTC(2026, 10, 21, 9, 30);
const seed = 20;

function show(result: Result, columns: number | null, { json = false, colour = false } = {}) {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  if (columns !== null) for (const stream of Object.values(streams)) Object.assign(stream, { isTTY: true, columns });
  const io = createIo(streams, { env: colour ? {} : { NO_COLOR: '1' }, noColor: false });
  writeResult(result, { io, json, quiet: false, now });
  writeError(new AppError('refused', { message: result.notes?.[0] || '' }), {
    ...{ io, json: false, quiet: false, now, helpLine: '' },
  });
  return { stdout: String(streams.stdout.read() ?? ''), stderr: String(streams.stderr.read() ?? '') };
}

/** Columns by a rule of its own: every character that any terminal may draw wide counts two, a mark on another none. */
function widthOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (/[\p{Mn}\p{Me}]/u.test(character)) continue;
    width +=
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

const pieces = [
  'a',
  'word',
  ' ',
  'gateway_rate_limit',
  '日本語',
  '한글',
  '🚀',
  '＝',
  'é',
  'e\u0301',
  '\u001b[31m',
  '\u202e',
  '\n',
  '…',
];
const text = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((parts) => parts.join(''));
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom('2026-11-21T09:29:00Z', '2027-01-02T00:00:00Z'),
);
const names = ['id', 'name', 'lookup_id', 'rate_limit_window', 'state', 'url', 'created_on', 'events', 'last_used_on'];
const table = fc.record({
  columns: fc.subarray(names, { minLength: 1 }),
  rows: fc.array(fc.record(Object.fromEntries(names.map((name) => [name, value]))), { minLength: 1, maxLength: 4 }),
  spare: fc.subarray(names),
});

describe('no line is wider than the terminal', () => {
  it('in tables with any rows', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 20, max: 200 }), fc.boolean(), (list, columns, colour) => {
        const { stdout } = show({ kind: 'list', ...list }, columns, { colour });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: our own colours take no columns
        for (const line of stdout.replace(/\u001b\[\d+m/g, '').split('\n')) {
          expect(widthOf(line), line).toBeLessThanOrEqual(columns);
        }
      }),
      { seed, numRuns: 400 },
    );
  });

  it('in tables at the usual widths, with every value that a column has room for', () => {
    const row = { id: 17, name: 'Website of the 日本語 shop', scopes: 'resources.read,preview', state: 'active' };
    const list: Result = { kind: 'list', columns: Object.keys(row), rows: [row, row] };
    expect(show(list, 30).stdout).toBe(
      `${'ID 17\nNAME\nWebsite of the 日本語 shop\nSCOPES resources.read,preview\nSTATE active\n'}\n`
        .repeat(2)
        .trimEnd()
        .concat('\n'),
    );
    expect(show({ ...list, spare: ['state'] }, 20)).toMatchObject({
      stdout: expect.stringContaining('STATE active\n'),
      stderr: expect.not.stringContaining('Columns that do not fit'),
    });
    expect(show(list, 40).stdout.split('\n')[1]).toBe('17  Website of …  resources.r…  active');
    expect(show(list, 200).stdout.split('\n')[1]).toBe(
      '17  Website of the 日本語 shop  resources.read,preview  active',
    );
  });

  it('in records, messages, notes and refusals, save for words that are wider', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 20, max: 200 }), (first, second, columns) => {
        const record: Result = { kind: 'record', record: { id: 1, name: first, text: second }, notes: [first, second] };
        const done: Result = { kind: 'done', message: first, data: null, notes: [second] };
        for (const result of [record, done]) {
          const { stdout, stderr } = show(result, columns);
          for (const line of `${stdout}${stderr}`.split('\n')) {
            if (line.trim().includes(' ')) expect(widthOf(line), line).toBeLessThanOrEqual(columns);
          }
        }
      }),
      { seed, numRuns: 300 },
    );
  });

  it.each([40, 80, 200])('in help and topics, at %d columns', async (columns) => {
    const paths = ['', 'key', 'key create', 'webhook add', 'db copy', 'banner stats', 'setting list', 'init'];
    const lines = [...paths.map((path) => `${path} --help`), ...topics.map(({ name }) => `help ${name}`)];
    for (const line of lines) {
      const { stdout } = await runCli(line, { terminal: { columns } });
      for (const printed of stdout.split('\n')) {
        // What an example names stays whole to be copied; a list in prose breaks at its commas.
        const words = printed.replace(/ \\$/, '').replace(/^\s*(\$ hcd )?/, '');
        const isOneWord = !words.includes(' ') && !(line.startsWith('help ') && words.includes(','));
        if (!isOneWord) expect(printed.length, printed).toBeLessThanOrEqual(Math.min(columns, 100));
      }
    }
  });
});

it('a command at the end of a note stays in one piece', () => {
  const note =
    'To try it, with the key in GATEWAY_KEY: curl -H "Authorization: Bearer $GATEWAY_KEY" \'http://127.0.0.1:8080/api\'';
  const { stderr } = show({ kind: 'done', message: '', data: null, notes: [note] }, 40);
  expect(stderr).toContain(
    'To try it, with the key in GATEWAY_KEY:\n  curl -H "Authorization: Bearer $GATEWAY_KEY" \'http://127.0.0.1:8080/api\'\n',
  );
  expect(show({ kind: 'done', message: '', data: null, notes: [note] }, null).stderr).toContain(`${note}\n`);
});

describe('a time', () => {
  it.each([
    ['2026-11-21T09:30:00Z', 'now'],
    ['2026-11-21T09:29:59.500Z', 'now'],
    ['2026-11-21T09:29:15Z', '45 s ago'],
    ['2026-11-21T10:27:00+01:00', '3 min ago'],
    ['2026-11-20T10:30:00Z', '23 h ago'],
    ['2026-11-09T09:30:00Z', '12 d ago'],
    ['2027-02-19T09:30:00Z', 'in 90 d'],
    ['2037-01-01T00:00:00Z', '2037-01-01'],
    ['2026-11-21', null],
    ['2026-13-21T09:30:00Z', null],
    ['soon', null],
  ])('%s is short on a terminal: %s', (iso, short) => {
    expect(shortTime(iso, now)).toBe(short);
  });

  it('is exact in pipes and JSON, and has its distance in a record', () => {
    const row = { on: '2026-11-21T09:27:00Z' };
    const list: Result = { kind: 'list', columns: ['on'], rows: [row] };
    expect(show(list, 80).stdout).toBe('ON\n3 min ago\n');
    expect(show(list, null).stdout).toBe('2026-11-21T09:27:00Z\n');
    expect(show(list, 80, { json: true }).stdout).toContain('"2026-11-21T09:27:00Z"');
    expect(show({ kind: 'record', record: row }, 80).stdout).toBe('on  2026-11-21T09:27:00Z (3 min ago)\n');
  });
});

describe('what steers a terminal', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
  const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
  const anyText = fc.string({
    unit: fc.oneof(
      fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\u061c',
        '\u200e',
        '\u200f',
        '\u202a',
        '\u202e',
        '\u2066',
        '\u2069',
        '日',
        'a',
        '\u001b[31m',
        '\u009b2J',
      ),
    ),
  });

  it('is spelled out in every text that a command prints, on a terminal and in a pipe', () => {
    fc.assert(
      fc.property(anyText, (hostile) => {
        const parts = { notes: [hostile] };
        const results: readonly Result[] = [
          { kind: 'list', columns: ['name'], rows: [{ name: hostile }], empty: hostile, ...parts },
          { kind: 'record', record: { name: hostile, list: [hostile] }, ...parts },
          { kind: 'text', text: hostile, data: hostile, ...parts },
          { kind: 'done', message: hostile, data: { name: hostile }, ...parts },
        ];
        for (const result of results) {
          for (const columns of [null, 60]) {
            for (const json of [false, true]) {
              const { stdout, stderr } = show(result, columns, { json });
              expect(`${stdout}${stderr}`).not.toMatch(steering);
              if (json && result.kind === 'text') expect(JSON.parse(stdout)).toEqual({ data: hostile });
            }
          }
        }
      }),
      { seed, numRuns: 200 },
    );
  });

  it('is spelled out in both forms of the log', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('text', 'json'), (hostile, format) => {
        let line = '';
        const log = createLogger({
          ...{ level: 'info', format, clock: fakeClock() },
          write: (written) => {
            line += written;
          },
        });
        log({ kind: 'unexpected_error', during: hostile, error: new Error(hostile) });
        expect(line).not.toMatch(steering);
      }),
      { seed, numRuns: 200 },
    );
  });

  it('differs from text that looks like it, in a pipe', () => {
    const written = (name: string) => show({ kind: 'list', columns: ['name'], rows: [{ name }] }, null).stdout;
    expect([written('\u001b'), written('\\u001b')]).toEqual(['\\u001b\n', '\\\\u001b\n']);
  });
});
