/** One short run of the compiled bench of peers without any peer: its pages, questions, checks and table work together. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';
import { shortRun } from './short-run.js';

const main = join(import.meta.dirname, '../../dist/bench/peers.js');

describe.skipIf(!existsSync(main))('a run of the bench of peers', () => {
  it('asks hcd every question, finds no wrong answer and writes the table', { timeout: 120_000 }, async () => {
    const folder = await makeTempDir('peers');
    const args = [main, '--only', 'hcd', ...shortRun, '--connections=2', '--folder', folder];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { rows, leftOut } = JSON.parse(await readFile(join(folder, 'results/peers.json'), 'utf8'));
    expect(leftOut).toEqual([]);
    const fromBoth = ['list', 'read', 'address', 'search', 'words'].flatMap((name) => [name, name]);
    expect(rows.map((row: { question: string }) => row.question)).toEqual([...fromBoth, 'create', 'update']);
    for (const row of rows) {
      expect(row).toMatchObject({ errors: 0, toHcd: expect.anything() });
      expect(row.cost.median).toBeGreaterThan(0);
      expect(row.bytes).toBeGreaterThan(1000);
    }
    expect(stdout).toContain('| sqlite, 500 | single page by id | hcd, answers from memory | ');
    expect(await readFile(join(folder, 'results/peers.md'), 'utf8')).toBe(stdout);
  });
});
