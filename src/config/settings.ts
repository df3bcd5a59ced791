/** Runtime settings, and the pure rule that turns stored rows and the environment into one typed snapshot. */
import type { Checked } from '../values/checked.js';
import { everyOrigin } from './address-values.js';
import { bannerSettings } from './banner-settings.js';
import { type Environment, readVariable, variableOf } from './definitions.js';
import { gatewaySettings } from './gateway-settings.js';
import { pagesSettings } from './pages-settings.js';
import type { ApiName, SettingDefinition } from './value-type.js';

/** A row exists only while the program honours it. */
export const settingDefinitions = Object.freeze({
  ...gatewaySettings,
  ...pagesSettings,
  ...bannerSettings,
});

type Definitions = typeof settingDefinitions;
export type SettingKey = keyof Definitions;

/** Files belong to the gateway. */
type PrefixOf<A extends ApiName> = A extends 'gateway' ? 'gateway' | 'media' : A;

export type SettingsOf<A extends ApiName> = Pick<Settings, Extract<SettingKey, `${PrefixOf<A>}_${string}`>>;

export type Settings = {
  readonly [Key in SettingKey]: Definitions[Key] extends SettingDefinition<infer T> ? T : never;
};

export type SettingSource = 'environment' | 'database' | 'default';

interface SettingProblem {
  readonly key: SettingKey;
  readonly source: 'environment' | 'database';
  /** A whole sentence that names the key. */
  readonly problem: string;
  /** Together with another value; the program must not start with both. */
  readonly unsafe?: true;
  /** It names the same address as another setting. */
  readonly clashes?: true;
}

export interface SettingsSnapshot {
  readonly values: Settings;
  readonly sources: Readonly<Record<SettingKey, SettingSource>>;
  /** The next weaker source counts instead. */
  readonly problems: readonly SettingProblem[];
}

export const settingKeys: readonly SettingKey[] = Object.freeze(
  Object.keys(settingDefinitions).filter((key): key is SettingKey => key in settingDefinitions),
);

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key);
}

export function settingDefinition(key: SettingKey): SettingDefinition<unknown> {
  // The row's own type and default belong together; only the union over all rows needs widening.
  return settingDefinitions[key] as SettingDefinition<unknown>;
}

export function parseSetting(key: SettingKey, text: string): Checked<unknown> {
  return settingDefinition(key).type.parse(text);
}

/** As the CMS's manager shows it: a flag has a switch. */
export function storedKind(key: SettingKey): 'flag' | 'text' {
  return settingDefinition(key).type.kind === 'boolean' ? 'flag' : 'text';
}

/** Never repeats a credential, not even with a wrong character. */
export function safeProblem(key: SettingKey, problem: string): string {
  const { secret, type } = settingDefinition(key);
  return secret ? `must be ${type.accepts}` : problem;
}

export function formatSetting(key: SettingKey, value: unknown): string {
  return settingDefinition(key).type.format(value);
}

/** load.ts refuses to start on those that are not accepted; a changed row in the database does not alter the others. */
export function settingsOfEnvironment(env: Environment) {
  return settingKeys.flatMap((key) => {
    const text = readVariable(env, variableOf(key));
    return text === undefined ? [] : [{ key, parsed: parseSetting(key, text) }];
  });
}

/** Environment before stored row before default; never throws, unacceptable values are in `problems`. */
export function effectiveSettings(
  rows: Iterable<{ readonly key: string; readonly value: string }>,
  env: Environment,
): SettingsSnapshot {
  const stored = new Map([...rows].map(({ key, value }) => [key, value]));
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: SettingProblem[] = [];
  for (const key of settingKeys) {
    values[key] = settingDefinition(key).default;
    sources[key] = 'default';
    const candidates = [
      { source: 'database', text: stored.get(key) },
      { source: 'environment', text: readVariable(env, variableOf(key)) },
    ] as const;
    for (const { source, text } of candidates) {
      if (text === undefined) continue;
      const parsed = parseSetting(key, text);
      if (parsed.ok) {
        values[key] = parsed.value;
        sources[key] = source;
      } else {
        problems.push(Object.freeze({ key, source, problem: `${key} ${safeProblem(key, parsed.problem)}` }));
      }
    }
  }
  // Each row's own parser made its value, so the maps have the types that the rows declare.
  const snapshot = Object.freeze({
    values: Object.freeze(values) as Settings,
    sources: Object.freeze(sources) as SettingsSnapshot['sources'],
    problems: Object.freeze(problems),
  });
  return withoutFaults(snapshot);
}

const unsafeCors =
  'gateway_cors_allow_credentials must be off while gateway_cors_allowed_origins is *: any web page could act as its visitor';

function withoutFaults(snapshot: SettingsSnapshot): SettingsSnapshot {
  const fault = faultOf(snapshot.values);
  if (fault === null) return snapshot;
  const { values, sources, problems } = snapshot;
  const { key } = fault;
  const source = sources[key] === 'environment' ? 'environment' : 'database';
  const settled = {
    values: Object.freeze({ ...values, [key]: settingDefinition(key).default }),
    sources: Object.freeze({ ...sources, [key]: 'default' as const }),
    problems: Object.freeze([...problems, Object.freeze({ ...fault, source })]),
  };
  return withoutFaults(Object.freeze(settled));
}

export const addressSettings = ['banners_click', 'banners_impression', 'gateway_api_prefix'] as const;

/** A pixel under the address of clicks would count as a click, a gateway there could not be reached. */
function faultOf(values: Settings): Omit<SettingProblem, 'source'> | null {
  if (values.gateway_cors_allow_credentials && values.gateway_cors_allowed_origins.includes(everyOrigin)) {
    return { key: 'gateway_cors_allow_credentials', problem: unsafeCors, unsafe: true };
  }
  const { banners_click: click, banners_impression: impression, gateway_api_prefix: prefix } = values;
  const clash = (key: SettingKey, problem: string) => ({ key, problem: `${key} ${problem}`, clashes: true }) as const;
  for (const key of ['banners_impression', 'banners_click'] as const) {
    if (`/${values[key]}` !== `${prefix}/v1`) continue;
    return clash(key, `must not be ${values[key]}: gateway_api_prefix already uses that address`);
  }
  if (click !== impression) return null;
  const isChosen = impression !== settingDefinitions.banners_impression.default;
  const [key, other] = isChosen
    ? (['banners_impression', 'banners_click'] as const)
    : (['banners_click', 'banners_impression'] as const);
  const why = 'so the server cannot distinguish clicks from impressions';
  return clash(key, `must differ from ${other}: both are ${click}, ${why}`);
}
