/** One short run of the compiled figures of the outbox: every part of it works together and each figure is there. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';

const main = join(import.meta.dirname, '../../dist/bench/outbox.js');

describe.skipIf(!existsSync(main))('the bench of the outbox', () => {
  it('measures each row on the chosen database', { timeout: 120_000 }, async () => {
    const folder = await makeTempDir('bench-outbox');
    const args = ['--rows', '500', '--databases', 'sqlite', '--rounds', '1', '--folder', folder];
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args]);
    const rows = stdout.trimEnd().split('\n').slice(2);
    expect(rows.map((row) => row.split(' | ').slice(0, 2))).toEqual([
      ['| sqlite', 'a change with 10 subscriptions against one with none, time'],
      ['| sqlite', 'worker against a bare loop, 500 deliveries, rate'],
      ['| sqlite', 'the same, processor time of its process for a delivery (bare loop / worker)'],
      ['| sqlite', 'memory after the first round and at the end, MiB'],
      ['| sqlite', 'claim among 500 finished rows against none, time'],
    ]);
    for (const row of rows) expect(Number.parseFloat(row.split(' | ')[2] ?? '')).toBeGreaterThan(0);
  });
});
