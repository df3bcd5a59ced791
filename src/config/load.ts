/** Turns flags, environment and `hcd.toml` into the process configuration; reports all bad values together. */
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import { AppError } from '../errors/app-error.js';
import { maskDatabaseUrl, resolveDatabaseUrl } from './address-values.js';
import {
  type Config,
  type ConfigDefinition,
  type ConfigName,
  configDefinitions,
  configNames,
  type Environment,
  readVariable,
  variableOf,
} from './definitions.js';
import { nearMatch } from './near-match.js';
import { isSettingKey, safeProblem, settingDefinition, settingsOfEnvironment } from './settings.js';
import { type ShownValue, secretMask, shownValue } from './value-type.js';

type ConfigSource = 'flag' | 'environment' | 'file' | 'default';

export interface ConfigFile {
  /** Absolute, so that relative paths inside count from its folder. */
  readonly path: string;
  readonly text: string;
}

export interface ConfigInput {
  readonly flags: Readonly<Partial<Record<ConfigName, string>>>;
  readonly env: Environment;
  readonly file: ConfigFile | null;
  readonly cwd: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly sources: Readonly<Record<ConfigName, ConfigSource>>;
  readonly file: string | null;
}

/** Flag, environment, file, default, in this order. Throws configuration_invalid with an entry for each bad value. */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const problems: Record<string, string[]> = {};
  const report = (name: string, problem: string): void => {
    problems[name] = [...(problems[name] ?? []), problem];
  };
  const fileTexts = input.file === null ? new Map<ConfigName, string>() : readFileTexts(input.file, report);
  const values: Record<string, unknown> = {};
  const sources: Record<string, ConfigSource> = {};
  for (const name of configNames) {
    const definition = definitionOf(name);
    const chosen = chosenText(name, input, fileTexts);
    sources[name] = chosen?.source ?? 'default';
    const parsed = chosen?.text === undefined ? null : definition.type.parse(chosen.text);
    if (chosen && parsed && !parsed.ok) {
      // A refused secret is still a secret.
      const problem = definition.secret === 'no' ? parsed.problem : `must be ${definition.type.accepts}`;
      report(name, `${problem} (${chosen.place})`);
    }
    const value = parsed?.ok ? parsed.value : definition.default;
    values[name] = Object.freeze(withAbsolutePaths(definition.paths, value, baseFolder(input, chosen?.source)));
  }
  if (values['rate_limit_store'] === 'redis' && values['redis'] === null && problems['redis'] === undefined) {
    report(
      'rate_limit_store',
      'is redis, which needs the address of a Redis server: set HCD_REDIS_URL (redis in hcd.toml)',
    );
  }
  const exposed = secretFiles(values, input.file).find((path) => isBelow(String(values['files_dir']), path));
  if (exposed !== undefined) {
    report(
      'files_dir',
      `holds ${exposed}, which anyone could read under /files: choose a folder of its own, such as ./files`,
    );
  }
  for (const { key, parsed } of settingsOfEnvironment(input.env)) {
    if (!parsed.ok) report(variableOf(key), safeProblem(key, parsed.problem));
  }
  if (Object.keys(problems).length > 0) throw configurationInvalid(problems);
  // Each row's own parser made its value, so the maps have the types that the rows declare.
  return Object.freeze({
    config: Object.freeze(values) as Config,
    sources: Object.freeze(sources) as LoadedConfig['sources'],
    file: input.file?.path ?? null,
  });
}

function secretFiles(values: Readonly<Record<string, unknown>>, file: ConfigFile | null): readonly string[] {
  const databases = [values['database'], values['own_database']].map(String).filter((url) => url.startsWith('sqlite:'));
  return [...(file === null ? [] : [resolve(file.path)]), ...databases.map((url) => url.slice('sqlite:'.length))];
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}

export function definitionOf(name: ConfigName): ConfigDefinition<unknown> {
  // The row's own type and default belong together; only the union over all rows needs widening.
  return configDefinitions[name] as ConfigDefinition<unknown>;
}

