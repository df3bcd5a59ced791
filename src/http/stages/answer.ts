/**
 * Negotiates the media type, then lets the handler answer: through the server's own cache for anonymous reads that
 * may be kept, directly for everything else. Runs after authentication and admission, so a kept answer is never given
 * to a caller who may not have it.
 */

import { AppError } from '../../errors/app-error.js';
import { chooseMediaType } from '../accept.js';
import type { Exchange } from '../exchange.js';
import type { Mounted } from '../locate.js';
import type { HttpPorts } from '../ports.js';
import { type Representation, renderReply } from '../representation.js';
import type { ResponseCache } from '../response-cache.js';
import type { RouteMatch } from '../router.js';
import type { Respond } from './respond.js';
import type { Stage } from './state.js';

const json: readonly string[] = ['application/json'];
/** Keys longer than this are not worth their memory. */
const maxKeyLength = 2048;

export interface AnswerParts {
  readonly ports: HttpPorts;
  readonly cache: ResponseCache;
  readonly respond: Respond;
}

export function answer(parts: AnswerParts): Stage {
  const { ports, cache, respond } = parts;
  return async function answer(ctx) {
    const { exchange } = ctx.state;
    const { match } = exchange;
    const mounted = exchange.located?.mounted;
    if (match === undefined || mounted === undefined) throw new AppError('not_found');
    const mediaType = chooseMediaType(exchange.header('accept'), match.route.endpoint.produces ?? json);
    if (mediaType === null) throw new AppError('not_acceptable');
    exchange.mediaType = mediaType;
    const produce = () => produceAnswer({ exchange, match, ports });
    const question = cacheKey({ exchange, match, mounted });
    if (question === null) {
      respond(exchange, { representation: await produce(), age: 0 });
      return;
    }
    respond(exchange, await cache.answer({ ...question, now: ports.clock.elapsed, produce }));
  };
}

interface Production {
  readonly exchange: Exchange;
  readonly match: RouteMatch;
  readonly ports: HttpPorts;
}

async function produceAnswer({ exchange, match, ports }: Production): Promise<Representation> {
  const reply = await match.route.endpoint.handler(exchange);
  return renderReply(reply, { sha256: ports.sha256, isRead: exchange.isRead });
}

interface KeyQuestion {
  readonly exchange: Exchange;
  readonly match: RouteMatch;
  readonly mounted: Mounted;
}

/** Everything that can shape an anonymous answer; null when it is not kept here. HEAD shares the answer of GET. */
function cacheKey({
  exchange,
  match,
  mounted,
}: KeyQuestion): { readonly key: string; readonly seconds: number } | null {
  const { caching } = mounted.policy;
  if (caching.kind !== 'public' || caching.seconds === 0) return null;
  if (!exchange.isRead || exchange.identity.kind !== 'anonymous') return null;
  // The key of path and query is made once for an address; what selects beyond it is seldom there. A key with more
  // begins with NUL, which no path does.
  let key = exchange.located?.select(match.route).key ?? '';
  for (const name of mounted.api.selectingHeaders) {
    const value = exchange.header(name);
    if (value !== undefined) key = `\0${name}\0${value}\0${key}`;
  }
  const { produces } = match.route.endpoint;
  if (produces !== undefined && produces.length > 1) key = `\0type\0${exchange.mediaType}\0${key}`;
  return key.length > maxKeyLength ? null : { key, seconds: caching.seconds };
}
