/**
 * Writes the man pages into `man/` beside package.json, and their list into it. Run it after every change of a command:
 * `node dist/commands/write-man.js`. A test compares the files with what this would write.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manPages, releaseDate } from './man.js';
import { createProgram } from './program.js';

/** Replaces the pages in the folder of a package and removes those of commands that are gone. */
export async function writeManPages(root: string): Promise<void> {
  const folder = join(root, 'man');
  const changelog = join(root, 'CHANGELOG.md');
  const pages = await manPages(createProgram(), {
    date: existsSync(changelog) ? releaseDate(readFileSync(changelog, 'utf8')) : '',
  });
  mkdirSync(folder, { recursive: true });
  const wanted = new Set(pages.map(({ file }) => file));
  for (const file of readdirSync(folder)) if (file.endsWith('.1') && !wanted.has(file)) rmSync(join(folder, file));
  for (const { file, text } of pages) writeFileSync(join(folder, file), text);
  listPages(join(root, 'package.json'), [...wanted].sort());
}

/** npm links only the pages that package.json lists, when a program is installed globally. */
function listPages(file: string, pages: readonly string[]): void {
  if (!existsSync(file)) return;
  const manifest: Record<string, unknown> = JSON.parse(readFileSync(file, 'utf8'));
  const man = pages.map((page) => `./man/${page}`);
  writeFileSync(file, `${JSON.stringify({ ...manifest, man }, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // The compiled file stands two folders below the package.
  await writeManPages(fileURLToPath(new URL('../..', import.meta.url)));
}