function chosenText(name: ConfigName, input: ConfigInput, fileTexts: ReadonlyMap<ConfigName, string>) {
  const env = variableOf(name);
  // An empty content prefix is a value.
  const variable = name === 'content_prefix' ? input.env[env] : readVariable(input.env, env);
  const candidates = [
    { source: 'flag', place: `--${name.replaceAll('_', '-')}`, text: input.flags[name] },
    { source: 'environment', place: env, text: variable },
    { source: 'file', place: input.file?.path ?? '', text: fileTexts.get(name) },
  ] as const;
  return candidates.find(({ text }) => text !== undefined);
}

function readFileTexts(
  file: ConfigFile,
  report: (name: string, problem: string) => void,
): ReadonlyMap<ConfigName, string> {
  const texts = new Map<ConfigName, string>();
  for (const [key, value] of Object.entries(parseFile(file))) {
    const name = configNames.find((candidate) => candidate === key);
    const text = name === undefined ? null : tomlText(value);
    if (name === undefined) report(key, `${unknownKey(key)} (${file.path})`);
    else if (text === null) report(name, `must be ${definitionOf(name).type.accepts} (${file.path})`);
    else texts.set(name, text);
  }
  return texts;
}

function parseFile(file: ConfigFile): Readonly<Record<string, unknown>> {
  try {
    return parseToml(file.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The parser's own text quotes the line, which may hold a secret.
    const problem = `is not valid TOML at line ${error.line}, column ${error.column}`;
    throw configurationInvalid({ [file.path]: [problem] });
  }
}

/** As a flag would have it; null for kinds other than text, number and list. */
function tomlText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (!Array.isArray(value)) return null;
  const texts = value.map((element: unknown) =>
    typeof element === 'string' && !element.includes(',') ? element : null,
  );
  return texts.includes(null) ? null : texts.join(',');
}

function unknownKey(key: string): string {
  if (isSettingKey(key)) return `is a runtime setting: use hcd setting set ${key} VALUE, or ${variableOf(key)}`;
  const near = nearMatch(key, configNames);
  return near === undefined
    ? `is not a configuration name; known are ${configNames.join(', ')}`
    : `is not a configuration name; did you mean ${near}?`;
}

function baseFolder(input: ConfigInput, source: ConfigSource | undefined): string {
  const besideFile = input.file !== null && (source === 'file' || source === undefined);
  return besideFile ? dirname(input.file.path) : input.cwd;
}

function withAbsolutePaths(paths: 'none' | 'database' | 'path', value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((element: unknown) => withAbsolutePaths(paths, element, folder));
  if (typeof value !== 'string' || paths === 'none') return value;
  return paths === 'database' ? resolveDatabaseUrl(value, folder) : resolve(folder, value);
}

function configurationInvalid(fields: Readonly<Record<string, readonly string[]>>): AppError {
  return new AppError('configuration_invalid', { details: { fields } });
}

export function describeConfig(loaded: LoadedConfig, env: Environment) {
  const rows = configNames.map((name) => {
    const source = loaded.sources[name];
    return {
      name,
      value: masked(name, loaded),
      source,
      locked: source === 'environment',
      ...about(definitionOf(name)),
    };
  });
  const settings = settingsOfEnvironment(env).map(({ key: name, parsed }) => {
    const value = settingDefinition(name).secret ? secretMask : shownValue(parsed.ok ? parsed.value : null);
    return { name, value, source: 'environment', locked: true, ...about(settingDefinition(name)) };
  });
  return [...rows, ...settings];
}

function about({ default: byDefault, description }: Pick<ConfigDefinition<unknown>, 'default' | 'description'>) {
  return { default: shownValue(byDefault), description };
}

/** Unset is null. */
function masked(name: ConfigName, loaded: LoadedConfig): ShownValue {
  const value = shownValue(loaded.config[name]);
  const { secret } = definitionOf(name);
  if (value === null || secret === 'no') return value;
  if (secret === 'whole') return secretMask;
  return Array.isArray(value) ? value.map(maskDatabaseUrl) : maskDatabaseUrl(String(value));
}
