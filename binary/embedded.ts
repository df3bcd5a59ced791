/** What the single executable does in place of reading files of the package; build.ts puts these functions in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAsset } from 'node:sea';
import { constants, Script } from 'node:vm';

/** In place of src/values/read-asset.ts, like `assetNames`. */
export function readAsset(...names: readonly string[]): Buffer {
  return Buffer.from(getAsset(names.join('/')));
}

export function assetNames(...folder: readonly string[]): readonly string[] {
  const root = `${folder.join('/')}/`;
  const names: readonly string[] = JSON.parse(getAsset('names.json', 'utf8'));
  return names.filter((name) => name.startsWith(root)).map((name) => name.slice(root.length));
}

/**
 * A compiled part of a package. The system loads such code only from a file: it is written to a private folder, and
 * removed as soon as it is loaded.
 */
export function loadNative(name: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'hcd-'));
  try {
    const path = join(folder, name);
    writeFileSync(path, readAsset(name), { mode: 0o700 });
    const module = { exports: {} };
    process.dlopen(module, path);
    return module.exports;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports a file of the user; `import()` in the code of the executable itself finds only modules of Node. */
export function importFile(url: string): Promise<unknown> {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script('(url) => import(url)', { importModuleDynamically }).runInThisContext()(url);
}
