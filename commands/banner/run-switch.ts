/** Switches banners on and off and removes them, for `hcd banner enable|disable|remove`. */
import { readImages } from '../../src/banners/management/banner-images.js';
import { readBanner } from '../../src/banners/management/read-banners.js';
import { removeBanner, switchBanner } from '../../src/banners/management/update-banner.js';
import { confirmChange } from '../confirm.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson } from './banner-json.js';

const username = 'cli';

interface Target {
  readonly id: number;
}

export function runEnable(target: Target, deps: Deps): Promise<DoneResult> {
  return change(target, { deps, active: true });
}

export function runDisable(target: Target, deps: Deps): Promise<DoneResult> {
  return change(target, { deps, active: false });
}

async function change(
  { id }: Target,
  { deps, active }: { readonly deps: Deps; readonly active: boolean },
): Promise<DoneResult> {
  const { banner, wasSo } = await switchBanner(await openReady(deps), { id, active, username });
  const state = active ? 'on' : 'off';
  const message = wasSo
    ? `Nothing to do: banner ${id} "${banner.name}" is switched ${state}.`
    : `Switched banner ${id} "${banner.name}" ${state}.`;
  return { kind: 'done', message, data: bannerJson(banner) };
}

export async function runRemove({ id }: Target, deps: Deps): Promise<DoneResult> {
  const store = await openReady(deps);
  if (deps.prompt.isInteractive) {
    const { name, clicks } = await readBanner(store, { id, images: await readImages(store, deps.env) });
    await confirmChange(deps, `Remove banner ${id} "${name}" (clicks: ${clicks}) for good?`);
  }
  const { name } = await removeBanner(store, { id, username });
  return { kind: 'done', message: `Removed banner ${id} "${name}". Its statistics stay.`, data: { id, removed: true } };
}
