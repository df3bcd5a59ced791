/**
 * Runtime settings: the rows of `gateway_*`, `pages_*` and `banners_*` that this version honours, and the pure rule
 * that turns stored rows and the environment into one typed snapshot. Reading and storing rows is the store's part.
 */
import type { Checked } from '../values/checked.js';
import { everyOrigin } from './address-values.js';
import { type Environment, readVariable } from './definitions.js';
import { type SettingDefinition, type SettingKey, type Settings, settingDefinitions } from './setting-definitions.js';

export type SettingSource = 'environment' | 'database' | 'default';

interface SettingProblem {
  readonly key: SettingKey;
  readonly source: 'environment' | 'database';
  /** A whole sentence that names the key and the accepted values. */
  readonly problem: string;
  /** The value is unsafe together with another one; the program must not start with both. */
  readonly unsafe?: true;
  /** The value names the same address as another setting. */
  readonly clashes?: true;
}

export interface SettingsSnapshot {
  readonly values: Settings;
  readonly sources: Readonly<Record<SettingKey, SettingSource>>;
  /** Values that were refused; the next weaker source counts instead. */
  readonly problems: readonly SettingProblem[];
}

interface StoredSetting {
  readonly key: string;
  readonly value: string;
}

export const settingKeys: readonly SettingKey[] = Object.freeze(
  Object.keys(settingDefinitions).filter((key): key is SettingKey => key in settingDefinitions),
);

/** Whether the text is the key of a runtime setting of this version. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key);
}

/** The row of one setting with the type of its value left open, for lists and help. */
export function settingDefinition(key: SettingKey): SettingDefinition<unknown> {
  // The row's own type and default belong together; only the union over all rows needs widening.
  return settingDefinitions[key] as SettingDefinition<unknown>;
}

/** The environment variable that overrides a setting: `HCD_` and the upper-cased key. */
export function settingVariable(key: SettingKey): string {
  return `HCD_${key.toUpperCase()}`;
}

/** Reads the text of one setting; a refusal names the accepted values. */
export function parseSetting(key: SettingKey, text: string): Checked<unknown> {
  return settingDefinition(key).type.parse(text);
}

/** The problem of a text; never repeats a credential. */
function problemWith(key: SettingKey, problem: string): string {
  const { secret, type } = settingDefinition(key);
  return secret ? `must be ${type.accepts}` : problem;
}

/** The text under which a value is stored. */
export function formatSetting(key: SettingKey, value: unknown): string {
  return settingDefinition(key).type.format(value);
}

/** Values of the environment that are not acceptable, by variable; load.ts refuses to start on them. */
export function settingVariableProblems(env: Environment): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const key of settingKeys) {
    const text = readVariable(env, settingVariable(key));
    const parsed = text === undefined ? null : parseSetting(key, text);
    if (parsed && !parsed.ok) problems[settingVariable(key)] = problemWith(key, parsed.problem);
  }
  return problems;
}

/** Settings that the environment fixes, with their values; a changed row in the database does not alter them. */
export function lockedSettings(env: Environment): readonly { readonly key: SettingKey; readonly value: unknown }[] {
  return settingKeys.flatMap((key) => {
    const text = readVariable(env, settingVariable(key));
    const parsed = text === undefined ? null : parseSetting(key, text);
    return parsed?.ok ? [{ key, value: parsed.value }] : [];
  });
}

/**
 * The snapshot that a process works with: environment before stored row before default. Never throws: a value that is
 * not acceptable counts as absent and is listed in `problems`. Rows of unknown keys are ignored.
 */
export function effectiveSettings(rows: Iterable<StoredSetting>, env: Environment): SettingsSnapshot {
  const stored = new Map<string, string>();
  for (const row of rows) stored.set(row.key, row.value);
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: SettingProblem[] = [];
  for (const key of settingKeys) {
    values[key] = settingDefinition(key).default;
    sources[key] = 'default';
    const candidates = [
      { source: 'database', text: stored.get(key) },
      { source: 'environment', text: readVariable(env, settingVariable(key)) },
    ] as const;
    for (const { source, text } of candidates) {
      if (text === undefined) continue;
      const parsed = parseSetting(key, text);
      if (parsed.ok) {
        values[key] = parsed.value;
        sources[key] = source;
      } else {
        problems.push(Object.freeze({ key, source, problem: `${key} ${problemWith(key, parsed.problem)}` }));
      }
    }
  }
  return withoutClashes(withoutUnsafe(decodeSnapshot(values, sources, problems)));
}

