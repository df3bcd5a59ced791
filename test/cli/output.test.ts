/** Second half of every command: a result becomes a table, lines, or one JSON object. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Result } from '../../commands/command.js';
import { type OutputMode, writeResult } from '../../commands/output.js';
import { createIo } from '../../commands/streams.js';

const now = Date.UTC(2026, 10, 21, 9, 30);

interface Shown {
  readonly stdout: string;
  readonly stderr: string;
}

type Setting = Partial<Omit<OutputMode, 'io'>> & {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly noColor?: boolean;
};

function show(result: Result, { columns, env = { NO_COLOR: '1' }, noColor = false, ...mode }: Setting = {}): Shown {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  if (columns !== undefined)
    for (const stream of Object.values(streams)) Object.assign(stream, { isTTY: true, columns });
  const io = createIo(streams, { env, noColor });
  writeResult(result, { io, json: false, quiet: false, now, ...mode });
  const text = (stream: PassThrough): string => String(stream.read() ?? '');
  return { stdout: text(streams.stdout), stderr: text(streams.stderr) };
}

const list: Result = {
  kind: 'list',
  columns: ['id', 'name', 'active', 'tags', 'extra'],
  rows: [
    { id: 1, name: 'One\tor "two"\n\\', active: true, tags: ['a', 'b'], extra: { a: [1] }, hidden: 'in JSON only' },
    { id: 20, name: '', active: false, tags: [], extra: null, hidden: null },
  ],
  total: 7,
  notes: ['A note.'],
};

const record: Result = {
  kind: 'record',
  record: { id: 5, key: 'gk_secret', scopes: ['a', 'b'], text: 'two\nlines', unset: null },
  notes: ['Copy the key now.'],
};

const done: Result = { kind: 'done', message: 'Setting x is now 1.', data: { key: 'x', value: 1 } };

const json = (value: unknown): string => `${JSON.stringify(value)}\n`;

describe('on a terminal', () => {
  it('a list is a table with a heading', () => {
    expect(show(list, { columns: 80 })).toEqual({
      stdout: [
        'ID  NAME              ACTIVE  TAGS  EXTRA',
        '1   One\\tor "two"\\n\\  yes     a,b   {"a":[1]}',
        '20  -                 no      -     -',
        '',
      ].join('\n'),
      stderr: '2 of 7 shown.\nA note.\n',
    });
  });

  it('a wide column is cut to the width of the terminal', () => {
    const rows = [{ id: 1, name: 'x'.repeat(50), url: 'y'.repeat(30) }];
    const { stdout } = show({ kind: 'list', columns: ['id', 'name', 'url'], rows }, { columns: 40 });
    expect(stdout).toBe(['ID  NAME              URL', `1   ${'x'.repeat(15)}…  ${'y'.repeat(15)}…`, ''].join('\n'));
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  });

  it('a narrow terminal does without spare columns, those without a value first', () => {
    const rows = [{ id: 1, name: 'x'.repeat(12), note: '', town: 'y'.repeat(12), state: 'old' }];
    const spareList: Result = {
      kind: 'list',
      columns: ['id', 'name', 'note', 'town', 'state'],
      rows,
      spare: ['town', 'note'],
      marks: { state: { old: 'past' }, name: { ['x'.repeat(12)]: 'warning' } },
    };
    const shown = (columns: number) => show(spareList, { columns });
    expect(shown(80).stdout.split('\n')[0]).toBe('ID  NAME          NOTE  TOWN          STATE');
    expect([shown(44).stdout.split('\n')[0], shown(44).stderr]).toEqual(['ID  NAME          TOWN          STATE', '']);
    expect([shown(30).stdout.split('\n')[0], shown(30).stderr]).toEqual([
      'ID  NAME          STATE',
      'Columns that do not fit: town.\nUse a wider terminal or\n--json.\n',
    ]);
    expect(show(spareList, { columns: 80, env: {} }).stdout).toContain('\u001b[33mxxxxxxxxxxxx\u001b[39m');
    expect(show(spareList, { columns: 80, env: {} }).stdout).toContain('\u001b[2mold\u001b[22m');
    expect(show(spareList).stdout).toBe(`1\t${'x'.repeat(12)}\t\t${'y'.repeat(12)}\told\n`);
  });

  it('wide characters do not push other columns away', () => {
    const rows = [
      { name: '日本', id: 1 },
      { name: 'ab', id: 2 },
    ];
    expect(show({ kind: 'list', columns: ['name', 'id'], rows }, { columns: 80 }).stdout).toBe(
      ['NAME  ID', '日本  1', 'ab    2', ''].join('\n'),
    );
  });

  it('an empty list is a sentence on standard error', () => {
    const empty: Result = { kind: 'list', columns: ['id'], rows: [] };
    expect(show(empty, { columns: 80 })).toEqual({ stdout: '', stderr: 'Nothing found.\n' });
    expect(show({ ...empty, empty: 'No keys yet.' }, { columns: 80 })).toEqual({
      stdout: '',
      stderr: 'No keys yet.\n',
    });
    expect(show(empty, { columns: 80, quiet: true })).toEqual({ stdout: '', stderr: '' });
  });

  it('a record is a line per member', () => {
    expect(show(record, { columns: 80 })).toEqual({
      stdout: ['id      5', 'key     gk_secret', 'scopes  a,b', 'text    two', '        lines', 'unset   -', ''].join(
        '\n',
      ),
      stderr: 'Copy the key now.\n',
    });
  });

  it('JSON is indented', () => {
    expect(show(done, { columns: 80, json: true }).stdout).toBe(
      '{\n  "data": {\n    "key": "x",\n    "value": 1\n  }\n}\n',
    );
  });

  it('text from the database cannot steer the terminal', () => {
    const name = 'a\u001b]0;title\u0007\u009b31m\u202e';
    const escaped = 'a\\u001b]0;title\\u0007\\u009b31m\\u202e';
    const row = { name };
    expect(show({ kind: 'list', columns: ['name'], rows: [row] }, { columns: 80 }).stdout).toContain(escaped);
    expect(show({ kind: 'record', record: row }, { columns: 80 }).stdout).toBe(`name  ${escaped}\n`);
    expect(show({ kind: 'done', message: name, data: null }, { columns: 80 }).stdout).toBe(`${escaped}\n`);
  });

  it.each([
    ['by default', {}, true],
    ['with NO_COLOR', { env: { NO_COLOR: '1' } }, false],
    ['with an empty NO_COLOR', { env: { NO_COLOR: '' } }, true],
    ['with --no-color', { env: {}, noColor: true }, false],
    ['on a dumb terminal', { env: { TERM: 'dumb' } }, false],
    ['in a pipe', { columns: undefined }, false],
  ])('headings are painted: %s', (_name, setting, painted) => {
    const { stdout } = show(record, { env: {}, columns: 80, ...setting } as Setting);
    expect(stdout.includes('\u001b[1m')).toBe(painted);
  });
});

describe('in a pipe', () => {
  it('a list is one tab-separated line a record, without a heading', () => {
    expect(show(list)).toEqual({
      stdout: '1\tOne\\tor "two"\\n\\\\\ttrue\ta,b\t{"a":[1]}\n20\t\tfalse\t\t\n',
      stderr: 'A note.\n',
    });
  });

  it('an empty list leaves standard output empty', () => {
    expect(show({ kind: 'list', columns: ['id'], rows: [] })).toEqual({ stdout: '', stderr: 'Nothing found.\n' });
  });

  it('a record is one line of name and value per member', () => {
    expect(show(record).stdout).toBe('id\t5\nkey\tgk_secret\nscopes\ta,b\ntext\ttwo\\nlines\nunset\t\n');
  });

  it('a record shows the named members only', () => {
    expect(show({ ...record, fields: ['key'] }).stdout).toBe('key\tgk_secret\n');
  });

  it('text is printed as it is', () => {
    expect(show({ kind: 'text', text: 'a\tb\n', data: null }).stdout).toBe('a\tb\n');
  });

  it('what was done is a sentence, not with --quiet', () => {
    expect(show(done)).toEqual({ stdout: 'Setting x is now 1.\n', stderr: '' });
    expect(show({ ...done, notes: ['A note.'] }, { quiet: true })).toEqual({ stdout: '', stderr: '' });
  });
});

describe('with --json', () => {
  it.each<[string, Result, unknown]>([
    ['a list', list, { data: list.kind === 'list' ? list.rows : [], meta: { total: 7 } }],
    ['a whole list', { kind: 'list', columns: [], rows: [{ a: 1 }] }, { data: [{ a: 1 }], meta: { total: 1 } }],
    ['a record', record, { data: record.kind === 'record' ? record.record : {} }],
    [
      'a record with chosen members',
      { ...record, fields: ['id'] },
      { data: record.kind === 'record' ? record.record : {} },
    ],
    ['text', { kind: 'text', text: 'x', data: { x: 1 } }, { data: { x: 1 } }],
    ['what was done', done, { data: { key: 'x', value: 1 } }],
    ['nothing', { kind: 'nothing' }, { data: null }],
  ])('%s is one object on one line', (_name, result, value) => {
    expect(show(result, { json: true }).stdout).toBe(json(value));
    expect(show(result, { json: true, quiet: true }).stdout).toBe(json(value));
  });
});
