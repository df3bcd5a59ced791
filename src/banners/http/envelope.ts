/** Bodies of the banner API and its form of errors (docs/banners.md#answers). */
import type { AppError } from '../../errors/app-error.js';
import type { ErrorInfo } from '../../http/interface/api.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import { type HttpCode, httpCode, refusalHeaders, statuses } from '../../http/interface/statuses.js';

/** The words of docs/banners.md#answers; other refusals say what is wrong. */
const messages: Readonly<Partial<Record<HttpCode, string>>> = {
  token_required: 'unauthorized',
  invalid_token: 'unauthorized',
  invalid_credentials: 'unauthorized',
  write_disabled: 'write disabled',
  not_found: 'not found',
  method_not_allowed: 'method not allowed',
  not_acceptable: 'not acceptable',
  uri_too_long: 'uri too long',
  rate_limited: 'rate limit exceeded',
  service_disabled: 'api disabled',
  unavailable: 'temporarily unavailable',
  internal_error: 'internal error',
};

/** Always the whole window (docs/banners.md#keys). */
const retryAfterLimit = 60;

export function renderBannersError(error: AppError, info: ErrorInfo): Reply {
  const { fields, omitted, isBodyMalformed = false } = error.details;
  const code = isBodyMalformed ? 'bad_request' : httpCode(error.code);
  const status = info.status ?? statuses[code];
  return {
    status,
    headers: {
      ...refusalHeaders(error),
      ...(code === 'rate_limited' ? { 'Retry-After': String(retryAfterLimit) } : {}),
    },
    body: {
      kind: 'json',
      value: {
        success: false,
        message: isBodyMalformed ? 'invalid json' : (messages[code] ?? error.message),
        ...(status === 422
          ? { errors: fields ?? {}, ...(omitted === undefined ? {} : { errors_omitted: omitted }) }
          : {}),
      },
    },
    caching: { kind: 'never' },
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
