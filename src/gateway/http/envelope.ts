/**
 * Error bodies of the gateway: RFC 9457 problem documents (docs/gateway.md#errors). The table is complete over the
 * catalogue, so a new code does not compile until the gateway answers it.
 */
import type { AppError } from '../../errors/app-error.js';
import { catalogue, type ErrorCode } from '../../errors/catalogue.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Reply } from '../../http/interface/endpoint.js';

interface ProblemRow {
  readonly status: number;
  /** `code` of the body: codes of the program that mean nothing to clients appear as another one. */
  readonly code: ErrorCode;
  /** Last segment of the `type` address; one page may explain several codes. */
  readonly slug: string;
  readonly title: string;
}

const unavailable = { status: 503, code: 'unavailable', slug: 'unavailable', title: 'Service Unavailable' } as const;
const internal = {
  status: 500,
  code: 'internal_error',
  slug: 'internal-error',
  title: 'Internal Server Error',
} as const;

/** Status, public code, page and title of every error code. */
export const problems: Readonly<Record<ErrorCode, ProblemRow>> = Object.freeze({
  bad_request: { status: 400, code: 'bad_request', slug: 'bad-request', title: 'Bad Request' },
  invalid_grant: { status: 400, code: 'invalid_grant', slug: 'invalid-grant', title: 'Bad Request' },
  token_required: { status: 401, code: 'token_required', slug: 'unauthorized', title: 'Unauthorized' },
  invalid_token: { status: 401, code: 'invalid_token', slug: 'unauthorized', title: 'Unauthorized' },
  invalid_credentials: { status: 401, code: 'invalid_credentials', slug: 'unauthorized', title: 'Unauthorized' },
  scope_denied: { status: 403, code: 'scope_denied', slug: 'forbidden', title: 'Forbidden' },
  // The switch of the banner API; the gateway never refuses so itself.
  write_disabled: { status: 403, code: 'scope_denied', slug: 'forbidden', title: 'Forbidden' },
  not_found: { status: 404, code: 'not_found', slug: 'not-found', title: 'Not Found' },
  method_not_allowed: {
    status: 405,
    code: 'method_not_allowed',
    slug: 'method-not-allowed',
    title: 'Method Not Allowed',
  },
  not_acceptable: { status: 406, code: 'not_acceptable', slug: 'not-acceptable', title: 'Not Acceptable' },
  idempotency_conflict: { status: 409, code: 'idempotency_conflict', slug: 'conflict', title: 'Conflict' },
  conflict: { status: 409, code: 'conflict', slug: 'conflict', title: 'Conflict' },
  precondition_failed: {
    status: 412,
    code: 'precondition_failed',
    slug: 'precondition-failed',
    title: 'Precondition Failed',
  },
  payload_too_large: {
    status: 413,
    code: 'payload_too_large',
    slug: 'payload-too-large',
    title: 'Payload Too Large',
  },
  uri_too_long: { status: 414, code: 'uri_too_long', slug: 'uri-too-long', title: 'URI Too Long' },
  unsupported_media_type: {
    status: 415,
    code: 'unsupported_media_type',
    slug: 'unsupported-media-type',
    title: 'Unsupported Media Type',
  },
  validation_failed: { status: 422, code: 'validation_failed', slug: 'validation', title: 'Unprocessable Entity' },
  rate_limited: { status: 429, code: 'rate_limited', slug: 'rate-limited', title: 'Too Many Requests' },
  service_disabled: {
    status: 503,
    code: 'service_disabled',
    slug: 'service-disabled',
    title: 'Service Unavailable',
  },
  unavailable,
  database_unreachable: unavailable,
  database_not_ready: unavailable,
  configuration_invalid: unavailable,
  port_in_use: internal,
  refused: { status: 409, code: 'conflict', slug: 'conflict', title: 'Conflict' },
  backup_invalid: internal,
  backup_newer: internal,
  passphrase_needed: internal,
  passphrase_wrong: internal,
  target_not_empty: internal,
  target_in_use: internal,
  usage: internal,
  internal_error: internal,
});

/** Of statuses that a refusal can have instead of the one of its code. */
const titles: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  417: 'Expectation Failed',
  431: 'Request Header Fields Too Large',
};

/** Seconds after which a caller may try again when nothing better is known. */
const defaultRetryAfter = 5;

/** An error as problem document. `base` is the path under which the problem pages are served, such as `/api/v1`. */
export function renderProblem(error: AppError, info: ErrorInfo, base: string): Reply {
  const row = problems[error.code];
  const status = info.status ?? row.status;
  return {
    status,
    headers: problemHeaders(error, row),
    body: {
      kind: 'json',
      type: 'application/problem+json; charset=utf-8',
      value: {
        type: `${base}/problems/${row.slug}`,
        title: info.status === undefined ? row.title : (titles[info.status] ?? row.title),
        status,
        detail: detailOf(error, row),
        ...(info.path === '' ? {} : { instance: info.path }),
        code: row.code,
        request_id: info.requestId,
        ...(status === 422 ? { errors: error.details.fields ?? {}, ...omittedOf(error) } : {}),
      },
    },
    caching: { kind: 'never' },
  };
}

/** Says how many fields are not named in `errors`; absent where all are. */
function omittedOf({ details }: AppError): { readonly errors_omitted?: number } {
  return details.omitted === undefined ? {} : { errors_omitted: details.omitted };
}

/** The message of the error, except where it could show internals of the program. */
function detailOf(error: AppError, row: ProblemRow): string {
  if (row.status === 500 || row === unavailable) {
    return error.code === 'unavailable' ? error.message : catalogue[row.code].title;
  }
  return error.message;
}

function problemHeaders({ details }: AppError, row: ProblemRow): Readonly<Record<string, string>> {
  const retryAfter = details.retryAfter ?? (row.code === 'unavailable' ? defaultRetryAfter : undefined);
  return {
    ...(row.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(row.status === 405 ? { Allow: (details.allow ?? []).join(', ') } : {}),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}
