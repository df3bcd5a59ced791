/** Bodies of the banner API and its form of errors (docs/banners.md#answers). */
import { type AppError, retrySeconds } from '../../errors/app-error.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';

interface Refusal {
  readonly status: number;
  readonly message: string | null;
}

const unauthorized: Refusal = { status: 401, message: 'unauthorized' };
/** The refusals of docs/banners.md#answers. */
const malformed: Refusal = { status: 400, message: 'invalid json' };
const unavailable: Refusal = { status: 503, message: 'temporarily unavailable' };
const internal: Refusal = { status: 500, message: 'internal error' };

const refusals: Readonly<Record<ErrorCode, Refusal>> = Object.freeze({
  bad_request: { status: 400, message: null },
  invalid_grant: { status: 400, message: null },
  token_required: unauthorized,
  invalid_token: unauthorized,
  invalid_credentials: unauthorized,
  scope_denied: { status: 403, message: null },
  write_disabled: { status: 403, message: 'write disabled' },
  not_found: { status: 404, message: 'not found' },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  not_acceptable: { status: 406, message: 'not acceptable' },
  idempotency_conflict: { status: 409, message: null },
  conflict: { status: 409, message: null },
  precondition_failed: { status: 412, message: null },
  payload_too_large: { status: 413, message: null },
  uri_too_long: { status: 414, message: 'uri too long' },
  range_not_satisfiable: { status: 416, message: null },
  package_missing: { status: 501, message: null },
  unsupported_media_type: { status: 415, message: null },
  validation_failed: { status: 422, message: null },
  rate_limited: { status: 429, message: 'rate limit exceeded' },
  service_disabled: { status: 503, message: 'api disabled' },
  unavailable,
  database_unreachable: unavailable,
  database_not_ready: unavailable,
  database_newer: unavailable,
  configuration_invalid: unavailable,
  port_in_use: internal,
  refused: { status: 409, message: null },
  backup_invalid: internal,
  backup_newer: internal,
  passphrase_needed: internal,
  passphrase_wrong: internal,
  target_not_empty: internal,
  target_in_use: internal,
  usage: internal,
  internal_error: internal,
});

/** Always the whole window (docs/reference/banners.md#rate-limit). */
const retryAfterLimit = 60;

export function renderBannersError(error: AppError, info: ErrorInfo): Reply {
  const refusal = error.details.isBodyMalformed === true ? malformed : refusals[error.code];
  const status = info.status ?? refusal.status;
  const { fields, omitted } = error.details;
  return {
    status,
    headers: errorHeaders(error, refusal),
    body: {
      kind: 'json',
      value: {
        success: false,
        message: refusal.message ?? error.message,
        ...(status === 422
          ? { errors: fields ?? {}, ...(omitted === undefined ? {} : { errors_omitted: omitted }) }
          : {}),
      },
    },
    caching: { kind: 'never' },
  };
}

function errorHeaders({ code, details }: AppError, refusal: Refusal): Readonly<Record<string, string>> {
  const retryAfter =
    code === 'rate_limited'
      ? retryAfterLimit
      : (details.retryAfter ?? (refusal === unavailable ? retrySeconds : undefined));
  return {
    ...(refusal === unauthorized ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(refusal.status === 405 ? { Allow: (details.allow ?? []).join(', ') } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}

export function dataReply(data: unknown): Reply {
  return { status: 200, body: { kind: 'json', value: { success: true, data } }, caching: { kind: 'never' } };
}

export function listReply(data: readonly unknown[], total: number): Reply {
  return {
    status: 200,
    headers: { 'X-Total-Count': String(total) },
    body: { kind: 'json', value: { success: true, data, total } },
    caching: { kind: 'never' },
  };
}

interface PageFacts {
  readonly route: string;
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

export function pageReply(call: Call, { route, rows, total, limit, offset }: PageFacts): Reply {
  const reply = listReply(rows, total);
  const kept = call.query.filter(([name]) => !['offset', 'start', 'limit'].includes(name));
  const link = (rel: string, first: number): string => {
    const query = new URLSearchParams([
      ['route', route],
      ...kept.map(([name, value]): [string, string] => [name, value]),
      ['offset', String(first)],
      ['limit', String(limit)],
    ]);
    return `<${call.base}?${query}>; rel="${rel}"`;
  };
  const links = [
    ...(offset > 0 && total > 0 ? [link('prev', Math.max(0, Math.min(offset, total) - limit))] : []),
    ...(offset + limit < total ? [link('next', offset + limit)] : []),
  ];
  return links.length === 0 ? reply : { ...reply, headers: { ...reply.headers, Link: links.join(', ') } };
}
