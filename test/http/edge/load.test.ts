/** More requests than can be answered: which are refused, in a simulation whose time is counted and not measured. */
import { describe, expect, it } from 'vitest';
import { Load, type WaitingTurn } from '../../../src/http/connections/load.js';

/** Milliseconds of processor time of an answer unless it says otherwise, and of a refusal. */
const longestWaitMs = 2000;
const usualMs = 0.5;
const refusalMs = 0.06;

interface Outcome {
  /** Milliseconds from the arrival of each answered request to its answer, by the time of its arrival. */
  readonly answered: { readonly at: number; readonly took: number; readonly caller: string }[];
  readonly refused: { readonly at: number; readonly took: number; readonly caller: string }[];
}

interface Sources {
  /** The milliseconds until the next request. */
  readonly arrivals?: (at: number) => number;
  /** Each of so many sends its next request when it has its answer. */
  readonly clients?: number;
  readonly answerMs?: number;
  /** Who sends the requests that arrive. */
  readonly callerAt?: (at: number) => string;
}

function turnOf(since: number, caller = 'crowd'): WaitingTurn {
  return { since, expected: 1, asker: { group: 'reads', caller } };
}

/** One event loop that answers one request after the other. */
function simulate(untilMs: number, { arrivals, clients = 0, answerMs = usualMs, callerAt }: Sources): Outcome {
  let now = 0;
  // A connection stays open when its request is answered.
  let connections = clients;
  const load = new Load({ clock: { elapsed: () => now }, longestWaitMs, connections: () => connections });
  const outcome: Outcome = { answered: [], refused: [] };
  for (let sent = 0; sent < clients; sent += 1) load.add(turnOf(0));
  let next = arrivals?.(0) ?? Number.POSITIVE_INFINITY;
  while (now < untilMs) {
    if (load.waiting === 0) now = Math.max(now, next);
    for (; next <= now; next += arrivals?.(next) ?? Number.POSITIVE_INFINITY) load.add(turnOf(next, callerAt?.(next)));
    connections = Math.max(connections, load.waiting);
    const { refused, begins } = load.next();
    const note = ({ since: at, asker }: WaitingTurn) => {
      if (asker.caller === 'crowd' && clients > 0) load.add(turnOf(now));
      return { at, took: now - at, caller: asker.caller };
    };
    for (const turn of refused) {
      now += refusalMs;
      outcome.refused.push(note(turn));
    }
    if (begins === null) continue;
    now += answerMs;
    load.end(begins);
    outcome.answered.push(note(begins));
  }
  return outcome;
}

/** Requests of callers that know nothing of each other, as a multiple of what can be answered. */
function callers(multiple: (at: number) => number, answerMs = usualMs): (at: number) => number {
  let state = 7;
  return (at) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (-Math.log(1 - state / 2 ** 32) * answerMs) / multiple(at);
  };
}

function p99(outcome: Outcome, from = 0): number {
  const times = outcome.answered.filter(({ at }) => at >= from).map(({ took }) => took);
  return times.sort((one, other) => one - other)[Math.floor(times.length * 0.99)] ?? Number.NaN;
}

/** Of more numbers than a call may have arguments. */
function most(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => Math.max(one, other), 0);
}

describe('a server with more requests than it can answer', () => {
  const seconds = 60_000;

  it('refuses none at half of its capacity', () => {
    expect(simulate(seconds, { arrivals: callers(() => 0.5) }).refused).toEqual([]);
  });

  it.each([2, 4])('answers what it can at %s times its capacity, and none of it late', (multiple) => {
    const outcome = simulate(seconds, { arrivals: callers(() => multiple) });
    // The time that refusals leave.
    const possible = (seconds - (multiple * seconds * refusalMs) / usualMs) / (usualMs - refusalMs);
    expect(outcome.answered.length).toBeGreaterThan(possible * 0.99);
    // All but those of the time until the requests that wait would take two seconds.
    expect(p99(outcome, 2500)).toBeLessThan(5 * p99(simulate(seconds, { arrivals: callers(() => 0.5) })));
    expect(most(outcome.answered.map(({ took }) => took))).toBeLessThan(longestWaitMs);
    expect(most(outcome.refused.map(({ took }) => took))).toBeLessThan(longestWaitMs);
    expect(most(outcome.refused.flatMap(({ at, took }) => (at > 2500 ? [took] : [])))).toBeLessThan(1000);
  });

  it.each([0.5, 2, 20])('does so after a quiet time, where an answer takes %s ms', (answerMs) => {
    const quiet = 5000;
    const half = simulate(seconds, { arrivals: callers(() => 0.5, answerMs), answerMs });
    expect(half.refused).toEqual([]);
    const twice = simulate(seconds, { arrivals: callers((at) => (at < quiet ? 0.5 : 2), answerMs), answerMs });
    expect(twice.answered.length).toBeGreaterThan((seconds / answerMs) * 0.8);
    expect(p99(twice, quiet + 3000)).toBeLessThan(5 * p99(half));
    expect(most(twice.answered.map(({ took }) => took))).toBeLessThan(longestWaitMs);
    expect(simulate(10_000, { clients: 100, answerMs }).refused).toEqual([]);
  });

  it('goes on to answer where refusing all others would take all of its time', () => {
    const outcome = simulate(4000, { arrivals: callers(() => 12) });
    expect(outcome.answered.length).toBeGreaterThan((4000 / usualMs) * 0.3);
    expect(p99(outcome, 1000)).toBeLessThan(10);
  });

  it('is normal again within a second', () => {
    const outcome = simulate(20_000, { arrivals: callers((at) => (at < 10_000 ? 3 : 0.5)) });
    expect(most(outcome.refused.map(({ at }) => at))).toBeLessThan(10_100);
    expect(p99(outcome, 10_100)).toBeLessThan(5);
  });

  it('refuses none of clients that wait for their answers, and none of a crowd that comes once', () => {
    expect(simulate(10_000, { clients: 1000 }).refused).toEqual([]);
    let sent = 0;
    const crowd = () => {
      sent += 1;
      return sent <= 2000 ? 0.01 : 5;
    };
    expect(simulate(10_000, { arrivals: crowd }).refused).toEqual([]);
  });

  it('refuses none of a few clients that wait for their answers, however long that takes', () => {
    expect(simulate(60_000, { clients: 64, answerMs: 80 }).refused).toEqual([]);
  });

  it('bounds the time that a request waits, also where the queue grows slowly', () => {
    const outcome = simulate(seconds, { arrivals: callers(() => 1.2) });
    expect(most(outcome.answered.map(({ took }) => took))).toBeLessThan(2001);
    expect(p99(outcome, 20_000)).toBeLessThan(10);
  });
});
