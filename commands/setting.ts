/** `hcd setting`: runtime settings and settings of the CMS. */
import { isSettingKey, settingKeys } from '../src/config/settings.js';
import { apiNames, choiceValue, secretMask, textValue } from '../src/config/value-type.js';
import {
  aboutSetting,
  listApiSettings,
  listForeignSettings,
  readSetting,
  type SettingView,
} from '../src/content/settings/settings.js';
import { AppError } from '../src/errors/app-error.js';
import { changeSetting, removeSetting, type SettingChange } from '../src/operations/settings/change-setting.js';
import { type DoneResult, defineCommand, defineSiteCommand } from './command.js';
import type { SiteDeps } from './deps.js';
import { optional, required, toggle, usageError } from './parameters.js';

const keyParameter = required(
  textValue({ accepts: 'a key of 1 to 50 characters', pattern: /^.{1,50}$/su }),
  'Key of the setting, such as gateway_cache_ttl or site_name',
  { suggestions: settingKeys },
);

const contextParameter = optional(textValue(), 'Context of the setting (default: the whole site)', {
  placeholder: 'KEY',
});

function problemNotes({ problems }: { readonly problems: readonly string[] }): string[] {
  return problems.map((problem) => `${problem}; the value is ignored.`);
}

function changeResult({ store }: SiteDeps, change: SettingChange, message: string): DoneResult {
  const { view: data, lockedBy, isForeign } = change;
  const locked = `${lockedBy} is set in this environment and overrides the stored value.`;
  // The CMS caches settings in files until its cache is cleared.
  const cached = 'The CMS uses the new value after its cache is cleared.';
  const notes = [lockedBy !== null && locked, isForeign && store.kind === 'attached' && cached];
  return { kind: 'done', message, data, notes };
}

export const commands = {
  list: defineCommand({
    description:
      'Lists the runtime settings of the three APIs with their current value and its source: environment, database or default. Secrets are masked. JSON also has what each setting does and accepts.',
    options: {
      api: optional(choiceValue(apiNames), 'Show only settings of this API'),
      changed: toggle('Show only settings that differ from their default'),
      all: toggle('Also show settings of the CMS'),
      context: optional(textValue(), 'Show only settings that this context overrides', { placeholder: 'KEY' }),
    },
    examples: {
      'setting list --changed': 'List settings that differ from their default',
      'setting list --api gateway --json': 'List the settings of one API as JSON',
    },
    async run({ api, changed, all, context }, deps) {
      // These are about our settings, which no context has.
      const ours = [...(api === undefined ? [] : ['--api']), ...(changed ? ['--changed'] : [])];
      const others = [...ours, ...(all ? ['--all'] : [])];
      if (context !== undefined && others.length > 0) {
        throw usageError({ '--context': `cannot be combined with ${others.join(', ')}` });
      }
      if (all && ours.length > 0) throw usageError({ '--all': `cannot be combined with ${ours.join(', ')}` });
      const { store } = await deps.openSite();
      const columns = ['key', 'value', 'source', 'default'];
      if (context !== undefined) {
        const settings = await listForeignSettings(store, context);
        const empty = `The context ${context} overrides no settings.`;
        return { kind: 'list', columns, rows: settings.map(settingRow), empty };
      }
      const found = await listApiSettings(store, { env: deps.env, api: api ?? null, onlyChanged: changed });
      const foreign = all ? await listForeignSettings(store, null) : [];
      return {
        kind: 'list',
        columns,
        rows: [...found.settings, ...foreign].map(settingRow),
        empty: 'All settings have their default.',
        notes: problemNotes(found),
      };
    },
  }),

  get: defineSiteCommand({
    description:
      'Shows the current value of a setting, its source and its default. With --context the command shows a setting of the CMS in that context: the value of the context, or else of the site.',
    arguments: { key: keyParameter },
    options: { context: contextParameter, showSecret: toggle('Show the value of a secret') },
    examples: {
      'setting get gateway_cache_ttl': 'Show a setting of the gateway',
      'setting get site_name --context web --json': 'Show a setting of a context as JSON',
    },
    async run({ key, context, showSecret }, deps) {
      const found = await readSetting(deps.store, {
        key,
        context: context ?? null,
        env: deps.env,
        secrets: showSecret ? 'shown' : 'masked',
      });
      const isMasked = !showSecret && found.setting.value === secretMask;
      return {
        kind: 'record',
        record: found.setting,
        notes: [...problemNotes(found), isMasked && 'The value is masked. Use --show-secret to show it.'],
      };
    },
  }),

  set: defineSiteCommand({
    description:
      'Stores the value of a runtime setting or of a setting of the CMS. Every running process uses it within one second. An invalid value is refused with the accepted values, and an unknown key is refused. When an environment variable sets the same key, it overrides the stored value, and the command says so.',
    arguments: {
      key: keyParameter,
      value: required(
        textValue({ accepts: 'a text', pattern: /^/, shown: () => '***' }),
        'New value; put -- before a value that starts with a hyphen',
      ),
    },
    options: { context: contextParameter, force: toggle('Create the key when the CMS has no such setting') },
    examples: {
      'setting set pages_rest_api_enabled 1': 'Turn on the page delivery API',
      'setting set site_name "My site" --context web': 'Set the site name of one context',
    },
    async run({ key, value, context, force }, deps) {
      const { secret: rootSecret } = deps.loadConfig().config;
      const asked = { key, context: context ?? null, text: value, env: deps.env, force, rootSecret };
      const place = context === undefined ? '' : ` in the context ${context}`;
      return changeResult(deps, await changeSetting(deps.store, asked), `Set ${key}${place}.`);
    },
  }),

  unset: defineSiteCommand({
    description:
      'Removes the stored value of a setting. A runtime setting gets its default, and a setting of a context gets the value of the site. A setting of the CMS has no default, so removing it requires confirmation or --yes.',
    arguments: { key: keyParameter },
    options: { context: contextParameter },
    examples: {
      'setting unset gateway_cache_ttl': 'Reset a setting to its default',
      'setting unset site_name --context web': 'Use the site name in a context again',
    },
    async run({ key, context }, deps) {
      const asked = { key, context: context ?? null, env: deps.env };
      if (context === undefined && !isSettingKey(key)) {
        await readSetting(deps.store, { ...asked, secrets: 'masked' });
        const message = `${key} is a setting of the CMS and has no default. Remove it?`;
        const isAgreed = await deps.prompt.confirm({ message, flag: '--yes' });
        if (!isAgreed) throw new AppError('refused', { message: 'Nothing was changed' });
      }
      const change = await removeSetting(deps.store, asked);
      return changeResult(deps, change, change.wasSet ? `Unset ${key}.` : `${key} is not set; nothing to do.`);
    },
  }),
};

function settingRow(view: SettingView) {
  return { ...view, ...aboutSetting(view.key) };
}
