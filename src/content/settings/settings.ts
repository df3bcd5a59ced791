/** Settings as commands show them: our runtime settings with their source, and the CMS's own, which are text. */
import type { Environment } from '../../config/definitions.js';
import { nearMatch } from '../../config/near-match.js';
import {
  effectiveSettings,
  isSettingKey,
  type SettingKey,
  type SettingSource,
  type SettingsSnapshot,
  settingDefinition,
  settingKeys,
} from '../../config/settings.js';
import { type ApiName, type ShownValue, secretMask, shownValue } from '../../config/value-type.js';
import { AppError, invalidField } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { readContextKeys } from '../models/elements.js';
import { readContextSettings, readSystemSettings, type SettingRow } from '../models/settings.js';
import { layeredSetting, sitePlace } from '../rules/site-address.js';

export interface SettingView {
  readonly key: string;
  /** Typed for our settings, text for the CMS's; a secret is masked. */
  readonly value: ShownValue;
  readonly source: SettingSource | 'context';
  readonly default: ShownValue;
}

export function aboutSetting(key: string) {
  if (!isSettingKey(key)) return { type: 'text', description: null, accepts: null, choices: [] } as const;
  const { type, description, unit } = settingDefinition(key);
  const accepts = unit === null ? type.accepts : `${type.accepts} (${unit})`;
  return { type: type.kind, description, accepts, choices: type.choices ?? [] };
}

interface SettingsView {
  readonly settings: readonly SettingView[];
  /** One sentence per invalid stored value; the default counts instead. */
  readonly problems: readonly string[];
}

export interface SettingTarget {
  readonly key: string;
  readonly context: string | null;
}

export async function listApiSettings(
  store: Store,
  asked: { readonly env: Environment; readonly api: ApiName | null; readonly onlyChanged: boolean },
): Promise<SettingsView> {
  const snapshot = effectiveSettings(await readSystemSettings(store.content.primary, store.prefix), asked.env);
  const keys = settingKeys.filter(
    (key) =>
      (asked.api === null || settingDefinition(key).api === asked.api) &&
      (!asked.onlyChanged || snapshot.sources[key] !== 'default'),
  );
  return {
    settings: keys.map((key) => viewOfOurs(snapshot, key, 'masked')),
    problems: snapshot.problems.map(({ problem }) => problem),
  };
}

/** Settings of the site, or a context's overrides, sorted by key. */
export async function listForeignSettings(store: Store, context: string | null): Promise<readonly SettingView[]> {
  if (context !== null) await checkContext(store, context);
  const rows =
    context === null
      ? await readSystemSettings(store.content.primary, store.prefix)
      : await readContextSettings(store.content.primary, store.prefix, { context });
  const source = context === null ? 'database' : 'context';
  return rows
    .filter(({ key }) => context !== null || !isSettingKey(key))
    .map((row) => viewOfForeign(row, { source, secrets: 'masked' }));
}

/** Throws not_found with the key that was probably meant. */
export async function readSetting(
  store: Store,
  asked: SettingTarget & { readonly env: Environment; readonly secrets: 'masked' | 'shown' },
): Promise<{ readonly setting: SettingView } & Pick<SettingsView, 'problems'>> {
  const { key, context, env, secrets } = asked;
  if (isSettingKey(key)) await checkContextOf(store, key, context);
  const { own, system } = await readForeign(store, { key, context });
  if (own) return { setting: viewOfForeign(own, { source: 'context', secrets }), problems: [] };
  if (isSettingKey(key)) {
    const snapshot = effectiveSettings(system ? [system] : [], env);
    const problems = snapshot.problems.filter((one) => one.key === key);
    return { setting: viewOfOurs(snapshot, key, secrets), problems: problems.map(({ problem }) => problem) };
  }
  if (system) return { setting: viewOfForeign(system, { source: 'database', secrets }), problems: [] };
  throw await unknownKey(store, key);
}

export async function readForeign(store: Store, { key, context }: SettingTarget) {
  const { content, prefix } = store;
  const [system] = await readSystemSettings(content.primary, prefix, [key]);
  if (context === null) return { own: undefined, system };
  await checkContext(store, context);
  const [own] = await readContextSettings(content.primary, prefix, { context, keys: [key] });
  return { own, system };
}

async function checkContext({ content, prefix }: Store, context: string): Promise<void> {
  const known = await readContextKeys(content.primary, prefix);
  if (!known.includes(context)) throw invalidField('context', `must be one of: ${known.join(', ')}`, 'Invalid context');
}

export async function checkContextOf(store: Store, key: SettingKey, context: string | null): Promise<void> {
  if (context === null) return;
  if (settingDefinition(key).perContext) return checkContext(store, context);
  throw invalidField('context', `${key} holds for the whole site and has no value for a context`, 'Invalid context');
}

export async function unknownKey(store: Store, key: string): Promise<AppError> {
  const rows = await readSystemSettings(store.content.primary, store.prefix);
  const near = nearMatch(key, [...settingKeys, ...rows.map((row) => row.key)]);
  const hint = near === undefined ? 'hcd setting list --all shows every setting' : `did you mean ${near}?`;
  return new AppError('not_found', { message: `There is no setting ${key}; ${hint}` });
}

function viewOfOurs(snapshot: SettingsSnapshot, key: SettingKey, secrets: 'masked' | 'shown'): SettingView {
  const definition = settingDefinition(key);
  const value = shownValue(snapshot.values[key]);
  const byDefault = shownValue(definition.default);
  const isSet = JSON.stringify(value) !== JSON.stringify(byDefault);
  const isMasked = definition.secret && secrets === 'masked' && isSet;
  return { key, value: isMasked ? secretMask : value, source: snapshot.sources[key], default: byDefault };
}

/** The CMS marks settings that hold a password by their input widget. */
const passwordWidgets: ReadonlySet<string> = new Set(['text-password', 'textfield-password', 'password']);

export function viewOfForeign(
  { key, value, xtype }: SettingRow,
  how: { readonly source: 'database' | 'context'; readonly secrets: 'masked' | 'shown' },
): SettingView {
  const isMasked = passwordWidgets.has(xtype) && how.secrets === 'masked' && value !== '';
  return { key, value: isMasked ? secretMask : value, source: how.source, default: null };
}

export async function readRuntimeSettings({ content, prefix }: Store, env: Environment): Promise<SettingsSnapshot> {
  return effectiveSettings(await readSystemSettings(content.primary, prefix, settingKeys), env);
}

/** The origin of each context but the manager's; empty = none is known. */
export async function readOrigins({ content, prefix }: Store, env: Environment): Promise<ReadonlyMap<string, string>> {
  const system = await readSystemSettings(content.primary, prefix);
  const { values } = effectiveSettings(system, env);
  const rows = await readContextSettings(content.primary, prefix);
  const valueIn = (known: readonly SettingRow[]) => (name: string) => known.find(({ key }) => key === name)?.value;
  const contexts = (await readContextKeys(content.primary, prefix)).filter((context) => context !== 'mgr');
  return new Map(
    contexts.map((context) => {
      const ofContext = valueIn(rows.filter(({ contextKey }) => contextKey === context));
      const layers = { context: ofContext, site: valueIn(system), ownOfSite: values };
      return [context, sitePlace((key) => layeredSetting(key, layers)).origin];
    }),
  );
}
