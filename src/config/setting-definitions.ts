/** All runtime settings; a row exists only while the program honours it. */
import { bannerSettings } from './banner-settings.js';
import { gatewaySettings } from './gateway-settings.js';
import { pagesSettings } from './pages-settings.js';
import type { ApiName, SettingDefinition } from './value-type.js';

export type { ApiName, SettingDefinition } from './value-type.js';

export const settingDefinitions = Object.freeze({
  ...gatewaySettings,
  ...pagesSettings,
  ...bannerSettings,
});

type Definitions = typeof settingDefinitions;
export type SettingKey = keyof Definitions;

/** Files belong to the gateway. */
type PrefixOf<A extends ApiName> = A extends 'gateway' ? 'gateway' | 'media' : A;

export type SettingsOf<A extends ApiName> = Pick<Settings, Extract<SettingKey, `${PrefixOf<A>}_${string}`>>;

export type Settings = {
  readonly [Key in SettingKey]: Definitions[Key] extends SettingDefinition<infer T> ? T : never;
};
