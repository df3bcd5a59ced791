/** CONTRIBUTING.md says how large the product may be. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../architecture/source-file.js';

const [, section = ''] = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8').split('\n## Size\n');
const bounds = [...section.matchAll(/^\| (.+?) \| (\d+) \| \d+ \|$/gm)].map(([, name = '', most]) => ({
  name,
  most: Number(most),
}));
const figures: Readonly<Record<string, number>> = JSON.parse(
  execFileSync(process.execPath, [join(repository, '.ci/measure.mjs'), '--json'], { encoding: 'utf8' }),
);

describe('the size of the product', () => {
  it('has a bound for every figure', () => {
    expect(bounds.map(({ name }) => name)).toEqual(Object.keys(figures));
  });

  it.each(bounds)('stays within the bound of $name', ({ name, most }) => {
    expect(figures[name]).toBeGreaterThanOrEqual(0);
    expect(figures[name]).toBeLessThanOrEqual(most);
  });
});
