/** The effective configuration as rows for people and scripts: value, source and whether the environment fixes it. */
import { maskDatabaseUrl } from './database-url.js';
import { type ConfigName, configNames } from './definitions.js';
import type { Environment } from './environment.js';
import { type ConfigSource, definitionOf, type LoadedConfig } from './load.js';
import { lockedSettings, settingDefinition } from './settings.js';

export type ConfigValue = string | number | boolean | null | readonly string[];

export interface ConfigRow {
  readonly name: string;
  /** Secrets are masked; unset is null. */
  readonly value: ConfigValue;
  readonly source: ConfigSource;
  /** The environment decides, so nothing else can change it. */
  readonly locked: boolean;
}

const mask = '********';

/** Every value of the process configuration, then the runtime settings that the environment fixes. */
export function describeConfig(loaded: LoadedConfig, env: Environment): readonly ConfigRow[] {
  const rows = configNames.map((name): ConfigRow => {
    const source = loaded.sources[name];
    return { name, value: masked(name, loaded), source, locked: source === 'environment' };
  });
  const settings = lockedSettings(env).map(
    ({ key, value }): ConfigRow => ({
      name: key,
      value: settingDefinition(key).secret ? mask : plain(value),
      source: 'environment',
      locked: true,
    }),
  );
  return Object.freeze([...rows, ...settings]);
}

function masked(name: ConfigName, loaded: LoadedConfig): ConfigValue {
  const value = plain(loaded.config[name]);
  const { secret } = definitionOf(name);
  if (value === null || secret === 'no') return value;
  if (secret === 'whole') return mask;
  return Array.isArray(value) ? value.map(maskDatabaseUrl) : maskDatabaseUrl(String(value));
}

function plain(value: unknown): ConfigValue {
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
  return String(value);
}
