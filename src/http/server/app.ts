/** The Koa application of the server: which stage follows which, and the applications of the interfaces in it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import { arrivals } from '../../clock/turns.js';
import { AppError } from '../../errors/app-error.js';
import { after } from '../../values/after.js';
import { ResponseCache } from '../answers/response-cache.js';
import type { Arrived, Connections } from '../connections/connections.js';
import { changes, reads } from '../connections/load.js';
import type { ApiModule, RenderError } from '../interface/api.js';
import { clientBlock } from '../interface/client-ip.js';
import {
  clientIpOf,
  Exchange,
  type HttpPorts,
  isRequestMethod,
  type Lifecycle,
  type Stage,
  type StageState,
} from '../interface/exchange.js';
import { type Located, makeLocator } from '../interface/locate.js';
import { type AnswerCaches, answer, makeAnswer } from '../stages/answer.js';
import { makeCompress } from '../stages/compress.js';
import { catchErrors, edge, makeFail } from '../stages/edge.js';
import { loadRefusal, readBody } from '../stages/read-body.js';
import { answerOptions, makeRespond } from '../stages/respond.js';
import { answersBeforeKoa, type BeforeKoaParts } from './before-koa.js';

interface HttpAppOptions {
  readonly apis: readonly ApiModule[];
  readonly unmounted: RenderError;
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly connections: Connections;
  /** For anonymous answers; those to known callers have a quarter of it in addition. */
  readonly cacheBytes: number;
  readonly compresses: boolean;
  readonly keepAliveMs: number;
  readonly requestTimeoutMs: number;
}

interface HttpApp {
  readonly listener: (req: IncomingMessage, res: ServerResponse) => void;
  readonly cache: Pick<ResponseCache, 'use' | 'clear'>;
  readonly expireOverdue: () => void;
}

interface Request extends Arrived {
  readonly answer: () => void;
}

