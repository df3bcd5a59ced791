/** The Koa application of the server: which stage follows which, and the applications of the interfaces in it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { arrivals } from '../../clock/arrivals.js';
import { AppError } from '../../errors/app-error.js';
import { ResponseCache } from '../answers/response-cache.js';
import type { Connections } from '../connections/connections.js';
import type { ApiModule, RenderError } from '../interface/api.js';
import type { HttpPorts, Lifecycle, Stage } from '../interface/exchange.js';
import { makeLocator } from '../interface/locate.js';
import { answer } from '../stages/answer.js';
import { Application, compose } from '../stages/application.js';
import { catchErrors, makeFail, makeOpen } from '../stages/catch-errors.js';
import { edge } from '../stages/edge.js';
import { readBody } from '../stages/read-body.js';
import { answerOptions, makeRespond } from '../stages/respond.js';
import { answerBeforeKoa } from './before-koa.js';

interface HttpAppOptions {
  readonly apis: readonly ApiModule[];
  /** Shape of errors where no API is mounted. */
  readonly unmounted: RenderError;
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  /** Memory for anonymous answers. */
  readonly cacheBytes: number;
  /** Longest time for one request. */
  readonly requestTimeoutMs: number;
}

interface HttpApp {
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void;
  readonly cache: ResponseCache;
  /** Answers requests that take too long with 503 and tells their handlers to stop. */
  readonly expireOverdue: () => void;
}

/** Builds the application; nothing listens yet. */
export function makeHttpApp(options: HttpAppOptions): HttpApp {
  const { apis, unmounted, ports, lifecycle, connections } = options;
  const respond = makeRespond({ ports, lifecycle, connections });
  const fail = makeFail({ ports, respond, unmounted });
  const cache = new ResponseCache({ maxBytes: options.cacheBytes, generation: ports.cacheGeneration });
  ports.onContentChange?.((change) => cache.drop(change));

  const open = makeOpen({ ports, lifecycle });
  const locate = makeLocator(apis);
  const first = [answerOptions(respond)];
  const last = [readBody(), answer({ ports, cache, respond })];
  const koa = new Application([catchErrors({ open, fail }), edge(locate), interfaces(apis, { first, last })]);
  const answerBefore = answerBeforeKoa({ ports, cache, locate, open, respond, fail });

  return {
    listener(req, res) {
      const begin = (): void => void (answerBefore(req, res) || koa.answer(req, res));
      connections.receive(req, res, (together) => arrivals.receive(begin, { together }));
    },
    cache,
    expireOverdue() {
      const oldest = ports.clock.elapsed() - options.requestTimeoutMs;
      for (const exchange of lifecycle.inFlight) {
        if (exchange.startedAt + exchange.extraMs > oldest) continue;
        fail(exchange, new AppError('unavailable', { message: 'The request took too long' }));
        exchange.abort();
      }
    },
  };
}

interface Around {
  readonly first: readonly Stage[];
  readonly last: readonly Stage[];
}

/** Passes each request to the interface whose address it has. */
function interfaces(apis: readonly ApiModule[], { first, last }: Around): Stage {
  const applications = new Map(apis.map((api) => [api, compose([...first, ...api.checks, ...last])]));
  return function interfaces(ctx, next) {
    const mounted = ctx.state.exchange.located?.mounted;
    const application = mounted === undefined ? undefined : applications.get(mounted.api);
    if (application === undefined) throw new AppError('not_found');
    return application(ctx, next);
  };
}
