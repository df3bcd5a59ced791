/** What the commands for settings share. */
import { settingKeys } from '../../src/config/settings.js';
import { textValue } from '../../src/config/value-type.js';
import type { SettingChange } from '../../src/operations/settings/change-setting.js';
import type { Store } from '../../src/store/open/open.js';
import type { Notes } from '../command.js';
import { optional, required } from '../parameters.js';

export const keyParameter = required(textValue({ accepts: 'a key of 1 to 50 characters', pattern: /^.{1,50}$/su }), {
  placeholder: 'KEY',
  description: 'Key of the setting, such as gateway_cache_ttl or site_name',
  suggestions: settingKeys,
});

export const contextParameter = optional(textValue(), {
  placeholder: 'KEY',
  description: 'Context of the setting (default: the whole site)',
});

export function problemNotes({ problems }: { readonly problems: readonly string[] }): string[] {
  return problems.map((problem) => `${problem}; the value is ignored.`);
}

export function changeNotes({ kind }: Pick<Store, 'kind'>, { lockedBy, isForeign }: SettingChange): Notes {
  const locked = `${lockedBy} is set in this environment and overrides the stored value.`;
  // The CMS caches settings in files until its cache is cleared.
  const cached = 'The content system uses the new value after its cache is cleared.';
  return [lockedBy !== null && locked, isForeign && kind === 'attached' && cached];
}
