/** The files of the package: sources and build are at different depths. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

function assetFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder);
  return join(folder, 'assets');
}

export function readAsset(...names: readonly string[]): Buffer {
  return readFileSync(join(assetFolder(), ...names));
}

/** Of all files below a folder, with slashes, from that folder on; none for a folder that is not there. */
export function assetNames(...folder: readonly string[]): readonly string[] {
  const root = join(assetFolder(), ...folder);
  if (!existsSync(root)) return [];
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll('\\', '/')).sort();
}
