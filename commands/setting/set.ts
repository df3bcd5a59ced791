/** `hcd setting set KEY VALUE`: changes one setting; running servers use it within one second. */
import { textValue } from '../../src/config/value-type.js';
import { changeSetting } from '../../src/operations/settings/change-setting.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { changeNotes, contextParameter, keyParameter } from './shared.js';

export const command = defineCommand({
  path: 'setting set',
  summary: 'Change a setting',
  description:
    'Stores the value of a runtime setting or of a setting of the content system. Every running process uses it within one second. An invalid value is refused with the accepted values, and an unknown key is refused. When an environment variable sets the same key, it overrides the stored value, and the command says so.',
  arguments: {
    key: keyParameter,
    value: required(textValue({ accepts: 'a text', pattern: /^/ }), {
      placeholder: 'VALUE',
      description: 'New value; put -- before a value that starts with a hyphen',
    }),
  },
  options: { context: contextParameter, force: toggle('Create the key when the content system has no such setting') },
  examples: [
    { line: 'setting set pages_rest_api_enabled 1', does: 'Turn on the page delivery API' },
    { line: 'setting set site_name "My site" --context web', does: 'Set the site name of one context' },
  ],
  async run({ key, value, context, force }, deps) {
    const store = await deps.openReady();
    const asked = {
      key,
      context: context ?? null,
      text: value,
      env: deps.env,
      force,
      rootSecret: deps.loadConfig().config.secret,
    };
    const change = await changeSetting(store, asked);
    const place = context === undefined ? '' : ` in the context ${context}`;
    return {
      kind: 'done',
      message: `Set ${key}${place}.`,
      data: change.view === null ? null : { ...change.view },
      notes: changeNotes(store, change),
    };
  },
});
