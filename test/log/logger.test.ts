/** Log lines: level and words of every fact, the two forms, and text from outside that cannot pose as a line. */
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/app-error.js';
import { createLogger, type LoggerOptions } from '../../src/log/logger.js';
import type { Observation } from '../../src/log/observation.js';
import { escapeLines } from '../../src/values/text.js';
import { fakeClock } from '../support/clock.js';

function lines(observations: readonly Observation[], options: Partial<LoggerOptions> = {}): string[] {
  const written: string[] = [];
  const log = createLogger({
    level: 'info',
    format: 'text',
    clock: fakeClock(),
    write: (line) => written.push(line),
    ...options,
  });
  for (const observation of observations) log(observation);
  return written;
}

const request = {
  kind: 'request_finished',
  requestId: 'req-12345',
  api: 'gateway',
  method: 'GET',
  route: '/resources/:id',
  status: 200,
  durationMs: 1.23456,
  identity: 'api_key',
  identityId: '0123456789abcdef',
} as const satisfies Observation;

const failure = Object.assign(new Error('no such table', { cause: new Error('disk') }), {
  stack: 'Error: x\n    at one\n  at two',
});

const texts: readonly [name: string, observation: Observation, text: string][] = [
  ['a server that stops', { kind: 'server_stopping', signal: 'SIGTERM' }, '09:30:00 info  stopping signal=SIGTERM\n'],
  [
    'a request',
    request,
    '09:30:00 info  GET /resources/:id request_id=req-12345 api=gateway status=200 duration_ms=1.23 identity=api_key identity_id=0123456789abcdef\n',
  ],
  [
    'a request without a route',
    { ...request, route: null, status: 404 },
    '09:30:00 info  GET - request_id=req-12345 api=gateway status=404 duration_ms=1.23 identity=api_key identity_id=0123456789abcdef\n',
  ],
  [
    'a failed request',
    { ...request, status: 500, error: failure },
    '09:30:00 error GET /resources/:id request_id=req-12345 api=gateway status=500 duration_ms=1.23 identity=api_key identity_id=0123456789abcdef error=Error: no such table <- Error: disk\n    at one\n  at two\n',
  ],
  [
    'an unreachable database',
    { kind: 'store_unavailable', code: 'ECONNREFUSED' },
    '09:30:00 error the database does not answer code=ECONNREFUSED\n',
  ],
  [
    'a full disk of the database',
    { kind: 'store_unavailable', code: 'SQLITE_FULL', problem: 'The disk of the database is full' },
    '09:30:00 error The disk of the database is full code=SQLITE_FULL\n',
  ],
  [
    'a request in an outage, without frames',
    { ...request, status: 503, error: new AppError('unavailable', { cause: new Error('connect ECONNREFUSED') }) },
    '09:30:00 error GET /resources/:id request_id=req-12345 api=gateway status=503 duration_ms=1.23 identity=api_key identity_id=0123456789abcdef error=AppError: Temporarily unavailable <- Error: connect ECONNREFUSED\n',
  ],
  ['a text for people', { kind: 'notice', text: 'a text', level: 'warn' }, '09:30:00 warn  a text\n'],
  [
    'another root secret',
    { kind: 'secret_differs' },
    '09:30:00 error HCD_SECRET is not the one with which this store was first served; hcd doctor says what to do\n',
  ],
  [
    'a Redis that does not count',
    { kind: 'redis_unavailable', code: 'WRONGPASS' },
    '09:30:00 error Redis does not count requests code=WRONGPASS\n',
  ],
  [
    'a Redis that counts again',
    { kind: 'redis_recovered', uncounted: 12 },
    '09:30:00 info  Redis counts requests again uncounted=12\n',
  ],
  [
    'lines that its reader did not take',
    { kind: 'log_lines_lost', lines: 12 },
    '09:30:00 warn  lines of this log were lost: its reader took nothing for too long lines=12\n',
  ],
  ['replaced workers', { kind: 'workers_replaced', count: 2 }, '09:30:00 info  workers replaced count=2\n'],
  ['a migration', { kind: 'migration_applied', name: '2026-01' }, '09:30:00 info  migration applied: 2026-01\n'],
  ['changed settings', { kind: 'settings_changed', keys: ['a', 'b'] }, '09:30:00 info  settings changed keys=a,b\n'],
  ['a refused setting', { kind: 'setting_refused', key: 'a', problem: 'a must be 1' }, '09:30:00 warn  a must be 1\n'],
  [
    'an unexpected value that is not an error',
    { kind: 'unexpected_error', during: 'sweeping', error: 'thrown text' },
    '09:30:00 error unexpected error during sweeping error=thrown text\n',
  ],
];

describe('log lines for people', () => {
  it.each(texts)('show %s', (_name, observation, text) => {
    expect(lines([observation])).toEqual([text]);
  });
});

