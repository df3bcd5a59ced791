/** Settings of the gateway: routes, reading, limits, origins, OAuth, sessions, changes and webhooks. */
import { wordList } from '../values/text.js';
import {
  assetsUrlValue,
  corsOriginsValue,
  headerNamesValue,
  previewUrlValue,
  publicUrlValue,
} from './address-values.js';
import {
  addressBlockValue,
  choiceValue,
  integerValue,
  listValue,
  mapped,
  rowsOf,
  textValue,
  withoutEndSlash,
} from './value-type.js';

const { integer, off, on, row } = rowsOf('gateway');

const contextKey = textValue({
  accepts: 'a context key: up to 100 characters of A-Z a-z 0-9 _ - .',
  pattern: /^[\w.-]{1,100}$/,
});

const settingName = textValue({
  accepts: 'the name of a setting: up to 50 characters of A-Z a-z 0-9 _ - .',
  pattern: /^[\w.-]{1,50}$/,
});

const chunkName = textValue({
  accepts: 'the name of a chunk: up to 50 characters without [ ] ` & ? @ : = | and \\',
  pattern: /^[^[\]`&?@:=|\\]{1,50}$/,
});

const prefixValue = withoutEndSlash(
  textValue({
    accepts: 'a path that starts with / and has no query, such as /api',
    pattern: /^(?:\/[A-Za-z0-9._~-]+)*\/?$/,
  }),
);

/** `mgr` and the empty text are ignored (docs/reference/gateway.md#parameters). */
const bootstrapContextValue = mapped(textValue({ accepts: contextKey.accepts, pattern: /^[\w.-]{0,100}$/ }), (key) =>
  key === '' || key.toLowerCase() === 'mgr' ? 'web' : key,
);

/** The metadata is at the root, so the issuer has no path, which RFC 8414 would allow. */
const issuerValue = withoutEndSlash(
  textValue({
    accepts: 'an origin such as https://example.com, or nothing',
    pattern: /^(?:https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?\/?)?$/,
  }),
);

const mimeType = textValue({
  accepts: 'a type such as image/png',
  pattern: /^[a-z]{1,20}\/[a-z0-9][a-z0-9.+-]{0,99}$/,
});

/** None of them is a page that runs scripts; SVG is sent with a policy under which it runs none. */
const usualTypes = Object.freeze(
  wordList(`
    image/avif image/gif image/jpeg image/png image/svg+xml image/webp
    application/pdf audio/mpeg font/woff2 text/csv text/plain video/mp4 video/webm
  `),
);

/** Of small pictures, and of the screens of telephones, tablets and computers. */
const usualSizes = Object.freeze([64, 128, 256, 384, 640, 828, 1080, 1280, 1920, 2560]);

export const gatewaySettings = Object.freeze({
  gateway_enabled: on('Serves the gateway; when off, only discovery and health answer, the rest is 503.'),
  gateway_api_prefix: row({ type: prefixValue, default: '/api' }, 'Path prefix of the gateway; /v1 is appended.'),
  gateway_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address in OAuth metadata, Location and OpenAPI; empty = from a trusted proxy, else the address of the site, else of the server.',
  ),
  gateway_site_url: row(
    { type: publicUrlValue, default: '', perContext: true },
    'Address of the site, before site_url and base_url of the CMS; empty = theirs.',
  ),
  gateway_tv_validation: row(
    { type: choiceValue(['strict', 'warn', 'off']), default: 'warn' },
    'What a write does with a value of a template variable that breaks its rules: strict refuses it, warn writes it and says so in meta.warnings. New stores of hcd init, hcd demo and a first start have strict.',
  ),
  gateway_assets_url: row(
    { type: assetsUrlValue, default: '', perContext: true },
    'Address of the assets, before assets_url of the CMS; empty = theirs.',
  ),
  gateway_redirects: off('Answers GET /pages/{uri} for an old address of a moved page with a redirect instead of 404.'),
  gateway_preview_url: row(
    { type: previewUrlValue, default: '' },
    'Address at which a frontend shows previews (frontend_url); empty = none.',
  ),
  gateway_context: row(
    { type: bootstrapContextValue, default: 'web' },
    'Context of a request that names none; mgr is ignored.',
  ),
  gateway_allowed_contexts: row(
    { type: listValue(contextKey, { min: 1 }), default: Object.freeze(['web', 'mgr']) },
    'Contexts that a request may name.',
  ),
  gateway_swagger_enabled: on('Serves the API reference at /docs.'),
  gateway_cache_enabled: on('Lets anonymous answers be cached, by the server and by clients.'),
  gateway_cache_ttl: integer(
    { min: 0, max: 31_536_000, default: 300, unit: 'seconds' },
    'Longest lifetime of a cached anonymous answer.',
  ),
  gateway_changes_max_listeners: integer(
    { min: 0, max: 1_000_000, default: 5000, unit: 'listeners' },
    'Open streams of changes (/changes) of a process.',
  ),
  gateway_extended_columns: off(
    'Lets lists of resources also filter by pagetitle, uri, createdon, editedon, publishedon, pub_date and unpub_date, and sort by alias, class_key, parent, pub_date, template, unpub_date and uri.',
  ),
  gateway_max_limit: integer({ min: 1, max: 10_000, default: 100, unit: 'records' }, 'Largest page of a list.'),
  gateway_max_offset: integer(
    { min: 0, max: 1_000_000_000, default: 100_000, unit: 'records' },
    'Largest offset into a list.',
  ),
  gateway_max_total: integer(
    { min: 1, max: 1_000_000_000, default: 1_000_000, unit: 'records' },
    'Largest total of a list that is counted.',
  ),
  gateway_max_fields: integer({ min: 1, max: 1000, default: 50, unit: 'fields' }, 'Names in fields=.'),
  gateway_max_include_relations: integer(
    { min: 0, max: 100, default: 10, unit: 'relations' },
    'Relations in include=.',
  ),
  gateway_max_include_depth: integer(
    { min: 0, max: 10, default: 2, unit: 'levels' },
    'Deepest relation path in include=.',
  ),
  gateway_link_settings: row(
    {
      type: listValue(settingName),
      default: Object.freeze(['site_url', 'base_url', 'site_name', 'site_start', 'assets_url', 'cultureKey']),
    },
    'Settings whose values links=resolve and tags=resolve may put into texts.',
  ),
  gateway_resolve_chunks: row(
    { type: listValue(chunkName), default: Object.freeze<string[]>([]) },
    'Chunks that tags=resolve may put into texts, for every caller.',
  ),
  gateway_max_uri_bytes: integer(
    { min: 64, max: 8192, default: 2048, unit: 'bytes' },
    'Longest path of a request, without the query (else 414).',
  ),
  gateway_trusted_proxies: row(
    { type: listValue(addressBlockValue), default: Object.freeze([]) },
    'Proxies whose X-Forwarded-For is believed.',
  ),
  gateway_rate_limit_enabled: on('Refuses requests over the limit with 429.'),
  gateway_rate_limit_max_requests: integer(
    { min: 0, max: 1_000_000_000, default: 120, unit: 'requests' },
    'Requests of one caller in one window; 0 is unlimited. A key can have its own number.',
  ),
  gateway_rate_limit_window_seconds: integer(
    { min: 1, max: 86_400, default: 60, unit: 'seconds' },
    'Length of the window, from the first request of a caller.',
  ),
  gateway_rate_limit_without_counter: row(
    { type: choiceValue(['refuse', 'count-alone']), default: 'count-alone' },
    'Requests with a valid credential while Redis or the first process does not count: counted by each process alone, or refused with 503.',
  ),
  gateway_cors_enabled: off('Lets web pages of other origins read answers of the gateway.'),
  gateway_cors_allowed_origins: row(
    { type: corsOriginsValue, default: Object.freeze([]) },
    'Allowed origins, compared exactly; * is every origin, without credentials.',
  ),
  gateway_cors_allowed_methods: row(
    { type: headerNamesValue, default: 'GET,POST,PUT,PATCH,DELETE,OPTIONS' },
    'Methods that scripts of those origins may use.',
  ),
  gateway_cors_allowed_headers: row(
    {
      type: headerNamesValue,
      default:
        'Authorization,Content-Type,X-Request-ID,X-CSRF-Token,X-Context,X-API-Key,Idempotency-Key,If-Match,If-None-Match,X-Preview-Token,Last-Event-ID,traceparent',
    },
    'Request headers that they may set.',
  ),
  gateway_cors_expose_headers: row(
    {
      type: headerNamesValue,
      default:
        'ETag,X-Request-ID,X-RateLimit-Limit,X-RateLimit-Remaining,X-RateLimit-Reset,Idempotency-Key,Idempotency-Replayed,X-CSRF-Token,Location,X-Resolved-Uri,Retry-After,Cache-Tag,Age,Allow,WWW-Authenticate',
    },
    'Answer headers that they may read.',
  ),
  gateway_cors_allow_credentials: off(
    'Lets browsers send cookies from those origins; refused while the origins are *.',
  ),
  gateway_max_body_bytes: integer(
    { min: 1024, max: 104_857_600, default: 1_048_576, unit: 'bytes' },
    'Largest body of a request (else 413); of log-ins and token requests 16384 bytes.',
  ),
  gateway_max_json_members: integer(
    { min: 100, max: 1_000_000, default: 1000, unit: 'members' },
    'Members of one object in a JSON body.',
  ),
  gateway_max_json_values: integer(
    { min: 1000, max: 10_000_000, default: 20_000, unit: 'values' },
    'Values in a JSON body, objects and arrays included.',
  ),
  gateway_max_json_depth: integer({ min: 8, max: 256, default: 64, unit: 'levels' }, 'Nesting of a JSON body.'),
  gateway_oauth_enabled: off('Issues OAuth access tokens; when off, existing ones work until they expire.'),
  gateway_oauth_token_ttl: integer(
    { min: 60, max: 31_536_000, default: 3600, unit: 'seconds' },
    'Lifetime of an access token.',
  ),
  gateway_oauth_issuer: row(
    { type: issuerValue, default: '' },
    'Issuer in OAuth metadata; empty = the public address of the gateway.',
  ),
  gateway_oauth_password_grant_enabled: off('Enables the grant password: tokens for the name and password of a user.'),
  gateway_csrf_enabled: on('Requires X-CSRF-Token when a session changes something.'),
  gateway_idempotency_enabled: on('Honours Idempotency-Key on POST.'),
  gateway_idempotency_ttl: integer(
    { min: 60, max: 2_592_000, default: 86_400, unit: 'seconds' },
    'How long answers to an Idempotency-Key are kept.',
  ),
  gateway_audit_enabled: off('Writes the audit log of the gateway.'),
  gateway_audit_log_get: off('Writes rows of reads too.'),
  gateway_audit_retention_days: integer(
    { min: 1, max: 36_500, default: 90, unit: 'days' },
    'Age at which rows of the audit log are removed.',
  ),
  gateway_cms_events: on('Raises events for what the CMS and other programs change, not only for changes by hcd.'),
  gateway_webhook_max_attempts: integer(
    { min: 1, max: 100, default: 12, unit: 'attempts' },
    'Attempts after which a delivery fails.',
  ),
  gateway_webhook_worker_limit: integer(
    { min: 1, max: 100_000, default: 1000, unit: 'deliveries' },
    'Deliveries of one pass of the worker, unless --limit is given.',
  ),
  gateway_webhook_concurrency: integer(
    { min: 1, max: 256, default: 16, unit: 'deliveries' },
    'Deliveries that one worker sends at the same time.',
  ),
  gateway_webhook_https_only: off('Refuses receivers whose address is not https.'),
  gateway_webhook_allow_private_urls: off(
    'Lets deliveries go to private and local addresses; for development. TLS certificates are still checked.',
  ),
  gateway_webhook_allowed_networks: row(
    { type: listValue(addressBlockValue), default: Object.freeze([]) },
    'Private addresses and CIDR blocks that deliveries may go to.',
  ),
  gateway_webhook_denied_networks: row(
    { type: listValue(addressBlockValue), default: Object.freeze([]) },
    'Public addresses and CIDR blocks that deliveries may not go to.',
  ),
  gateway_webhook_nat64: off(
    'For IPv6-only networks: the IPv4 address inside a NAT64 address decides whether a receiver is allowed.',
  ),
  gateway_webhook_keep_answers: off(
    'Keeps the start of the answers of receivers with their attempts, for hcd delivery show.',
  ),
  gateway_webhook_disable_after_days: integer(
    { min: 0, max: 365, default: 5, unit: 'days' },
    'Days without a success after which a failing subscription is disabled; 0 = never.',
  ),
  media_public_url: row(
    { type: publicUrlValue, default: '' },
    'Public address of this server in absolute addresses below /files; empty = the address of the site.',
  ),
  media_max_bytes: integer(
    { min: 1024, max: 10_737_418_240, default: 20_971_520, unit: 'bytes' },
    'Largest file that is uploaded (else 413).',
  ),
  media_types: row(
    { type: listValue(mimeType, { min: 1 }), default: usualTypes },
    'Types of files that may be uploaded; a file must be of the type that its name says.',
  ),
  media_sizes: row(
    { type: listValue(integerValue({ min: 1, max: 10_000 }), { min: 1 }), default: usualSizes },
    'Widths and heights in pixels that pictures are sent in.',
  ),
  media_variant_bytes: integer(
    { min: 1_048_576, max: 1_099_511_627_776, default: 1_073_741_824, unit: 'bytes' },
    'Kept variants of pictures; above it those that were not used for longest are removed.',
  ),
  media_max_pixels: integer(
    { min: 1_000_000, max: 1_000_000_000, default: 50_000_000, unit: 'pixels' },
    'Largest picture that is uploaded or changed; one of 50 million pixels takes about 200 MB of memory.',
  ),
  gateway_webhook_retention_days: integer(
    { min: 1, max: 36_500, default: 30, unit: 'days' },
    'Age at which the worker and hcd delivery prune remove finished deliveries.',
  ),
});
