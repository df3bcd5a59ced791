/** Problem documents of the gateway (docs/gateway.md#errors); every code of the catalogue has a row. */
import { STATUS_CODES } from 'node:http';
import { type AppError, retrySeconds } from '../../errors/app-error.js';
import { catalogue, type ErrorCode, errorCodes } from '../../errors/catalogue.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Reply } from '../../http/interface/endpoint.js';

interface ProblemRow {
  readonly status: number;
  /** Internal codes appear as another one. */
  readonly code: ErrorCode;
  /** Last segment of the `type` address; one page may explain several codes. */
  readonly slug: string;
}

const unavailable: ProblemRow = { status: 503, code: 'unavailable', slug: 'unavailable' };
const internal: ProblemRow = { status: 500, code: 'internal_error', slug: 'internal-error' };
const conflict: ProblemRow = { status: 409, code: 'conflict', slug: 'conflict' };
const denied: ProblemRow = { status: 403, code: 'scope_denied', slug: 'forbidden' };

export const problems: Readonly<Record<ErrorCode, ProblemRow>> = Object.freeze({
  bad_request: { status: 400, code: 'bad_request', slug: 'bad-request' },
  invalid_grant: { status: 400, code: 'invalid_grant', slug: 'invalid-grant' },
  token_required: { status: 401, code: 'token_required', slug: 'unauthorized' },
  invalid_token: { status: 401, code: 'invalid_token', slug: 'unauthorized' },
  invalid_credentials: { status: 401, code: 'invalid_credentials', slug: 'unauthorized' },
  scope_denied: denied,
  // A setting of the banner API; the gateway itself never throws it.
  write_disabled: denied,
  not_found: { status: 404, code: 'not_found', slug: 'not-found' },
  method_not_allowed: { status: 405, code: 'method_not_allowed', slug: 'method-not-allowed' },
  not_acceptable: { status: 406, code: 'not_acceptable', slug: 'not-acceptable' },
  idempotency_conflict: { status: 409, code: 'idempotency_conflict', slug: 'conflict' },
  conflict,
  precondition_failed: { status: 412, code: 'precondition_failed', slug: 'precondition-failed' },
  payload_too_large: { status: 413, code: 'payload_too_large', slug: 'payload-too-large' },
  uri_too_long: { status: 414, code: 'uri_too_long', slug: 'uri-too-long' },
  range_not_satisfiable: { status: 416, code: 'range_not_satisfiable', slug: 'range-not-satisfiable' },
  package_missing: { status: 501, code: 'package_missing', slug: 'package-missing' },
  unsupported_media_type: { status: 415, code: 'unsupported_media_type', slug: 'unsupported-media-type' },
  validation_failed: { status: 422, code: 'validation_failed', slug: 'validation' },
  rate_limited: { status: 429, code: 'rate_limited', slug: 'rate-limited' },
  service_disabled: { status: 503, code: 'service_disabled', slug: 'service-disabled' },
  unavailable,
  database_unreachable: unavailable,
  database_not_ready: unavailable,
  database_newer: unavailable,
  configuration_invalid: unavailable,
  port_in_use: internal,
  refused: conflict,
  backup_invalid: internal,
  backup_newer: internal,
  passphrase_needed: internal,
  passphrase_wrong: internal,
  target_not_empty: internal,
  target_in_use: internal,
  usage: internal,
  internal_error: internal,
});

export interface PublicProblem extends ProblemRow {
  readonly title: string;
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
}

export const publicProblems: readonly PublicProblem[] = errorCodes()
  .filter((code) => problems[code].code === code)
  .map((code) => {
    const { title: meaning, cause, fix } = catalogue[code];
    return { ...problems[code], title: titleOf(problems[code].status), meaning, cause, fix };
  });

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? '';
}

/** `base` is the path of the problem pages, such as `/api/v1`. */
export function renderProblem(error: AppError, info: ErrorInfo, base: string): Reply {
  const row = problems[error.code];
  const status = info.status ?? row.status;
  const { fields = {}, omitted } = error.details;
  return {
    status,
    headers: problemHeaders(error, row),
    body: {
      kind: 'json',
      type: 'application/problem+json; charset=utf-8',
      value: {
        type: `${base}/problems/${row.slug}`,
        title: titleOf(status),
        status,
        detail: detailOf(error, row),
        ...(info.path === '' ? {} : { instance: info.path }),
        code: row.code,
        request_id: info.requestId,
        ...(status === 422 ? { errors: fields } : {}),
        ...(status === 422 && omitted !== undefined ? { errors_omitted: omitted } : {}),
      },
    },
    caching: { kind: 'never' },
  };
}

/** Hides the message if it could show internals of the program. */
function detailOf(error: AppError, row: ProblemRow): string {
  const isInternal = row === internal || (row === unavailable && error.code !== 'unavailable');
  return isInternal ? catalogue[row.code].title : error.message;
}

function problemHeaders({ details }: AppError, row: ProblemRow): Readonly<Record<string, string>> {
  const retryAfter = details.retryAfter ?? (row.code === 'unavailable' ? retrySeconds : undefined);
  return {
    ...(row.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(row.status === 405 ? { Allow: (details.allow ?? []).join(', ') } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    ...(details.length === undefined ? {} : { 'Content-Range': `bytes */${details.length}` }),
  };
}