describe('log lines for programs', () => {
  it('are one JSON object each', () => {
    const [line = ''] = lines([{ ...request, error: failure, status: 503 }], { format: 'json' });
    expect(line.endsWith('}\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      time: '2026-11-21T09:30:00.000Z',
      level: 'error',
      event: 'request_finished',
      message: 'GET /resources/:id',
      request_id: 'req-12345',
      api: 'gateway',
      method: 'GET',
      route: '/resources/:id',
      status: 503,
      duration_ms: 1.23,
      identity: 'api_key',
      identity_id: '0123456789abcdef',
      error: 'Error: no such table <- Error: disk',
      stack: failure.stack,
    });
  });

  it('leave out what is not known', () => {
    const { identityId: _left, ...without } = request;
    const [line = ''] = lines([without], { format: 'json' });
    expect(Object.keys(JSON.parse(line))).toEqual([
      'time',
      'level',
      'event',
      'message',
      'request_id',
      'api',
      'method',
      'route',
      'status',
      'duration_ms',
      'identity',
    ]);
  });
});

it('has the time of its moment to the millisecond', () => {
  let moment = 0;
  const lines: string[] = [];
  const clock = { ...fakeClock(), now: () => moment };
  const log = createLogger({ level: 'info', format: 'json', clock, write: (line) => lines.push(line) });
  const at = Date.UTC(2026, 0, 31, 23, 59, 58, 999);
  const times = [at - 994, at, at + 1, at + 8.5, at + 1001, at - 86_400_000];
  for (const now of times) {
    moment = now;
    log(request);
  }
  const written = lines.map((line) => JSON.parse(line).time);
  expect(written).toEqual(times.map((now) => new Date(now).toISOString()));
});

const hostile = 'a\r\nFAKE \u001b[31m\u007f\u009b\u2028\u202e"\\';

describe('text from outside', () => {
  it('cannot start a line of its own or steer a terminal', () => {
    const observations: Observation[] = [
      { ...request, method: hostile },
      { kind: 'unexpected_error', during: 'a test', error: new Error(`${hostile}\n    `) },
    ];
    for (const line of lines(observations)) {
      const [first = '', ...rest] = line.trimEnd().split('\n');
      expect(first).toContain('a\\r\\nFAKE \\u001b[31m\\u007f\\u009b\\u2028\\u202e"\\');
      for (const frame of rest) expect(frame).toMatch(/^\s+at /);
    }
  });

  it('stays one line of valid JSON without raw controls', () => {
    const [line = ''] = lines([{ ...request, method: hostile }], { format: 'json' });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point
    expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
    expect(JSON.parse(line)).toMatchObject({ method: hostile });
  });

  it.each(['text', 'json'] as const)('needs no second look before a terminal gets it, as %s', (format) => {
    const error = Object.assign(new Error(hostile, { cause: new Error(hostile) }), {
      stack: `${hostile}\n    at ${hostile}`,
    });
    const written = lines(
      [
        { ...request, requestId: hostile, api: hostile, method: hostile, route: hostile, identity: hostile },
        { ...request, identityId: hostile, status: 500, error },
        { kind: 'unexpected_error', during: hostile, error },
        { kind: 'store_unavailable', code: hostile },
        { kind: 'migration_applied', name: hostile },
        { kind: 'settings_changed', keys: [hostile] },
        { kind: 'setting_refused', key: hostile, problem: hostile },
        { kind: 'forwarder_untrusted', peer: hostile },
      ],
      { format },
    );
    expect(written).toHaveLength(8);
    for (const line of written) expect(escapeLines(line)).toBe(line);
  });

  it.each(['text', 'json'] as const)('is cut when it is long, as %s', (format) => {
    const [line = ''] = lines([{ ...request, identityId: 'x'.repeat(10_000) }], { format });
    expect(line).toContain(`${'x'.repeat(1024)}… (8976 more characters)`);
    expect(line.length).toBeLessThan(2000);
  });

  it('ends for an error whose causes go in a circle', () => {
    const first = new Error('first');
    const second = new Error('second', { cause: first });
    first.cause = second;
    const [line = ''] = lines([{ kind: 'unexpected_error', during: 'a test', error: first }]);
    expect(line).toContain('error=Error: first <- Error: second <- Error: first <- Error: second <- Error: first\n');
  });
});

describe('the log', () => {
  it('leaves out what is less urgent than its level', () => {
    const observations: Observation[] = [
      request,
      { kind: 'setting_refused', key: 'a', problem: 'a must be 1' },
      { ...request, status: 500, error: new Error('broken') },
    ];
    expect(lines(observations, { level: 'warn' })).toHaveLength(2);
    expect(lines(observations, { level: 'error' })).toHaveLength(1);
  });

  it.each(['info', 'error'] as const)(
    'says once that the database is down and counts until it is back, at %s',
    (level) => {
      const down: Observation = { kind: 'store_unavailable', code: 'ECONNREFUSED' };
      const up: Observation = { kind: 'store_recovered' };
      const back = '09:30:00 info  the database answers again repeated=';
      const said = '09:30:00 error the database does not answer code=ECONNREFUSED\n';
      const all = [said, `${back}2\n`, said, `${back}0\n`];
      const expected = level === 'info' ? all : [said, said];
      expect(lines([down, down, down, up, down, up], { level })).toEqual(expected);
    },
  );
});
