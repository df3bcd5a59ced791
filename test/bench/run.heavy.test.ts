/** One short run of the compiled bench on a small site: every part of it works together and the files are written. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';
import { shortRun } from './short-run.js';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'dist/bench/main.js');

describe.skipIf(!existsSync(main))('a run of the bench', () => {
  it('writes ratios for each scenario and accepts only good answers', { timeout: 120_000 }, async () => {
    const folder = await makeTempDir('bench');
    const { stdout } = await promisify(execFile)(process.execPath, [
      main,
      ...shortRun,
      ...['--client=node', '--connections=4', '--scenarios=children,page'],
      ...[`--folder=${folder}`, `--out=${join(folder, 'out')}`],
    ]);
    const result = JSON.parse(await readFile(join(folder, 'out/result.json'), 'utf8'));
    const [{ database, figures, memory }] = result.databases;
    expect(database).toBe('sqlite');
    expect(figures.map((row: { scenario: string; bad: number }) => [row.scenario, row.bad])).toEqual([
      ['children', 0],
      ['page', 0],
    ]);
    for (const row of figures) {
      expect(row.toBytes.median).toBeGreaterThan(0);
      expect(row.toDriver.median).toBeGreaterThan(0);
      expect(row.cachedToBytes.median).toBeGreaterThan(0);
      expect(row.statements).toBeGreaterThan(0);
      expect(row.growth).toEqual({ median: 1, least: 1, most: 1 });
    }
    expect(memory).toHaveLength(1);
    expect(stdout).toContain('| page by URI | ');
    expect(await readFile(join(folder, 'out/result.md'), 'utf8')).toBe(stdout);
  });
});
