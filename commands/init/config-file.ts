/** The file that `hcd init` writes: the values that were chosen, in TOML, readable by its owner only. */
import { constants, existsSync } from 'node:fs';
import { access, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'smol-toml';
import { type Config, configDefinitions } from '../../src/config/definitions.js';
import { AppError } from '../../src/errors/app-error.js';

/** Without own_database the tables of the program stand beside the content. */
export type ChosenValues = Pick<Config, 'database' | 'content_prefix' | 'host' | 'port'> &
  Partial<Pick<Config, 'own_database'>>;

/** Throws refused when the file may not be written, so that nothing is asked or changed in vain. */
export async function checkWritable(path: string, { force }: { readonly force: boolean }): Promise<void> {
  if (existsSync(path) && !force) {
    throw new AppError('refused', { message: `${path} already exists. Replace it with --force` });
  }
  try {
    await access(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new AppError('refused', {
      message: `${path} cannot be written: its folder is missing or not writable`,
      cause,
    });
  }
}

/** Writes the whole file or nothing. */
export async function writeConfigFile(path: string, values: ChosenValues): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeFile(draft, configText(values), { mode: 0o600, flag: 'wx' });
  await rename(draft, path);
}

function configText(values: ChosenValues): string {
  const entries = Object.entries(configDefinitions).flatMap(([name, { description }]) => {
    const value = Object.entries(values).find(([key]) => key === name)?.[1];
    return value === undefined ? [] : [`# ${description}\n${stringify({ [name]: value }).trimEnd()}\n`];
  });
  const head =
    '# Configuration of hcd. "hcd help environment" lists all names. Environment variables override this file.\n';
  return [head, ...entries].join('\n');
}
