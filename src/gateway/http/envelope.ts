/** Problem documents of the gateway (docs/gateway.md#errors). */
import { STATUS_CODES } from 'node:http';
import type { AppError } from '../../errors/app-error.js';
import { catalogue, type ErrorCode, errorCodes } from '../../errors/catalogue.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Reply } from '../../http/interface/endpoint.js';
import { type HttpCode, httpCode, isInternal, refusalHeaders, statuses } from '../../http/interface/statuses.js';

interface ProblemRow {
  readonly status: number;
  /** Internal codes appear as another one. */
  readonly code: HttpCode;
  /** Last segment of the `type` address; one page may explain several codes. */
  readonly slug: string;
}

const sharedSlugs: Readonly<Partial<Record<HttpCode, string>>> = {
  token_required: 'unauthorized',
  invalid_token: 'unauthorized',
  invalid_credentials: 'unauthorized',
  scope_denied: 'forbidden',
  idempotency_conflict: 'conflict',
  validation_failed: 'validation',
};

export function problemOf(error: ErrorCode): ProblemRow {
  const sent = httpCode(error);
  // A setting of the banner API; the gateway itself never throws it.
  const code = sent === 'write_disabled' ? 'scope_denied' : sent;
  return { status: statuses[code], code, slug: sharedSlugs[code] ?? code.replaceAll('_', '-') };
}

export interface PublicProblem extends ProblemRow {
  readonly title: string;
  readonly meaning: string;
  readonly cause: string;
  readonly fix: string;
}

export const publicProblems: readonly PublicProblem[] = errorCodes()
  .filter((code) => problemOf(code).code === code)
  .map((code) => {
    const { title: meaning, cause, fix } = catalogue[code];
    const row = problemOf(code);
    return { ...row, title: titleOf(row.status), meaning, cause, fix };
  });

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? '';
}

/** `base` is the path of the problem pages, such as `/api/v1`. */
export function renderProblem(error: AppError, info: ErrorInfo, base: string): Reply {
  const row = problemOf(error.code);
  const status = info.status ?? row.status;
  const { fields = {}, omitted } = error.details;
  return {
    status,
    headers: refusalHeaders(error),
    body: {
      kind: 'json',
      type: 'application/problem+json; charset=utf-8',
      value: {
        type: `${base}/problems/${row.slug}`,
        title: titleOf(status),
        status,
        detail: isInternal(error) ? catalogue[row.code].title : error.message,
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
