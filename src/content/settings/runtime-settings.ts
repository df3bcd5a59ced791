/** The runtime settings in force for a store and an environment, read once; for commands that do not serve. */
import type { Environment } from '../../config/environment.js';
import { effectiveSettings, type SettingsSnapshot, settingKeys } from '../../config/settings.js';
import type { Store } from '../../store/open/open.js';
import { readSystemSettings } from '../models/settings.js';

export async function readRuntimeSettings({ content, prefix }: Store, env: Environment): Promise<SettingsSnapshot> {
  return effectiveSettings(await readSystemSettings(content.primary, prefix, settingKeys), env);
}
