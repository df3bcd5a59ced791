/** Turns a banner on or off, for `hcd banner enable|disable`. */
import { switchBanner } from '../../src/banners/management/update-banner.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { bannerJson } from './banner-json.js';
import { username } from './parameters.js';

export async function switchTo(
  id: number,
  { deps, active }: { readonly deps: Deps; readonly active: boolean },
): Promise<DoneResult> {
  const { banner, wasSo } = await switchBanner(await openReady(deps), { id, active, username });
  const state = active ? 'on' : 'off';
  const message = wasSo
    ? `Banner ${id} "${banner.name}" is already ${state}; nothing to do.`
    : `Turned ${state} banner ${id} "${banner.name}".`;
  return { kind: 'done', message, data: bannerJson(banner) };
}
