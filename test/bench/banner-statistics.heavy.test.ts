/** One short run of the compiled figures of the statistics of banners: every question is answered at every size. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';

const main = join(import.meta.dirname, '../../dist/bench/banner-statistics.js');

describe.skipIf(!existsSync(main))('the bench of banner statistics', () => {
  it('answers each question at both sizes and exports every line', { timeout: 120_000 }, async () => {
    const folder = join(await makeTempDir('bench-banners'), 'sites');
    const sizes = ['--clicks', '500,2000', '--impressions', '1000,4000', '--exported', '2000'];
    const args = [...sizes, '--databases', 'sqlite', '--rounds', '1', '--folder', folder];
    const { stdout } = await promisify(execFile)(process.execPath, [main, ...args]);
    const rows = stdout.trimEnd().split('\n').slice(2);
    const cells = rows.map((row) => row.split(' | '));
    expect(cells.map(([, name]) => name)).toEqual([
      '/stats this_month',
      '/stats all',
      '/stats all, one position',
      '/stats from an hour to an hour',
      '/stats/compare',
      '/stats/referrers this_month',
      '/stats/referrers all',
      '/ads with counters',
      'export of 2001 lines, 0 MiB',
      'resident memory before, after, at most, MiB',
    ]);
    for (const [, , times, ratio] of cells.slice(0, 8)) {
      expect(times).toMatch(/^\d+\.\d \/ \d+\.\d$/);
      expect(Number.parseFloat(ratio ?? '')).toBeGreaterThan(0);
    }
    expect(existsSync(folder)).toBe(false);
  });
});
