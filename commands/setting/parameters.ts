/** Arguments and flags that the commands for settings share. */
import { settingKeys } from '../../src/config/settings.js';
import { textValue } from '../../src/config/value-type.js';
import { optional, required } from '../parameters.js';

export const keyParameter = required(textValue({ accepts: 'a key of 1 to 50 characters', pattern: /^.{1,50}$/su }), {
  placeholder: 'KEY',
  description: 'Key of the setting, such as gateway_cache_ttl or site_name',
  suggestions: settingKeys,
});

/** For one setting of a context. */
export const contextParameter = optional(textValue(), {
  placeholder: 'KEY',
  description: 'Context of the setting (default: the whole site)',
});
