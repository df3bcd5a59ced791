/** How the metrics of several processes become those of one server. */
import { describe, expect, test } from 'vitest';
import { type Samples, samplesOf, startMetrics, sumOf, textOf } from '../../src/operations/admin/metrics.js';

/** The totals of a process that has answered requests in so many milliseconds. */
async function totalsOf(durations: readonly number[]): Promise<Samples> {
  const metrics = startMetrics();
  for (const durationMs of durations) {
    metrics.observe({
      kind: 'request_finished',
      requestId: 'aaaaaaaa',
      identity: 'anonymous',
      api: 'gateway',
      method: 'GET',
      route: '/resources',
      status: 200,
      durationMs,
    });
  }
  return samplesOf(metrics, 'totals', 1);
}

const sumIn = (text: string) => Number(/^http_server_request_duration_seconds_sum\S* (\S+)$/m.exec(text)?.[1]);

describe('the metrics of several processes', () => {
  test('do not fall when a process ends, in whatever order their times are added', async () => {
    const processes = await Promise.all([[100, 200], [300.1], [0.7, 0.00003], [1e5 / 3]].map(totalsOf));
    const [first = [], ...others] = processes;
    const alive = sumIn(await textOf(await sumOf(processes)));
    const [second = [], ...left] = others;
    const ended = await sumOf([await sumOf([[], second]), first]);
    const after = sumIn(await textOf(await sumOf([...left, ended])));
    expect(alive).toBeCloseTo(33.933_967, 3);
    expect(after).toBe(alive);
  });
});
