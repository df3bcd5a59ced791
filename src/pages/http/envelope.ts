/** Bodies of the page delivery API: `{success, message, object}`; complete over the catalogue of errors. */
import { AppError, retrySeconds } from '../../errors/app-error.js';
import { catalogue, type ErrorCode } from '../../errors/catalogue.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Reply } from '../../http/interface/endpoint.js';
import type { KeptBody } from '../delivery/page-delivery.js';

/** docs/reference/pages.md#statuses */
const statuses: Readonly<Record<ErrorCode, number>> = Object.freeze({
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
  range_not_satisfiable: 416,
  package_missing: 501,
  unsupported_media_type: 415,
  // This API answers bad parameters with 400, never with 422.
  validation_failed: 400,
  rate_limited: 429,
  service_disabled: 503,
  unavailable: 503,
  database_unreachable: 503,
  database_not_ready: 503,
  database_newer: 503,
  configuration_invalid: 503,
  port_in_use: 500,
  refused: 409,
  backup_invalid: 500,
  backup_newer: 500,
  passphrase_needed: 500,
  passphrase_wrong: 500,
  target_not_empty: 500,
  target_in_use: 500,
  usage: 500,
  internal_error: 500,
});

export function success(object: unknown): Reply {
  const value = { success: true, message: '', object };
  return { status: 200, body: { kind: 'json', value }, caching: { kind: 'content', tags: [] } };
}

/** For bodies that are kept. */
export function successText(object: unknown): string {
  return JSON.stringify({ success: true, message: '', object });
}

export function keptSuccess({ body, tag }: KeptBody): Reply {
  return {
    status: 200,
    body: { kind: 'bytes', type: 'application/json; charset=utf-8', bytes: body, tag },
    caching: { kind: 'content', tags: [] },
  };
}

export function renderPagesError(error: AppError, info: ErrorInfo): Reply {
  const status = info.status ?? statuses[error.code];
  return {
    status,
    headers: errorHeaders(error, status),
    body: { kind: 'json', value: { success: false, message: messageOf(error, status), object: {} } },
    caching: { kind: 'never' },
  };
}

/** Faults of the program say nothing about its inside. */
function messageOf(error: AppError, status: number): string {
  if (status === 500) return catalogue.internal_error.title;
  if (status === 503 && error.kind === 'unavailable') return catalogue.unavailable.title;
  return error.message;
}

function errorHeaders({ details, kind }: AppError, status: number): Readonly<Record<string, string>> {
  const retryAfter = details.retryAfter ?? (kind === 'unavailable' && status === 503 ? retrySeconds : undefined);
  return {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(status === 405 ? { Allow: (details.allow ?? []).join(', ') } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}

/** The free API has other statuses and words for some errors (docs/pages.md#the-free-api). */
export function renderPublicError(error: AppError, info: ErrorInfo): Reply {
  const reply = renderPagesError(publicError(error, info), info);
  // A shared key is not a scheme of authentication for which a browser could prompt.
  const { 'WWW-Authenticate': _scheme, ...headers } = reply.headers ?? {};
  return { ...reply, headers };
}

function publicError(error: AppError, info: ErrorInfo): AppError {
  // A disabled API answers as if it did not exist.
  if (error.code === 'service_disabled') return new AppError('not_found', { message: 'Resource not found.' });
  // Without an endpoint it is the action that is unknown.
  const isAction = error.code === 'not_found' && info.endpoint === undefined;
  return isAction ? new AppError('bad_request', { message: 'Invalid action.' }) : error;
}
