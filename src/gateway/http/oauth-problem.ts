/**
 * Refusals of the token endpoints: problem documents with the members of RFC 6749 5.2 added, as application/json
 * (docs/reference/gateway.md#refusals-of-the-token-endpoints). OAuth clients read `error`, other clients the members
 * that every refusal of the gateway has.
 */
import { AppError } from '../../errors/app-error.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import type { GrantRefusal } from '../../identity/oauth/oauth-service.js';
import { renderProblem } from './envelope.js';

const oauthEndpoints: ReadonlySet<string> = new Set(['auth.token', 'auth.revoke', 'auth.introspect']);

/** Whether the refusals of an endpoint have the form of RFC 6749. */
export function speaksOauth(endpoint: string | undefined): boolean {
  return endpoint !== undefined && oauthEndpoints.has(endpoint);
}

/** What a handler of a token endpoint answers to a refused client, grant or scope. */
export function oauthRefusal(
  call: Call,
  refusal: GrantRefusal,
  { base, usedBasic }: { readonly base: string; readonly usedBasic: boolean },
): Reply {
  const { error, description } = refusal;
  // What is missing or given twice is bad_request, a refused client, grant or scope invalid_grant.
  const code = error === 'invalid_request' ? 'bad_request' : 'invalid_grant';
  const asksAgain = error === 'invalid_client' && usedBasic;
  const info = { requestId: call.requestId, path: call.path, ...(asksAgain ? { status: 401 } : {}) };
  const problem = renderProblem(new AppError(code, { message: description }), info, base);
  const headers = asksAgain ? { 'WWW-Authenticate': 'Basic realm="gateway", charset="UTF-8"' } : {};
  return withOauthMembers(problem, { error, description, headers });
}

/** A refusal before the handler: of a body, a credential or the whole service. */
export function renderOauthProblem(error: AppError, info: ErrorInfo, base: string): Reply {
  // A body that cannot be read is 422 elsewhere; RFC 6749 5.2 makes it 400.
  const known = error.code === 'validation_failed' ? new AppError('bad_request', { message: messageOf(error) }) : error;
  const problem = renderProblem(known, info, base);
  return withOauthMembers(problem, { error: oauthError(known, problem.status), description: null, headers: {} });
}

function messageOf({ message, details }: AppError): string {
  return Object.values(details.fields ?? {})[0]?.[0] ?? message;
}

/** The nearest word of RFC 6749 and 6750; the status and `code` say more. */
function oauthError({ code }: AppError, status: number): string {
  if (code === 'invalid_grant') return code;
  if (status === 401) return 'invalid_token';
  if (status === 429 || status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

interface OauthMembers {
  readonly error: string;
  /** Null = the detail of the problem. */
  readonly description: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

function withOauthMembers(problem: Reply, { error, description, headers }: OauthMembers): Reply {
  const { body } = problem;
  const value = body.kind === 'json' && typeof body.value === 'object' ? { ...body.value } : {};
  const detail = 'detail' in value && typeof value.detail === 'string' ? value.detail : error;
  // Printable ASCII without quotes and backslashes is all that RFC 6749 5.2 allows here.
  const error_description = (description ?? detail).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'");
  return {
    ...problem,
    headers: { ...problem.headers, ...headers },
    body: { kind: 'json', value: { ...value, error, error_description } },
  };
}
