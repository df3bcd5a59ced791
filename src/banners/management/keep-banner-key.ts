/**
 * Makes a key for a banner API that is switched on without one (docs/banners.md#switch-it-on): at the start, and when
 * settings change.
 */
import type { Environment } from '../../config/environment.js';
import type { LiveState } from '../../content/live/live-state.js';
import type { Log } from '../../log/observation.js';
import { ensureBannerKey, type KeyStore } from './banner-keys.js';

export interface KeyKeeper {
  readonly store: KeyStore;
  readonly env: Environment;
  readonly live: LiveState;
  readonly log: Log;
}

/** Waits for the key of the start; later ones are made beside everything else. */
export async function keepBannerKey({ store, env, live, log }: KeyKeeper): Promise<void> {
  const make = async (): Promise<void> => {
    const { values } = live.current().settings;
    if (!values.banners_api_enabled || values.banners_api_key !== '') return;
    if ((await ensureBannerKey(store, env)) !== null) await live.refresh();
  };
  const report = (error: unknown): void =>
    log({ kind: 'unexpected_error', during: 'making the key of the banner API', error });
  live.onChange(() => void make().catch(report));
  await make();
}
