/** The error of a refused request. */

/** A problem document (RFC 9457), as far as the answer had one. */
export interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly code?: string;
  /** What is wrong with each parameter, with status 422. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly request_id?: string;
  readonly [name: string]: unknown;
}

export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly status: number;
  /** Stable, such as `validation_failed`; `http_502` for an answer that is not the server's own. */
  readonly code: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;
  readonly problem: Problem;
  /** Seconds after which the request can be sent again. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Problem, retryAfter: number | null) {
    const { code = `http_${status}`, detail, title, message, errors = {}, request_id = null } = problem;
    super(`${status} ${detail ?? title ?? (typeof message === 'string' ? message : code)}`);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = request_id;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** For `.catch(nullIfMissing)`: null instead of a record that does not exist or that the caller may not see. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof ProblemError && error.status === 404) return null;
  throw error;
}
