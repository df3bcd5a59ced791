/** Files of the package that become files of a site. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assetNames, readAsset } from '../../values/read-asset.js';

export const starters = Object.freeze(['blog', 'docs', 'shop'] as const);

export type Starter = (typeof starters)[number];

/** What is there stays. */
export async function copyAssets(folder: readonly string[], target: string): Promise<void> {
  for (const name of assetNames(...folder)) {
    const path = join(target, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, readAsset(...folder, name), { flag: 'wx' }).catch(orExists);
  }
}

function orExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
