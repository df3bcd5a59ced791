/** What the build of the single executable has to know: where the program names files of its own while it runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, repository } from './source-file.js';

/** `import.meta`, or an import of something else than a text. */
const namesFiles = /import\.meta\b|\bimport\((?!\s*')/;

test('only the files whose text the build of the executable replaces name files of the package', () => {
  const files = ['src', 'commands', 'migrations'].flatMap((folder) =>
    listFiles(folder, (name) => /\.[jt]s$/.test(name)),
  );
  const found = files.filter((path) => namesFiles.test(readFileSync(join(repository, path), 'utf8')));
  const build = readFileSync(join(repository, 'binary/build.ts'), 'utf8').replaceAll('\\', '');
  // An import of better-sqlite3, which the executable does not have.
  const known = ['src/store/sqlite/statement-thread.js'];
  const unknown = found.filter((path) => !build.includes(path.replace(/\.ts$/, '.js')) && !known.includes(path));
  expect(found.length).toBeGreaterThan(known.length);
  expect(unknown, 'give them a line in binary/build.ts').toEqual([]);
});
