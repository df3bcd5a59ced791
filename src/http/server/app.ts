/** The Koa application: which stage follows which. Everything it needs comes in as an argument. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { ResponseCache } from '../answers/response-cache.js';
import type { Connections } from '../connections/connections.js';
import type { ApiModule, RenderError } from '../interface/api.js';
import type { Lifecycle } from '../interface/lifecycle.js';
import { makeLocator } from '../interface/locate.js';
import type { HttpPorts } from '../interface/ports.js';
import { answer } from '../stages/answer.js';
import { StageApplication } from '../stages/application.js';
import { catchErrors, makeFail } from '../stages/catch-errors.js';
import { runChecks } from '../stages/checks.js';
import { edge } from '../stages/edge.js';
import { readBody } from '../stages/read-body.js';
import { makeRespond } from '../stages/respond.js';

export interface HttpAppOptions {
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

export interface HttpApp {
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

  const koa = new StageApplication([
    catchErrors({ ports, lifecycle, fail }),
    edge(makeLocator(apis)),
    runChecks(respond),
    readBody(),
    answer({ ports, cache, respond }),
  ]);

  return {
    listener: koa.listener((req, res, begin) => connections.receive(req, res, begin)),
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
