/** Refusals of the free page API, which has statuses and words of its own (docs/pages.md#the-free-api). */
import { AppError } from '../../errors/app-error.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Reply } from '../../http/interface/endpoint.js';
import { renderPagesError } from './envelope.js';

/** An error in the envelope of the page delivery API. */
export function renderPublicError(error: AppError, info: ErrorInfo): Reply {
  const reply = renderPagesError(publicError(error, info), info);
  // A shared key is no scheme of authentication that a browser could ask somebody for.
  const { 'WWW-Authenticate': _scheme, ...headers } = reply.headers ?? {};
  return { ...reply, headers };
}

function publicError(error: AppError, info: ErrorInfo): AppError {
  switch (error.code) {
    case 'not_found':
      // Without an endpoint it is the action that is unknown.
      return info.endpoint === undefined ? new AppError('bad_request', { message: 'Invalid action.' }) : error;
    case 'service_disabled':
      // Who may not use the API cannot tell whether it is there.
      return new AppError('not_found', { message: 'Resource not found.' });
    default:
      return error;
  }
}
