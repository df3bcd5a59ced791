/** Where the files that come with the program are: sources and build lie at different depths of the package. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The path of a file below `assets`. */
export function assetPath(...names: readonly string[]): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'assets', ...names);
}
