/** The files of the package: sources and build are at different depths. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function readAsset(...names: readonly string[]): Buffer {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return readFileSync(join(folder, 'assets', ...names));
}
