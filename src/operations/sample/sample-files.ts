/** Files of the package: those that become files of a site, and requests worth trying on the sample site. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ApiName } from '../../config/value-type.js';
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

export async function keepOutOfGit(folder: string): Promise<void> {
  const names = 'hcd.toml\nhcd.sqlite\nhcd.sqlite-*\n';
  await writeFile(join(folder, '.gitignore'), names, { flag: 'wx' }).catch(orExists);
}

function orExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

/** Paths are below the base of their API. */
export interface SampleRequest {
  readonly api: ApiName;
  readonly shows: string;
  /** Anonymous, with the key or the page token, or a user who logs in or has logged in. */
  readonly caller: 'anyone' | 'key' | 'token' | 'login' | 'session';
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With query, percent-encoded. Ids are those that pages get in an empty store: their places in the file. */
  readonly path: string;
  /** Without apostrophes. A log-in makes its own. */
  readonly body?: Readonly<Record<string, string | number | boolean>>;
  readonly isFirst?: boolean;
}

/** In the order in which to try them. All except the creation, whose URI is then in use, work again. */
export function sampleRequests(): readonly SampleRequest[] {
  return JSON.parse(readAsset('sample', 'requests.json').toString());
}
