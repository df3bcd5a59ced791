/** Shows and changes the keys of the banner API for `hcd banner key`. */

import {
  addReadKey,
  readBannerKeys,
  removeReadKey,
  rotateBannerKey,
} from '../../../src/banners/management/banner-keys.js';
import { timeValue } from '../../../src/config/time-values.js';
import { readRuntimeSettings } from '../../../src/content/settings/runtime-settings.js';
import { AppError } from '../../../src/errors/app-error.js';
import type { Store } from '../../../src/store/open/open.js';
import { confirmChange } from '../../confirm.js';
import type { Deps } from '../../deps.js';
import { origin } from '../../key/usage-notes.js';
import type { DoneResult, RecordResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';

export async function runShow(deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  const { key, isLocked, previous, readKeys } = await readBannerKeys(store, { env: deps.env, now: deps.clock.now() });
  if (key === null) {
    throw new AppError('not_found', { message: 'There is no key yet. Make one: hcd banner key rotate' });
  }
  return {
    kind: 'record',
    record: {
      key,
      source: isLocked ? 'environment' : 'settings',
      previous: previous?.key ?? null,
      previous_ends_on: isoTime(previous?.endsOn ?? null),
      read_keys: readKeys,
    },
    notes: await usageNotes(deps, store),
  };
}

export async function runRotate(
  { overlap }: { readonly overlap: number | undefined },
  deps: Deps,
): Promise<RecordResult> {
  const store = await openReady(deps);
  const before = await readBannerKeys(store, { env: deps.env, now: deps.clock.now() });
  if (before.key !== null && (overlap ?? 0) === 0) {
    await confirmChange(deps, 'End the old key at once? --overlap lets both work for a while.');
  }
  const { key, previousEndsOn } = await rotateBannerKey(store, {
    env: deps.env,
    overlapSeconds: overlap ?? null,
    now: deps.clock.now(),
  });
  const endsOn = before.key === null ? null : isoTime(previousEndsOn);
  const ending =
    endsOn === null ? 'The old key stops working within one second.' : `The old key works until ${endsOn}.`;
  return {
    kind: 'record',
    record: { key, previous_ends_on: endsOn },
    notes: [...(before.key === null ? [] : [ending]), ...(await usageNotes(deps, store))],
  };
}

export async function runAdd({ name }: { readonly name: string }, deps: Deps): Promise<RecordResult> {
  const store = await openReady(deps);
  const made = await addReadKey(store, { env: deps.env, name });
  return {
    kind: 'record',
    record: { name: made.name, key: made.key },
    notes: [
      'The key is shown only now: store it where its client reads its secrets.',
      ...(await usageNotes(deps, store)),
    ],
  };
}

export async function runRemove({ name }: { readonly name: string }, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  await confirmChange(deps, `End the key ${name} for good?`);
  await removeReadKey(store, { env: deps.env, name });
  return {
    kind: 'done',
    message: `Ended the key ${name}. Servers refuse it within one second.`,
    data: { name, removed: true },
  };
}

/** How to send a key, and what is in the way of its use. */
async function usageNotes(deps: Deps, store: Store): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  return [
    // The shell fills the key in, so that it does not come to stand in a history or a log.
    `Try it, with the key in BANNERS_KEY: curl -H "X-API-Key: $BANNERS_KEY" '${origin(deps)}/banners/api.php/ads'`,
    ...(values.banners_api_enabled ? [] : ['The banner API is switched off: hcd setting set banners_api_enabled 1']),
  ];
}

function isoTime(seconds: number | null): string | null {
  return seconds === null ? null : timeValue.format(seconds);
}
