/** Someone who has tried the examples still passes `npm run check`. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { repository } from '../architecture/source-file.js';
import { makeTempDir } from '../support/temp-dir.js';

test('what the examples generate is not checked', async () => {
  const folder = await makeTempDir('check');
  await copyFile(join(repository, 'biome.json'), join(folder, 'biome.json'));
  await writeFile(join(folder, 'checked.ts'), 'export const checked = true;\n');
  const generated = [
    ...['astro/dist/server/entry.mjs', 'astro/.astro/types.d.ts', 'astro/src/site.ts', 'astro/node_modules/a/a.js'],
    ...['nextjs/.next/server/app.js', 'nextjs/next-env.d.ts', 'nextjs/src/site.ts', 'nextjs/node_modules/a/a.js'],
    ...['static-site/.state/state.json', 'static-site/out/page.js', 'fetch/kept.json'],
  ];
  for (const name of generated) {
    const path = join(folder, 'examples', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'var  unformatted : any = 1');
  }
  const biome = join(repository, 'node_modules/@biomejs/biome/bin/biome');
  const { stdout } = await promisify(execFile)(process.execPath, [biome, 'check'], { cwd: folder });
  expect(stdout).toContain('Checked 2 files');
});