const unsafeCors =
  'gateway_cors_allow_credentials must be off while gateway_cors_allowed_origins is *: any web page could act as its visitor';

/** All origins together with credentials are never allowed: credentials are off then. */
function withoutUnsafe(snapshot: SettingsSnapshot): SettingsSnapshot {
  const { gateway_cors_allow_credentials: credentials, gateway_cors_allowed_origins: origins } = snapshot.values;
  if (!credentials || !origins.includes(everyOrigin)) return snapshot;
  return withDefault(snapshot, { key: 'gateway_cors_allow_credentials', problem: unsafeCors, unsafe: true });
}

/** When two settings name the same address, one of them gets its default, until no two do. */
function withoutClashes(snapshot: SettingsSnapshot): SettingsSnapshot {
  let settled = snapshot;
  const defaults = {
    banners_click: settingDefinitions.banners_click.default,
    banners_impression: settingDefinitions.banners_impression.default,
    gateway_api_prefix: settingDefinitions.gateway_api_prefix.default,
  };
  for (let clash = clashOf(settled.values, defaults); clash !== null; clash = clashOf(settled.values, defaults)) {
    settled = withDefault(settled, { ...clash, clashes: true });
  }
  return settled;
}

/** The snapshot in which the setting has its default, and why. */
function withDefault(snapshot: SettingsSnapshot, problem: Omit<SettingProblem, 'source'>): SettingsSnapshot {
  const { values, sources, problems } = snapshot;
  const { key } = problem;
  const source = sources[key] === 'environment' ? 'environment' : 'database';
  return Object.freeze({
    values: Object.freeze({ ...values, [key]: settingDefinition(key).default }),
    sources: Object.freeze({ ...sources, [key]: 'default' as const }),
    problems: Object.freeze([...problems, Object.freeze({ ...problem, source })]),
  });
}

/** Each value came out of the parser of its own row, so the maps have the types that the rows declare. */
function decodeSnapshot(
  values: Record<string, unknown>,
  sources: Record<string, SettingSource>,
  problems: readonly SettingProblem[],
): SettingsSnapshot {
  return Object.freeze({
    values: Object.freeze(values) as Settings,
    sources: Object.freeze(sources) as Readonly<Record<SettingKey, SettingSource>>,
    problems: Object.freeze(problems),
  });
}

type AddressSettings = Pick<Settings, 'banners_click' | 'banners_impression' | 'gateway_api_prefix'>;

/** The settings that can clash. */
export const addressSettings = [
  'banners_click',
  'banners_impression',
  'gateway_api_prefix',
] as const satisfies readonly (keyof AddressSettings)[];

interface Clash {
  /** The setting that gets its default. */
  readonly key: 'banners_click' | 'banners_impression';
  /** A whole sentence that names both. */
  readonly problem: string;
}

/**
 * The first clash among the values; null without one. A pixel under the address of clicks would count as a click, and
 * a gateway there could never be reached. A configured value overrides a default.
 */
function clashOf(values: AddressSettings, defaults: AddressSettings): Clash | null {
  const { banners_click: click, banners_impression: impression, gateway_api_prefix: prefix } = values;
  for (const key of ['banners_impression', 'banners_click'] as const) {
    if (`/${values[key]}` === `${prefix}/v1`) {
      return { key, problem: `${key} must not be ${values[key]}: gateway_api_prefix already uses that address` };
    }
  }
  if (click !== impression) return null;
  const isChosen = impression !== defaults.banners_impression;
  const [key, other] = isChosen
    ? (['banners_impression', 'banners_click'] as const)
    : (['banners_click', 'banners_impression'] as const);
  return {
    key,
    problem: `${key} must differ from ${other}: both are ${click}, so the server cannot distinguish clicks from impressions`,
  };
}
