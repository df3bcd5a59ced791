/** Every code that a refusal or failure can carry; each API's envelope maps codes to statuses. */

export type ErrorKind =
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'conflict'
  | 'rate_limited'
  | 'disabled'
  | 'unavailable'
  | 'usage'
  | 'internal';

interface ErrorRow {
  readonly kind: ErrorKind;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

export const catalogue = {
  bad_request: {
    kind: 'invalid',
    title: 'Bad request',
    cause: 'The request could not be read: bad percent-encoding, a NUL byte, invalid UTF-8 or an unusable Host header.',
    fix: 'Send the address and headers percent-encoded as UTF-8.',
  },
  invalid_grant: {
    kind: 'invalid',
    title: 'The grant was refused',
    cause: 'The client, the user or the grant type was not accepted at the token endpoint.',
    fix: 'Check client id, secret, grant type and that OAuth is turned on.',
  },
  token_required: {
    kind: 'unauthenticated',
    title: 'Authentication required',
    cause: 'This route needs a credential and none was sent.',
    fix: 'Send an API key or access token in the Authorization header: Bearer <token>.',
  },
  invalid_token: {
    kind: 'unauthenticated',
    title: 'Invalid or revoked credentials',
    cause: 'A credential was sent, but it is unknown, malformed, expired or revoked.',
    fix: 'Create a new key or token, or send no credential on public routes.',
  },
  invalid_credentials: {
    kind: 'unauthenticated',
    title: 'User name or password is wrong',
    cause: 'The log-in did not match an active user.',
    fix: 'Check the user name and password.',
  },
  scope_denied: {
    kind: 'forbidden',
    title: 'Insufficient permissions',
    cause: 'The credential is valid, but it does not hold the scope or right that this request needs.',
    fix: 'Use a credential with the scope that the detail names.',
  },
  write_disabled: {
    kind: 'forbidden',
    title: 'write disabled',
    cause: 'Writing through the banner API is turned off.',
    fix: 'Set banners_api_write_enabled to 1.',
  },
  not_found: {
    kind: 'not_found',
    title: 'Not found',
    cause: 'There is no such route or record, or the caller may not see it.',
    fix: 'Check the address, id or name; GET /meta/endpoints lists the routes of the gateway.',
  },
  method_not_allowed: {
    kind: 'not_found',
    title: 'Method not allowed',
    cause: 'The path exists, but not with this method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  not_acceptable: {
    kind: 'invalid',
    title: 'Not acceptable',
    cause: 'The Accept header excludes every media type that this route offers.',
    fix: 'Accept application/json.',
  },
  idempotency_conflict: {
    kind: 'conflict',
    title: 'Idempotency conflict',
    cause: 'The Idempotency-Key was used with another body, or the first request is still running.',
    fix: 'Use a new key for a new request; wait before repeating an unfinished one.',
  },
  conflict: {
    kind: 'conflict',
    title: 'Conflict',
    cause: 'The request contradicts the current state of the record.',
    fix: 'Read the record again and decide.',
  },
  precondition_failed: {
    kind: 'conflict',
    title: 'Precondition failed',
    cause: 'The record changed since it was read: If-Match does not fit.',
    fix: 'Read the record again and repeat with its new ETag.',
  },
  payload_too_large: {
    kind: 'invalid',
    title: 'Request body too large',
    cause:
      'The body exceeds gateway_max_body_bytes, a file media_max_bytes, or a body 16384 bytes at a route that takes credentials; or the database takes no value of this size.',
    fix: 'Send less, or raise the setting or the limit of the database that the message names.',
  },
  range_not_satisfiable: {
    kind: 'invalid',
    title: 'Range not satisfiable',
    cause: 'The Range header asks for bytes after the end of the file.',
    fix: 'Ask for bytes within the length in Content-Range.',
  },
  package_missing: {
    kind: 'disabled',
    title: 'A package is not installed',
    cause: 'The request needs a package that only some sites need.',
    fix: 'Install the package that the message names next to hcd, and start the server again.',
  },
  uri_too_long: {
    kind: 'invalid',
    title: 'URI too long',
    cause: 'The address exceeds the limit.',
    fix: 'Send a shorter path or query string.',
  },
  unsupported_media_type: {
    kind: 'invalid',
    title: 'Unsupported media type',
    cause: 'The Content-Type of the body is not accepted on this route, or the type of a file not in media_types.',
    fix: 'Send application/json; a file under a name that says its type.',
  },
  validation_failed: {
    kind: 'invalid',
    title: 'Validation failed',
    cause: 'One or more parameters or fields are not acceptable; errors names each.',
    fix: 'Correct the named fields.',
  },
  rate_limited: {
    kind: 'rate_limited',
    title: 'Rate limit exceeded',
    cause: 'Too many requests in the current window.',
    fix: 'Wait for the seconds in Retry-After. A job that reads a whole site uses a key made with hcd key create --for build.',
  },
  service_disabled: {
    kind: 'disabled',
    title: 'Service disabled',
    cause: 'This API is turned off by its setting.',
    fix: 'Turn it on: gateway_enabled, pages_rest_api_enabled or banners_api_enabled.',
  },
  unavailable: {
    kind: 'unavailable',
    title: 'Temporarily unavailable',
    cause: 'The database cannot be reached or does not answer in time.',
    fix: 'Repeat after the seconds in Retry-After.',
  },
  database_unreachable: {
    kind: 'unavailable',
    title: 'The database cannot be reached',
    cause: 'No connection: wrong host, port, user, password or database name, or the server is down.',
    fix: 'Check HCD_DATABASE_URL; hcd doctor shows what fails.',
  },
  database_not_ready: {
    kind: 'unavailable',
    title: 'The database is not ready',
    cause: 'Migrations are pending, or the tables have a foreign layout.',
    fix: 'Run hcd migrate, or hcd doctor to see what is wrong.',
  },
  database_newer: {
    kind: 'unavailable',
    title: 'The database is newer than this program',
    cause: 'A newer version of hcd has migrated the database; the message names the migration and the version.',
    fix: 'Install that version or a later one, or revert the migrations with it: hcd migrate down --to NAME.',
  },
  configuration_invalid: {
    kind: 'unavailable',
    title: 'The configuration is not usable',
    cause: 'A flag, environment variable, configuration file or registered object has an unacceptable value.',
    fix: 'Correct the values that the message names; hcd config show prints every value with its source.',
  },
  port_in_use: {
    kind: 'unavailable',
    title: 'The address is in use',
    cause: 'Another process listens on this host and port.',
    fix: 'Stop it, or choose another port with --port or HCD_PORT (0 picks a free one).',
  },
  refused: {
    kind: 'conflict',
    title: 'Refused',
    cause: 'The command was understood but cannot be carried out in the current state.',
    fix: 'Do what the message says.',
  },
  backup_invalid: {
    kind: 'invalid',
    title: 'The backup cannot be used',
    cause: 'The file is not a backup, or it is cut off, changed or damaged; the message says where.',
    fix: 'Use another backup. Nothing was changed.',
  },
  backup_newer: {
    kind: 'conflict',
    title: 'The backup is newer than this program',
    cause: 'A newer version of hcd wrote the backup, in a newer format or with a newer database schema.',
    fix: 'Install the version that the message names, or a later one.',
  },
  passphrase_needed: {
    kind: 'invalid',
    title: 'The backup is encrypted',
    cause: 'No passphrase was given, or the passphrase file is empty.',
    fix: 'Name the file of the passphrase with --passphrase-file.',
  },
  passphrase_wrong: {
    kind: 'invalid',
    title: 'The passphrase is wrong',
    cause: 'The backup was encrypted with another passphrase.',
    fix: 'Name the file of the right passphrase with --passphrase-file.',
  },
  target_not_empty: {
    kind: 'conflict',
    title: 'The database is not empty',
    cause: 'A restore replaces the whole store, and the database holds one.',
    fix: 'Restore into an empty database, or replace the store with --yes.',
  },
  target_in_use: {
    kind: 'conflict',
    title: 'The database is in use',
    cause: 'A server, a worker or another program has the database open.',
    fix: 'Stop hcd serve, hcd worker and other programs that use the database, then restore.',
  },
  usage: {
    kind: 'usage',
    title: 'Wrong usage',
    cause: 'A flag or argument is missing, unknown or has a wrong value.',
    fix: 'See --help of the command.',
  },
  internal_error: {
    kind: 'internal',
    title: 'Internal error',
    cause: 'A fault of the program. The log holds the cause under the request id.',
    fix: 'Report it with the request id.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof catalogue;

export function errorCodes(): readonly ErrorCode[] {
  return Object.keys(catalogue).filter((key): key is ErrorCode => key in catalogue);
}
