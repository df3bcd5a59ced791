/** The schedule of deliveries: what follows from each way in which an attempt can end. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import type { SendOutcome } from '../../src/webhooks/client/outbound.js';
import {
  classify,
  type Decision,
  decide,
  isReceiversFault,
  plannedDelay,
  retryAfterMs,
} from '../../src/webhooks/rules/retry.js';

const now = Date.UTC(2026, 10, 21, 9, 30);

function after(
  outcome: SendOutcome,
  given: { attempts?: number; random?: number; maxAttempts?: number } = {},
): Decision {
  const { attempts = 1, random = 0.5, maxAttempts = 12 } = given;
  return decide({ result: classify(outcome), attempts, maxAttempts, random, now });
}

function answered(status: number, retryAfter: string | null = null): SendOutcome {
  return { kind: 'answered', status, retryAfter, bodyStart: '' };
}

test('the plan doubles from 30 seconds to half a day and takes about 17 hours over twelve attempts', () => {
  const delays = Array.from({ length: 11 }, (_, at) => plannedDelay(at + 1) / 1000);
  expect(delays).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 30_720]);
  expect(plannedDelay(12)).toBe(43_200_000);
  expect(plannedDelay(100)).toBe(43_200_000);
  expect(delays.reduce((sum, one) => sum + one) / 3600).toBeCloseTo(17, 0);
});

test('every delay stays within a fifth of the plan, at both ends of the random number', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 11 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (attempts, random) => {
        const decision = after(answered(500), { attempts, random });
        const planned = plannedDelay(attempts);
        const delay = decision.kind === 'retry' ? decision.delayMs : Number.NaN;
        return delay >= planned * 0.8 - 1 && delay <= planned * 1.2 + 1;
      },
    ),
  );
  expect(after(answered(500), { random: 0 })).toEqual({ kind: 'retry', delayMs: 24_000 });
  expect(after(answered(500), { random: 0.999999 })).toEqual({ kind: 'retry', delayMs: 36_000 });
});

const failed = (reason: 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol'): SendOutcome => ({
  kind: 'failed',
  reason,
});

describe('the first attempt that ends with', () => {
  const retry = (seconds: number): Decision => ({ kind: 'retry', delayMs: seconds * 1000 });
  it.each<[string, SendOutcome, string, Decision, boolean]>([
    ['200', answered(200), 'delivered', { kind: 'delivered' }, false],
    ['204', answered(204), 'delivered', { kind: 'delivered' }, false],
    ['299', answered(299), 'delivered', { kind: 'delivered' }, false],
    ['301', answered(301), 'redirected', retry(30), true],
    ['304', answered(304), 'redirected', retry(30), true],
    ['308', answered(308), 'redirected', retry(30), true],
    ['101, which was not requested', answered(101), 'server_error', retry(30), true],
    ['000', answered(0), 'server_error', retry(30), true],
    ['400', answered(400), 'rejected', retry(30), true],
    ['404', answered(404), 'rejected', retry(30), true],
    ['410', answered(410), 'gone', { kind: 'failed' }, true],
    ['429', answered(429), 'rate_limited', retry(60), true],
    ['429 and Retry-After 7', answered(429, '7'), 'rate_limited', retry(60), true],
    ['429 and Retry-After 90', answered(429, '90'), 'rate_limited', retry(90), true],
    ['500', answered(500), 'server_error', retry(30), true],
    ['503 and Retry-After 7', answered(503, '7'), 'server_error', retry(30), true],
    ['503 and Retry-After 3600', answered(503, '3600'), 'server_error', retry(3600), true],
    ['503 and Retry-After of a week', answered(503, '604800'), 'server_error', retry(86_400), true],
    [
      '503 and Retry-After as a date',
      answered(503, 'Sat, 21 Nov 2026 10:30:00 GMT'),
      'server_error',
      retry(3600),
      true,
    ],
    ['a time-out', failed('timeout'), 'timeout', retry(60), true],
    ['a name that is not found', failed('dns'), 'unreachable', retry(30), true],
    ['a refused connection', failed('connect'), 'unreachable', retry(30), true],
    ['a bad certificate', failed('tls'), 'unreachable', retry(30), true],
    ['a broken connection', failed('reset'), 'unreachable', retry(30), true],
    ['an answer that is no HTTP', failed('protocol'), 'unreachable', retry(30), true],
    ['our own policy', { kind: 'refused', reason: 'not allowed by policy' }, 'refused', { kind: 'failed' }, false],
    ['the end of the worker', { kind: 'stopped' }, 'interrupted', { kind: 'give_back' }, false],
  ])('%s', (_name, outcome, kind, decision, blamed) => {
    const result = classify(outcome);
    expect([result.outcome, after(outcome), isReceiversFault(result.outcome)]).toEqual([kind, decision, blamed]);
  });
});

describe('a Retry-After header of', () => {
  it.each<[string | null, number | null]>([
    [null, null],
    ['', null],
    ['0', null],
    ['-1', null],
    ['1.5', null],
    ['1e12', null],
    ['soon', null],
    ['2026', 2_026_000],
    [' 30 ', 30_000],
    ['999999999999', 86_400_000],
    ['Sat, 21 Nov 2026 09:31:00 GMT', 60_000],
    ['Saturday, 21-Nov-26 09:31:00 GMT', 60_000],
    ['Sat Nov 21 09:31:00 2026', 60_000],
    ['Sat, 21 Nov 2026 09:29:00 GMT', null],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 86_400_000],
    ['2026-11-21T09:31:00Z', null],
  ])('%j asks for %j milliseconds', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});

test('a date without a zone is one of Greenwich wherever the worker stands', () => {
  const zone = process.env['TZ'];
  onTestFinished(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  process.env['TZ'] = 'America/New_York';
  expect(new Date(now).getHours()).not.toBe(new Date(now).getUTCHours());
  expect(retryAfterMs('Sat Nov 21 09:31:00 2026', now)).toBe(60_000);
  expect(retryAfterMs('Sat, 21 Nov 2026 09:31:00 GMT', now)).toBe(60_000);
});

test('the last attempt is given up, whatever the receiver asks for', () => {
  expect(after(answered(500), { attempts: 12 })).toEqual({ kind: 'failed' });
  expect(after(answered(503, '60'), { attempts: 12 })).toEqual({ kind: 'failed' });
  expect(after(answered(500), { attempts: 3, maxAttempts: 3 })).toEqual({ kind: 'failed' });
  expect(after(answered(200), { attempts: 12 })).toEqual({ kind: 'delivered' });
});
