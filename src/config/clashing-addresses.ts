/**
 * Settings that name addresses of the server: two of them must not name the same one. A pixel under the address of clicks
 * would be taken for a click, and a gateway there would never be reached.
 */
import type { Settings } from './setting-definitions.js';

type AddressSettings = Pick<Settings, 'banners_click' | 'banners_impression' | 'gateway_api_prefix'>;

/** The settings that can clash. */
export const addressSettings = [
  'banners_click',
  'banners_impression',
  'gateway_api_prefix',
] as const satisfies readonly (keyof AddressSettings)[];

export interface Clash {
  /** The setting that has to give way to the other one. */
  readonly key: 'banners_click' | 'banners_impression';
  /** A whole sentence that names both. */
  readonly problem: string;
}

/** The first clash among the values; null when there is none. `defaults` gives way last: somebody chose the other value. */
export function clashOf(values: AddressSettings, defaults: AddressSettings): Clash | null {
  const { banners_click: click, banners_impression: impression, gateway_api_prefix: prefix } = values;
  for (const key of ['banners_impression', 'banners_click'] as const) {
    if (`/${values[key]}` === `${prefix}/v1`) {
      return { key, problem: `${key} must not be ${values[key]}: the gateway has that address by gateway_api_prefix` };
    }
  }
  if (click !== impression) return null;
  const isChosen = impression !== defaults.banners_impression;
  const [key, other] = isChosen
    ? (['banners_impression', 'banners_click'] as const)
    : (['banners_click', 'banners_impression'] as const);
  return {
    key,
    problem: `${key} must differ from ${other}: both are ${click}, and clicks could not be told from impressions`,
  };
}
