/** Takes the stored value of a setting away for `hcd setting unset`. */
import { isSettingKey } from '../../src/config/settings.js';
import { readSetting } from '../../src/content/settings/settings.js';
import { AppError } from '../../src/errors/app-error.js';
import { removeSetting } from '../../src/operations/settings/change-setting.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { changeNotes } from './notes.js';

export interface UnsetOptions {
  readonly key: string;
  readonly context: string | undefined;
}

export async function runUnset({ key, context }: UnsetOptions, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  const asked = { key, context: context ?? null, env: deps.env };
  if (context === undefined && !isSettingKey(key)) {
    // Asked only about a setting that is there.
    await readSetting(store, { ...asked, secrets: 'masked' });
    await agree(deps, key);
  }
  const change = await removeSetting(store, asked);
  return {
    kind: 'done',
    message: change.wasSet ? `${key} is unset.` : `${key} was not set.`,
    data: change.view === null ? null : { ...change.view },
    notes: changeNotes(store, change),
  };
}

async function agree({ prompt }: Deps, key: string): Promise<void> {
  const message = `${key} is a setting of the content system and has no default here. Remove it?`;
  if (await prompt.confirm({ message, flag: '--yes' })) return;
  throw new AppError('refused', { message: 'Nothing was changed' });
}
