/** `hcd setting set KEY VALUE`: changes one setting; running servers follow within a second. */
import { textValue } from '../../src/config/value-type.js';
import { changeSetting } from '../../src/operations/settings/change-setting.js';
import { defineCommand } from '../command.js';
import { required, toggle } from '../parameters.js';
import { openReady } from '../store/open-ready.js';
import { changeNotes } from './notes.js';
import { contextParameter, keyParameter } from './parameters.js';

export const command = defineCommand({
  path: 'setting set',
  summary: 'Change a setting',
  description:
    'Stores the value of a runtime setting, or of a setting of the content system. Every running process follows within one second. A value that is not acceptable is refused with the accepted ones; a key that does not exist is refused too, and made only with --force where it is not one of ours. A variable of the environment that sets the same key wins over the stored value; the command says so.',
  arguments: {
    key: keyParameter,
    value: required(textValue({ accepts: 'a text', pattern: /^/ }), {
      placeholder: 'VALUE',
      description: 'The new value; after -- when it starts with a minus',
    }),
  },
  options: { context: contextParameter, force: toggle('Make a setting of the content system that does not exist yet') },
  examples: [
    { line: 'setting set pages_rest_api_enabled 1', does: 'Switch the page delivery API on' },
    { line: 'setting set site_name "My site" --context web', does: 'Give a context its own name of the site' },
  ],
  async run({ key, value, context, force }, deps) {
    const store = await openReady(deps);
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
      message: `${key} is set${place}.`,
      data: change.view === null ? null : { ...change.view },
      notes: changeNotes(store, change),
    };
  },
});
