/** Bodies of the page delivery API: `{success, message, object}`. */
import { AppError } from '../../errors/app-error.js';
import { catalogue } from '../../errors/catalogue.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Reply } from '../../http/interface/endpoint.js';
import { httpCode, refusalHeaders, statuses } from '../../http/interface/statuses.js';
import type { KeptBody } from '../delivery/page-delivery.js';

export function success(object: unknown): Reply {
  const value = { success: true, message: '', object };
  return { status: 200, body: { kind: 'json', value }, caching: { kind: 'content', tags: [] } };
}

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
  const code = httpCode(error.code);
  // This API answers bad parameters with 400, never with 422 (docs/pages.md#refusals).
  const status = info.status ?? (code === 'validation_failed' ? 400 : statuses[code]);
  // Faults of the program say nothing about its inside.
  const message = code === 'internal_error' || code === 'unavailable' ? catalogue[code].title : error.message;
  return {
    status,
    headers: refusalHeaders(error),
    body: { kind: 'json', value: { success: false, message, object: {} } },
    caching: { kind: 'never' },
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
