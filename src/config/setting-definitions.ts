/**
 * All runtime settings, one row each. A row exists only while the program honours it: adding a feature adds its rows,
 * and help, `hcd setting` and the documents follow.
 */
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

/** The runtime settings of one API. */
export type SettingsOf<A extends ApiName> = Pick<Settings, Extract<SettingKey, `${A}_${string}`>>;

/** All runtime settings with the types that their rows declare. */
export type Settings = {
  readonly [Key in SettingKey]: Definitions[Key] extends SettingDefinition<infer T> ? T : never;
};
