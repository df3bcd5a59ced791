/** What the commands for files share. */
import type { SettingsOf } from '../../src/config/setting-definitions.js';
import { textValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import type { SiteDeps } from '../deps.js';
import { required } from '../parameters.js';

export const pathParameter = required(textValue(), 'Path of the file, such as products/lamp.jpg');

export interface MediaPlace {
  readonly folder: string;
  readonly limits: SettingsOf<'gateway'>;
}

/** Throws refused for an attached site. */
export async function openMedia(deps: SiteDeps): Promise<MediaPlace> {
  if (deps.store.kind !== 'own') {
    throw new AppError('refused', { message: 'The files of an attached site belong to its CMS; put them there' });
  }
  return { folder: deps.loadConfig().config.files_dir, limits: await deps.settings('gateway') };
}
