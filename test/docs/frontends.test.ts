/** The code for frameworks that a document shows is that of the example which its section links to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listFiles, repository } from '../architecture/source-file.js';
import { readDocument } from './markdown.js';

describe.each([
  ['Draft mode of Next.js', 'examples/nextjs', 1],
  ['Previews with Astro', 'examples/astro', 1],
] as const)('docs/previews.md, %s', (heading, example, count) => {
  const section = readDocument('docs/previews.md').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const blocks = [...section.matchAll(/```(?:ts|astro)\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const sources = listFiles(`${example}/src`, (name) => /\.(tsx?|astro)$/.test(name)).map((path) =>
    readFileSync(join(repository, path), 'utf8'),
  );

  test(`links to ${example} and shows code`, () => {
    expect(section).toContain(`(../${example})`);
    expect(blocks.length).toBe(count);
  });

  test.each(blocks)('has its code: %s', (code) => {
    expect(sources.some((source) => source.includes(code))).toBe(true);
  });
});
