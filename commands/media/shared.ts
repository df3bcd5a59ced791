/** What the commands for files share. */
import type { SettingsOf } from '../../src/config/setting-definitions.js';
import { textValue } from '../../src/config/value-type.js';
import { openEditing } from '../../src/content/administration/edit-content.js';
import { AppError } from '../../src/errors/app-error.js';
import type { SiteDeps } from '../deps.js';
import { required, toggle } from '../parameters.js';

export const pathParameter = required(textValue(), 'Path of the file, such as products/lamp.jpg');

export const eventsParameter = toggle('Send webhook events, as a change over HTTP does');

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

/** Throws refused for an attached site. */
export async function openMediaToWrite(deps: SiteDeps, events: boolean) {
  const { env, clock, log, store } = deps;
  const { writer } = await openEditing(store, { env, clock, log, events, trust: false });
  return { ...(await openMedia(deps)), writer };
}
