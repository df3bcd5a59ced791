/** Status and headers of refusals; an envelope adds the form of its interface. */
import { type AppError, retrySeconds } from '../../errors/app-error.js';
import type { ErrorCode } from '../../errors/catalogue.js';

/** How interfaces answer for what only commands and the start of a server explain. */
const ofCommands = {
  database_unreachable: 'unavailable',
  database_not_ready: 'unavailable',
  database_newer: 'unavailable',
  configuration_invalid: 'unavailable',
  refused: 'conflict',
  port_in_use: 'internal_error',
  backup_invalid: 'internal_error',
  backup_newer: 'internal_error',
  passphrase_needed: 'internal_error',
  passphrase_wrong: 'internal_error',
  target_not_empty: 'internal_error',
  target_in_use: 'internal_error',
  usage: 'internal_error',
} as const satisfies Partial<Record<ErrorCode, ErrorCode>>;

export type HttpCode = Exclude<ErrorCode, keyof typeof ofCommands>;

const sentAs: Readonly<Partial<Record<ErrorCode, HttpCode>>> = ofCommands;

export const statuses: Readonly<Record<HttpCode, number>> = Object.freeze({
  bad_request: 400,
  invalid_grant: 400,
  token_required: 401,
  invalid_token: 401,
  invalid_credentials: 401,
  scope_denied: 403,
  write_disabled: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  idempotency_conflict: 409,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  validation_failed: 422,
  rate_limited: 429,
  package_missing: 501,
  service_disabled: 503,
  unavailable: 503,
  internal_error: 500,
});

export function httpCode(code: ErrorCode): HttpCode {
  return sentAs[code] ?? (code as HttpCode);
}

/** Whether the message may show the inside of the program. */
export function isInternal({ code }: AppError): boolean {
  return httpCode(code) === 'internal_error' || (httpCode(code) === 'unavailable' && code !== 'unavailable');
}

export function refusalHeaders({ code, details }: AppError): Readonly<Record<string, string>> {
  const shown = httpCode(code);
  const retryAfter = details.retryAfter ?? (shown === 'unavailable' ? retrySeconds : undefined);
  return {
    ...(statuses[shown] === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(shown === 'method_not_allowed' ? { Allow: (details.allow ?? []).join(', ') } : {}),
    ...(details.length === undefined ? {} : { 'Content-Range': `bytes */${details.length}` }),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}
