/** The serializer of request lines gives, byte for byte, the general form of the same facts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/log/logger.js';
import type { RequestFinished } from '../../src/log/observation.js';
import { fakeClock } from '../support/clock.js';

function lineOf(request: RequestFinished): string {
  const written: string[] = [];
  createLogger({ level: 'debug', format: 'json', clock: fakeClock(), write: (line) => written.push(line) })(request);
  return written.join('');
}

const longest = 1024;

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length - longest} more characters)`;
}

/** JSON.stringify, with everything beyond it spelled out that could start a line or steer a terminal. */
function generalForm({ requestId, api, method, route, status, durationMs, identity, identityId }: RequestFinished) {
  const text = JSON.stringify({
    time: '2026-11-21T09:30:00.000Z',
    level: status < 500 ? 'info' : 'warn',
    event: 'request_finished',
    message: cut(`${method} ${route ?? '-'}`),
    request_id: cut(requestId),
    api: cut(api),
    method: cut(method),
    route: route === null ? null : cut(route),
    status,
    duration_ms: Math.round(durationMs * 100) / 100,
    identity: cut(identity),
    identity_id: identityId === undefined ? undefined : cut(identityId),
  });
  const raw = /[\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  return `${text.replace(raw, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}

/** All kinds of characters, half surrogates and what ends lines and strings included. */
const hostileText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('"', '\\', '\n', '\r', '\u007f', '\u0085', '\u2028', '\u202e', '\u{1f600}', '\ud800', ' '),
  ),
});
const text = fc.oneof(
  hostileText,
  fc.stringMatching(/^[ -~]{0,40}$/),
  fc.constantFrom('', 'x'.repeat(1024), 'x'.repeat(1025)),
);

const requests: fc.Arbitrary<RequestFinished> = fc.record(
  {
    kind: fc.constant('request_finished'),
    requestId: text,
    api: text,
    method: text,
    route: fc.oneof(fc.constant(null), text),
    status: fc.integer({ min: 100, max: 599 }),
    durationMs: fc.oneof(
      fc.double(),
      fc.double({ min: 0, max: 1000, noNaN: true }),
      fc.integer({ min: 0, max: 2_000_000 }).map((hundredths) => hundredths / 100),
    ),
    identity: text,
    identityId: text,
  },
  { requiredKeys: ['kind', 'requestId', 'api', 'method', 'route', 'status', 'durationMs', 'identity'] },
);

describe('the line of a request for programs', () => {
  it('is the general form of the same facts, whatever they are', () => {
    fc.assert(
      fc.property(requests, (request) => {
        expect(lineOf(request)).toBe(generalForm(request));
      }),
      { numRuns: 2000 },
    );
  });

  it('is one line without raw controls that reads as what was said', () => {
    fc.assert(
      fc.property(requests, (request) => {
        const line = lineOf(request);
        expect(line.indexOf('\n')).toBe(line.length - 1);
        expect(JSON.parse(line)).toMatchObject({ request_id: cut(request.requestId), status: request.status });
      }),
    );
  });

  it('has the same members in the same order as the line of a request that failed', () => {
    const request: RequestFinished = {
      kind: 'request_finished',
      ...{ requestId: 'req-12345', api: 'gateway', method: 'GET', route: '/resources/:id', status: 200 },
      ...{ durationMs: 1.23456, identity: 'api_key', identityId: '0123456789abcdef' },
    };
    const failed = Object.keys(JSON.parse(lineOf({ ...request, error: new Error('broken') })));
    expect([...Object.keys(JSON.parse(lineOf(request))), 'error', 'stack']).toEqual(failed);
  });

  it('has the time of the clock, however many are written in one millisecond', async () => {
    const written: string[] = [];
    const clock = fakeClock();
    const log = createLogger({ level: 'info', format: 'json', clock, write: (line) => written.push(line) });
    const observation: RequestFinished = {
      kind: 'request_finished',
      ...{ requestId: 'req-12345', api: 'gateway', method: 'GET', route: null, status: 404 },
      ...{ durationMs: 1, identity: 'anonymous' },
    };
    log(observation);
    log(observation);
    await clock.advance(1);
    log(observation);
    expect(written.map((line) => JSON.parse(line).time)).toEqual([
      '2026-11-21T09:30:00.000Z',
      '2026-11-21T09:30:00.000Z',
      '2026-11-21T09:30:00.001Z',
    ]);
  });
});
