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
  // Paths, media types, header values and decoded query text contain no NUL: the parts cannot run into one another.
  let key = `${exchange.path}\0${exchange.mediaType}`;
  for (const name of mounted.api.selectingHeaders) key += `\0${exchange.header(name) ?? ''}`;
  key += `\0\0${exchange.located?.select(match.route).canonical ?? ''}`;
  return key.length > maxKeyLength ? null : { key, seconds: caching.seconds };
}
