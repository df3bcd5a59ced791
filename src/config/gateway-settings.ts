/** Settings of the gateway: its routes, reading, limits and origins. */
import { corsOriginsValue, headerNamesValue, publicUrlValue } from './address-values.js';
import { rowsOf } from './setting-row.js';
import { addressBlockValue, listValue, mapped, textValue } from './value-type.js';

const { integer, off, on, row } = rowsOf('gateway');

const contextKey = textValue({
  accepts: 'a context key: up to 100 characters of A-Z a-z 0-9 _ - .',
  pattern: /^[\w.-]{1,100}$/,
});

const prefixValue = mapped(
  textValue({
    accepts: 'a path that starts with / and has no query, such as /api',
    pattern: /^(?:\/[A-Za-z0-9._~-]+)*\/?$/,
  }),
  (path) => path.replace(/\/$/, ''),
);

/** `mgr` and the empty text are ignored (docs/reference/gateway.md#parameters). */
const bootstrapContextValue = mapped(textValue({ accepts: contextKey.accepts, pattern: /^[\w.-]{0,100}$/ }), (key) =>
  key === '' || key.toLowerCase() === 'mgr' ? 'web' : key,
);

export const gatewaySettings = Object.freeze({
  gateway_enabled: on('Serves the gateway; when off, only discovery and health answer, and everything else is 503.'),
  gateway_api_prefix: row(
    { type: prefixValue, default: '/api' },
    'Public path prefix of the gateway; /v1 is appended.',
  ),
  gateway_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address of this server in OAuth metadata, Location and OpenAPI, such as https://example.com. Empty = the address that a trusted proxy sends, else site_url, else the address that it listens on.',
  ),
  gateway_context: row(
    { type: bootstrapContextValue, default: 'web' },
    'Context of a request that names none; mgr is ignored.',
  ),
  gateway_allowed_contexts: row(
    { type: listValue(contextKey, { min: 1 }), default: Object.freeze(['web', 'mgr']) },
    'Contexts that a request may name.',
  ),
  gateway_swagger_enabled: on('Serves the API reference at /docs; the OpenAPI documents are served in any case.'),
  gateway_cache_enabled: on('Lets anonymous answers be cached, by the server and by clients.'),
  gateway_cache_ttl: integer(
    { min: 0, max: 31_536_000, default: 300, unit: 'seconds' },
    'Longest lifetime of a cached anonymous answer.',
  ),
  gateway_max_limit: integer({ min: 1, max: 10_000, default: 100, unit: 'records' }, 'Largest page of a list.'),
  gateway_max_offset: integer(
    { min: 0, max: 1_000_000_000, default: 100_000, unit: 'records' },
    'Largest offset into a list.',
  ),
  gateway_max_fields: integer(
    { min: 1, max: 1000, default: 50, unit: 'fields' },
    'Maximum number of names in fields=.',
  ),
  gateway_max_include_relations: integer(
    { min: 0, max: 100, default: 10, unit: 'relations' },
    'Maximum number of relations in include=.',
  ),
  gateway_max_include_depth: integer(
    { min: 0, max: 10, default: 2, unit: 'levels' },
    'Deepest relation path in include=.',
  ),
  gateway_max_uri_bytes: integer(
    { min: 64, max: 8192, default: 2048, unit: 'bytes' },
    'Longest path of a request, without the query; a longer one is answered 414.',
  ),
  gateway_trusted_proxies: row(
    { type: listValue(addressBlockValue), default: Object.freeze([]) },
    'Proxies whose X-Forwarded-For is believed: IP addresses and CIDR blocks.',
  ),
  gateway_rate_limit_enabled: on('Counts requests and refuses those over the limit with 429.'),
  gateway_rate_limit_max_requests: integer(
    { min: 0, max: 1_000_000_000, default: 120, unit: 'requests' },
    'Requests of one caller in one window; 0 is unlimited. A key can have its own number.',
  ),
  gateway_rate_limit_window_seconds: integer(
    { min: 1, max: 86_400, default: 60, unit: 'seconds' },
    'Length of the window, which starts with the first request of a caller.',
  ),
  gateway_cors_enabled: off(
    'Lets web pages of other origins use the gateway; when off, browsers hide its answers from them.',
  ),
  gateway_cors_allowed_origins: row(
    { type: corsOriginsValue, default: Object.freeze([]) },
    'Allowed origins, compared exactly; * is every origin, without credentials.',
  ),
  gateway_cors_allowed_methods: row(
    { type: headerNamesValue, default: 'GET,POST,PUT,PATCH,DELETE,OPTIONS' },
    'Methods that scripts of those origins may use; sent as it is.',
  ),
  gateway_cors_allowed_headers: row(
    {
      type: headerNamesValue,
      default: 'Authorization,Content-Type,X-Request-ID,X-CSRF-Token,X-Context,X-API-Key,Idempotency-Key',
    },
    'Request headers that scripts of those origins may set; sent as it is.',
  ),
  gateway_cors_expose_headers: row(
    {
      type: headerNamesValue,
      default:
        'ETag,X-Request-ID,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Idempotency-Replayed,X-CSRF-Token',
    },
    'Answer headers that scripts of those origins may read; sent as it is.',
  ),
  gateway_cors_allow_credentials: off(
    'Lets browsers send cookies from those origins; refused while the origins are *.',
  ),
  gateway_max_body_bytes: integer(
    { min: 1024, max: 104_857_600, default: 1_048_576, unit: 'bytes' },
    'Largest body of a request; a larger one is answered 413. Bodies of log-ins and token requests are at most 16384 bytes.',
  ),
  gateway_max_json_members: integer(
    { min: 100, max: 1_000_000, default: 1000, unit: 'members' },
    'Maximum number of members of one object in a JSON body.',
  ),
  gateway_max_json_values: integer(
    { min: 1000, max: 10_000_000, default: 20_000, unit: 'values' },
    'Maximum number of values in a JSON body: objects, arrays and everything in them.',
  ),
  gateway_max_json_depth: integer(
    { min: 8, max: 256, default: 64, unit: 'levels' },
    'Deepest nesting of objects and arrays in a JSON body.',
  ),
});
