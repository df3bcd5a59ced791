/** One short run of each group of the compiled bench: every row is there and both of its sides cost something. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../support/temp-dir.js';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'dist/bench/main.js');
const short = ['--databases', 'sqlite', '--rounds', '1', '--warm-up', '0', '--seconds', '0.2', '--connections', '2'];

const groups: readonly (readonly [group: string, flags: readonly string[], rows: readonly string[]])[] = [
  [
    'builds',
    ['--before', root, '--rows', 'list,single,unchanged list,PATCH,hcd key list,start of a server'],
    ['list', 'single read', 'unchanged list (304)', 'PATCH', 'hcd key list', 'start of a server'],
  ],
  [
    'bare',
    ['--rows', 'single,kept: page,POST,click of new,hcd --version'],
    ['single read', 'kept: page by URI', 'POST of one writer', 'click of new visitors', 'hcd --version'],
  ],
  [
    'growth',
    ['--sizes', '1000,1500', '--rows', 'children,deep page by cursor'],
    ['children of a parent, menu order', 'deep page by cursor, by id'],
  ],
  ['statistics', ['--sizes', '500,1000'], ['/stats of everything', '/ads with counters']],
  [
    'outbox',
    ['--sizes', '0,500'],
    ['PATCH with ten subscriptions, against none', 'delivery among 500 finished ones, against none'],
  ],
  ['workers', [], ['kept list to many visitors', 'list']],
  ['calm-caller', ['--rows', 'cheap reads', '--seconds', '1'], ['cheap reads']],
];

describe.skipIf(!existsSync(main))('a run of the bench', () => {
  it.each(groups)('measures both sides of each row of %s', async (group, flags, names) => {
    const folder = await makeTempDir('bench');
    const args = [main, group, ...short, ...flags, '--folder', folder];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [, , ...rows] = stdout.trimEnd().split('\n');
    const cells = rows.map((row) => row.replaceAll(/^\| | \|$/g, '').split(' | '));
    expect(cells.map(([name]) => name)).toEqual(expect.arrayContaining([...names]));
    for (const [name, database, times, , own, other] of cells) {
      expect(database).toBe('sqlite');
      expect(Number(times), name).toBeGreaterThan(0);
      for (const cost of [own, other]) expect(cost, name).toMatch(/^[1-9]\d* (?:µs|ms)$/);
    }
  });

  it('names the groups, and the rows of a group', async () => {
    const fails = (...args: readonly string[]) => promisify(execFile)(process.execPath, [main, ...args]);
    await expect(fails('all')).rejects.toThrow('Allowed choices are builds, bare, growth');
    await expect(fails('statistics', ...short, '--rows', 'none')).rejects.toThrow('no row begins with none: /stats of');
  });
});