export function makeHttpApp(options: HttpAppOptions): HttpApp {
  const { apis, unmounted, ports, lifecycle, connections, compresses, keepAliveMs } = options;
  const respond = makeRespond({ ports, lifecycle, connections, compresses, keepAliveMs });
  const compress = makeCompress(compresses);
  const fail = makeFail({ ports, respond, unmounted });
  const caches = makeCaches(ports, options.cacheBytes);

  const locate = makeLocator(apis);
  const first = [answerOptions(respond)];
  const answerExchange = makeAnswer({ ports, caches, respond, compress });
  const last = [readBody(), answer(answerExchange)];
  const koa = new Application([
    catchErrors({ ports, lifecycle, fail }),
    edge(locate),
    interfaces(apis, { first, last }),
  ]);
  const shed = makeShed({ ports, lifecycle, locate, fail });
  const cache = caches.anonymous;
  const before = answersBeforeKoa({ ports, lifecycle, cache, locate, respond, compress, fail });

  const begin = (
    { req, res, answer }: Request,
    { together, isRefused }: { together: boolean; isRefused: boolean },
  ): void => {
    // An answer from memory costs about as much as a refusal.
    const refuse = (): void => void (before(req, res) || shed(req, res));
    arrivals.receive(isRefused ? refuse : answer, { together });
  };
  const arrived = makeArrived({ ports, lifecycle, locate });

  return {
    listener(req, res) {
      const answered = (): void => void (before(req, res) || koa.answer(req, res));
      const answer = ports.traces === undefined ? answered : ports.traces.request(req, answered);
      connections.receive({ ...arrived(req, res), answer }, begin);
    },
    cache: together(caches),
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

function makeCaches(ports: HttpPorts, maxBytes: number): AnswerCaches {
  const anonymous = new ResponseCache({ maxBytes, generation: ports.cacheGeneration });
  ports.onContentChange?.((change) => anonymous.drop(change));
  const { storeState } = ports;
  if (storeState === undefined) return { anonymous, known: null };
  const numberOf = (state: string | null) => state ?? Number.NaN;
  const generation = () => {
    const state = storeState();
    return after(state, numberOf);
  };
  const known = new ResponseCache({ maxBytes: maxBytes / 4, generation, isByRow: false });
  // A list may have been made with a total from before the change.
  ports.onContentChange?.(() => known.clear());
  return { anonymous, known };
}

function together({ anonymous, known }: AnswerCaches): HttpApp['cache'] {
  return {
    get use() {
      const [one, other] = [anonymous.use, known?.use ?? { hits: 0, misses: 0, bytes: 0 }];
      return { hits: one.hits + other.hits, misses: one.misses + other.misses, bytes: one.bytes + other.bytes };
    },
    clear() {
      anonymous.clear();
      known?.clear();
    },
  };
}

function makeShed({ ports, lifecycle, locate, fail }: Pick<BeforeKoaParts, 'ports' | 'lifecycle' | 'locate' | 'fail'>) {
  return function shed(req: IncomingMessage, res: ServerResponse): void {
    const exchange = new Exchange({ req, res, ports, lifecycle });
    const { method, url = '' } = req;
    if (url.startsWith('/')) exchange.located = locate(url);
    if (isRequestMethod(method)) exchange.match = exchange.located?.match(method);
    exchange.reached = shed;
    fail(exchange, loadRefusal);
  };
}

/** A health request with a longer address waits like others. */
const longestOfHealth = 256;

function makeArrived({ ports, lifecycle, locate }: Pick<BeforeKoaParts, 'ports' | 'lifecycle' | 'locate'>) {
  const credentialOf = ({ headers }: IncomingMessage) => headers.authorization ?? headers['x-api-key'];
  const callerOf = (req: IncomingMessage): string => {
    // Only a credential that was right on this connection counts: with wrong ones a caller could pose as many callers.
    const { latest: last } = lifecycle.connectionOf(req.socket);
    const isKnown = last !== undefined && last.identity.kind !== 'anonymous';
    const credential = isKnown ? credentialOf(last.req) : undefined;
    if (isKnown && credential !== undefined && credential === credentialOf(req)) return last.asker.caller;
    return clientBlock(clientIpOf(req, ports));
  };
  const nameOf = (method: string | undefined, located: Located) =>
    isRequestMethod(method) ? located.match(method)?.route.endpoint.name : undefined;
  return function arrived(req: IncomingMessage, res: ServerResponse): Arrived {
    const { method, url = '' } = req;
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    // A long address is parsed again later, and this work is outside the turns of callers.
    const isShort = url.startsWith('/') && url.length <= longestOfHealth;
    const isHealth = isRead && isShort && nameOf(method, locate(url)) === 'health';
    return { req, res, isHealth, asker: { api: isRead ? reads : changes, caller: callerOf(req) } };
  };
}

interface Around {
  readonly first: readonly Stage[];
  readonly last: readonly Stage[];
}

function interfaces(apis: readonly ApiModule[], { first, last }: Around): Stage {
  const note = (ctx: Parameters<Stage>[0], stage: Stage): void => {
    ctx.state.exchange.reached = stage;
  };
  const applications = new Map(apis.map((api) => [api, compose([...first, ...api.checks, ...last], note)]));
  return function interfaces(ctx, next) {
    const mounted = ctx.state.exchange.located?.mounted;
    const application = mounted === undefined ? undefined : applications.get(mounted.api);
    if (application !== undefined) return application(ctx, next);
    return ctx.state.exchange.countStray((): never => {
      throw new AppError('not_found');
    });
  };
}

export class Application extends Koa<StageState> {
  readonly #run: Stage;

  constructor(middlewares: readonly Stage[]) {
    super({ env: 'production' });
    for (const middleware of middlewares) this.use(middleware);
    this.#run = compose(middlewares);
  }

  /** A request that waits for nothing has been answered when this returns. */
  answer(req: IncomingMessage, res: ServerResponse): void {
    // The outermost middleware catches everything; an error here is a fault in it, and no answer is possible.
    const end = (): void => void res.destroy();
    try {
      const pending: unknown = this.#run(this.createContext<StageState>(req, res), () => Promise.resolve());
      if (pending instanceof Promise) pending.catch(end);
    } catch {
      end();
    }
  }
}

/** Returns a promise only if one of the middlewares does. */
function compose(middlewares: readonly Stage[], note?: (ctx: Parameters<Stage>[0], middleware: Stage) => void): Stage {
  return function composed(ctx, next) {
    const run = (at: number): ReturnType<Stage> => {
      const middleware = middlewares[at];
      if (middleware === undefined) return next();
      note?.(ctx, middleware);
      return middleware(ctx, () => run(at + 1));
    };
    return run(0);
  };
}
