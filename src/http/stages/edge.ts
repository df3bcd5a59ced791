/**
 * Refuses what Node's parser lets through (docs/reference/http.md#unusable-requests): repeated or unusable Host,
 * foreign absolute targets, methods that no endpoint can have, too many headers. Also finds the API and route, so that
 * refusals have its shape.
 */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { type Exchange, isRequestMethod, type Stage } from '../interface/exchange.js';
import { allMethods, type Located } from '../interface/locate.js';
import { hostForm } from '../interface/public-address.js';

export const maxHeaders = 100;
/** Bytes of an unread body that are taken off the wire to keep the connection usable. */
const maxDiscardedBytes = 1_048_576;

export function edge(locate: (target: string) => Located): Stage {
  return function edge(ctx, next) {
    const { req } = ctx;
    const { exchange } = ctx.state;
    const target = req.url ?? '/';
    // A client whose request is refused here is not trusted with the rest of the connection either.
    exchange.closing = true;
    if (target.startsWith('/')) {
      exchange.located = locate(target);
    } else if (target !== '*') {
      exchange.located = locate(originForm(target));
      checkAuthority(target, req);
    }
    checkHeaders(req);
    checkExpectation(exchange);
    const { located } = exchange;
    if (located === undefined) throw new AppError('method_not_allowed', { details: { allow: allMethods } });
    if (located.problem !== undefined) throw located.problem();
    if (isRequestMethod(req.method)) exchange.match = located.match(req.method);
    else if (req.method !== 'OPTIONS') {
      const allow = located.allowedMethods();
      throw new AppError('method_not_allowed', { details: { allow: allow.length > 0 ? allow : allMethods } });
    }
    exchange.closing = false;
    if (exchange.isRead && hasBody(req)) discardBody(req);
    return next();
  };
}

/** `http://host/path?query` without scheme and authority. */
function originForm(target: string): string {
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The authority of an absolute target must be the one of the Host header. */
function checkAuthority(target: string, req: IncomingMessage): void {
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1];
  if (authority === undefined || authority.toLowerCase() !== req.headers.host?.toLowerCase()) {
    throw new AppError('bad_request', { message: 'The target names another host than the Host header' });
  }
}

/** Whether the request passes the check of its headers. */
export function hasUsualHeaders(req: IncomingMessage): boolean {
  try {
    checkHeaders(req);
    return true;
  } catch {
    // The check throws nothing but its refusals.
    return false;
  }
}

function checkHeaders(req: IncomingMessage): void {
  const { rawHeaders } = req;
  if (rawHeaders.length > maxHeaders * 2) throw new AppError('bad_request', { message: 'Too many headers' });
  let hosts = 0;
  let credentials = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    // The lengths first: this runs for every header of every request.
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials += 1;
  }
  if (hosts > 1) throw new AppError('bad_request', { message: 'More than one Host header' });
  // Node keeps the first of them silently; which one counts must not be a guess.
  if (credentials > 1) throw new AppError('bad_request', { message: 'More than one Authorization header' });
  const { host } = req.headers;
  if (host === undefined && req.httpVersion === '1.0') return;
  if (host === undefined || !hostForm.test(host))
    throw new AppError('bad_request', { message: 'The Host header is not a host' });
}

/** RFC 9110, 10.1.1: 100-continue is the only expectation there is; Node has answered it already. */
function checkExpectation(exchange: Exchange): void {
  const expectation = exchange.header('expect');
  if (expectation === undefined || expectation.toLowerCase() === '100-continue') return;
  exchange.protocolStatus = 417;
  throw new AppError('bad_request', { message: 'The only expectation that can be met is 100-continue' });
}

/** Whether the request has a body, by its headers. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Takes an unread body off the wire: drops a small one, ends the connection of a large one. */
export function discardBody(req: IncomingMessage): void {
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxDiscardedBytes) req.socket.destroy();
  });
  // A reader that gave up has paused it.
  req.resume();
}
