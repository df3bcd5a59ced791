/**
 * One row per runtime setting. A row exists only while the program honours it: adding a feature adds its rows, and
 * help, `hcd setting` and the documents follow.
 */
import {
  addressBlockValue,
  booleanValue,
  integerValue,
  listValue,
  type Parsed,
  textValue,
  type ValueType,
} from './value-type.js';

export type ApiName = 'gateway' | 'pages' | 'banners';

export interface SettingDefinition<T> {
  readonly api: ApiName;
  readonly type: ValueType<T>;
  readonly default: T;
  /** The unit of a number, null where there is none. */
  readonly unit: string | null;
  /** Version that first honoured the setting. */
  readonly since: string;
  /** The value is a credential: lists and logs show only whether it is set. */
  readonly secret: boolean;
  readonly description: string;
}

interface Row<T> {
  readonly type: ValueType<T>;
  readonly default: T;
  readonly unit?: string;
  readonly since?: string;
  readonly secret?: boolean;
  readonly description: string;
}

const rowOf =
  (api: ApiName) =>
  <T>(row: Row<T>): SettingDefinition<T> =>
    Object.freeze({ unit: null, since: '0.1.0', secret: false, api, ...row });

const gateway = rowOf('gateway');
const pages = rowOf('pages');
const banners = rowOf('banners');

const contextKey = textValue({
  accepts: 'a context key: up to 100 characters of A-Z a-z 0-9 _ - .',
  pattern: /^[\w.-]{1,100}$/,
});

/** A type whose accepted texts stand for another value. */
function mapped(type: ValueType<string>, change: (value: string) => string): ValueType<string> {
  return {
    ...type,
    parse(text): Parsed<string> {
      const parsed = type.parse(text);
      return parsed.ok ? { ok: true, value: change(parsed.value) } : parsed;
    },
  };
}

const prefixValue = mapped(
  textValue({
    accepts: 'a path that starts with / and has no query, such as /api',
    pattern: /^(?:\/[A-Za-z0-9._~-]+)*\/?$/,
  }),
  (path) => path.replace(/\/$/, ''),
);

/** interfaces.md, Context: the value mgr is ignored, and so is the empty one (gateway-facts 1.1). */
const bootstrapContextValue = mapped(textValue({ accepts: contextKey.accepts, pattern: /^[\w.-]{0,100}$/ }), (key) =>
  key === '' || key.toLowerCase() === 'mgr' ? 'web' : key,
);

export const settingDefinitions = Object.freeze({
  gateway_enabled: gateway<boolean>({
    type: booleanValue,
    default: true,
    description: 'Serves the gateway; when off only discovery and health answer, everything else is 503.',
  }),
  gateway_api_prefix: gateway<string>({
    type: prefixValue,
    default: '/api',
    description: 'Public path prefix of the gateway; /v1 is appended.',
  }),
  gateway_context: gateway<string>({
    type: bootstrapContextValue,
    default: 'web',
    description: 'Context of a request that names none; mgr is ignored.',
  }),
  gateway_allowed_contexts: gateway<readonly string[]>({
    type: listValue(contextKey, { min: 1 }),
    default: Object.freeze(['web', 'mgr']),
    description: 'Contexts that a request may name.',
  }),
  gateway_swagger_enabled: gateway<boolean>({
    type: booleanValue,
    default: true,
    description: 'Serves the API reference at /docs; the OpenAPI documents stay either way.',
  }),
  gateway_cache_enabled: gateway<boolean>({
    type: booleanValue,
    default: true,
    description: 'Lets anonymous answers be cached, by the server and by clients.',
  }),
  gateway_cache_ttl: gateway<number>({
    type: integerValue({ min: 0, max: 31_536_000 }),
    default: 300,
    unit: 'seconds',
    description: 'Longest life of a cached anonymous answer.',
  }),
  gateway_max_limit: gateway<number>({
    type: integerValue({ min: 1, max: 10_000 }),
    default: 100,
    unit: 'records',
    description: 'Largest page of a list.',
  }),
  gateway_max_offset: gateway<number>({
    type: integerValue({ min: 0, max: 1_000_000_000 }),
    default: 100_000,
    unit: 'records',
    description: 'Furthest offset into a list.',
  }),
  gateway_max_fields: gateway<number>({
    type: integerValue({ min: 1, max: 1000 }),
    default: 50,
    unit: 'fields',
    description: 'Most names in fields=.',
  }),
  gateway_max_include_relations: gateway<number>({
    type: integerValue({ min: 0, max: 100 }),
    default: 10,
    unit: 'relations',
    description: 'Most relations in include=.',
  }),
  gateway_max_include_depth: gateway<number>({
    type: integerValue({ min: 0, max: 10 }),
    default: 2,
    unit: 'levels',
    description: 'Deepest relation path in include=.',
  }),
  gateway_max_uri_bytes: gateway<number>({
    type: integerValue({ min: 64, max: 8192 }),
    default: 2048,
    unit: 'bytes',
    description: 'Longest path of a request, without the query; above it 414.',
  }),
  gateway_trusted_proxies: gateway<readonly string[]>({
    type: listValue(addressBlockValue),
    default: Object.freeze([]),
    description: 'Proxies whose X-Forwarded-For is believed: IP addresses and CIDR blocks.',
  }),
  pages_rest_api_enabled: pages<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the page delivery API.',
  }),
  banners_api_enabled: banners<boolean>({
    type: booleanValue,
    default: false,
    description: 'Serves the banner API.',
  }),
  banners_api_key: banners<string>({
    type: textValue({
      accepts: 'a key of 16 to 128 visible characters, or empty for none',
      pattern: /^([!-~]{16,128})?$/,
    }),
    default: '',
    secret: true,
    description: 'The key that every call of the banner API must carry; while it is empty nobody is let in.',
  }),
});

type Definitions = typeof settingDefinitions;
export type SettingKey = keyof Definitions;

/** All runtime settings with the types that their rows declare. */
export type Settings = {
  readonly [Key in SettingKey]: Definitions[Key] extends SettingDefinition<infer T> ? T : never;
};
