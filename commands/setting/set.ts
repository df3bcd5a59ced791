/** `hcd setting set`: change a setting. */
import { textValue } from '../../src/config/value-type.js';
import { changeSetting } from '../../src/operations/settings/change-setting.js';
import { defineSiteCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { changeNotes, contextParameter, keyParameter } from './shared.js';

export const command = defineSiteCommand({
  description:
    'Stores the value of a runtime setting or of a setting of the content system. Every running process uses it within one second. An invalid value is refused with the accepted values, and an unknown key is refused. When an environment variable sets the same key, it overrides the stored value, and the command says so.',
  arguments: {
    key: keyParameter,
    value: required(
      textValue({ accepts: 'a text', pattern: /^/, shown: () => '***' }),
      'New value; put -- before a value that starts with a hyphen',
    ),
  },
  options: { context: contextParameter, force: toggle('Create the key when the content system has no such setting') },
  examples: {
    'setting set pages_rest_api_enabled 1': 'Turn on the page delivery API',
    'setting set site_name "My site" --context web': 'Set the site name of one context',
  },
  async run({ key, value, context, force }, deps) {
    const asked = {
      key,
      context: context ?? null,
      text: value,
      env: deps.env,
      force,
      rootSecret: deps.loadConfig().config.secret,
    };
    const change = await changeSetting(deps.store, asked);
    const place = context === undefined ? '' : ` in the context ${context}`;
    return {
      kind: 'done',
      message: `Set ${key}${place}.`,
      data: change.view === null ? null : { ...change.view },
      notes: changeNotes(deps.store, change),
    };
  },
});
