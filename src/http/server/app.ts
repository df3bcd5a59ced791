/** The Koa applications of the interfaces: which stage follows which. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import { arrivals } from '../../clock/waiting-line.js';
import { AppError } from '../../errors/app-error.js';
import { ResponseCache } from '../answers/response-cache.js';
import type { Arrived } from '../connections/connection.js';
import type { Connections } from '../connections/connections.js';
import { changes, reads } from '../connections/load.js';
import type { ApiModule, RenderError } from '../interface/api.js';
import { type Located, makeLocator } from '../interface/locate.js';
import { clientBlock } from '../interface/request-headers.js';
import {
  clientIpOf,
  type HttpPorts,
  isRequestMethod,
  type Lifecycle,
  RequestState,
  type Stage,
} from '../interface/request-state.js';
import { type AnswerCaches, answer, answersBeforeKoa, type HttpParts } from '../stages/answer.js';
import { answerOptions, checkRoute, edge, hasBody, originForm } from '../stages/checks.js';
import { makeCompress } from '../stages/compress.js';
import { loadRefusal, readBody } from '../stages/read-body.js';
import { makeFail, makeRespond, sendAnswer } from '../stages/respond.js';

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

export function makeHttpApp(options: HttpAppOptions) {
  const { apis, unmounted, ports, lifecycle, connections, compresses, keepAliveMs } = options;
  const respond = makeRespond({ ports, lifecycle, connections, compresses, keepAliveMs });
  const compress = makeCompress(compresses);
  const fail = makeFail({ ports, respond, unmounted });
  const caches = makeCaches(ports, options.cacheBytes);
  const locate = makeLocator(apis, ports.settings);
  const parts = { ports, lifecycle, locate, caches, compress, respond, fail };
  const read = readBody();
  const body: Stage = (ctx, next) => (ctx.state.isRead && !hasBody(ctx.req) ? next() : read(ctx, next));
  const handler = answer(parts);
  const handlerBehind = (checks: readonly Stage[]) => {
    const koa = new Application({ env: 'production' });
    koa.use(sendAnswer(parts));
    for (const stage of [edge(locate), answerOptions(), ...checks, body, handler]) koa.use(stage);
    return koa.callback();
  };
  const handlers = new Map(apis.map((api) => [api, handlerBehind(api.checks)]));
  const strays = handlerBehind([checkRoute()]);
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    const { mounted } = locate(originForm(req.url ?? '/'));
    const behind = mounted === undefined ? undefined : handlers.get(mounted.api);
    void (behind ?? strays)(req, res);
  };
  const shed = makeShed(parts);
  const before = answersBeforeKoa(parts);
  const arrived = makeArrived(parts);
  const { anonymous, known } = caches;
  return {
    listener(req: IncomingMessage, res: ServerResponse): void {
      const answered = (): void => void (before(req, res) || handle(req, res));
      const answer = ports.traces === undefined ? answered : ports.traces.request(req, answered);
      // An answer from memory costs about as much as a refusal.
      const refuse = (): void => void (before(req, res) || shed(req, res));
      connections.receive(arrived(req, res), ({ together, isRefused }) =>
        arrivals.receive(isRefused ? refuse : answer, { together }),
      );
    },
    caches: known === null ? [anonymous] : [anonymous, known],
    expireOverdue(): void {
      const oldest = ports.clock.elapsed() - options.requestTimeoutMs;
      for (const state of lifecycle.inFlight) {
        // Node refuses what has not arrived in this time, with 408.
        if (!state.req.complete || state.startedAt + state.extraMs > oldest) continue;
        fail(state, new AppError('unavailable', { message: 'The request took too long' }));
        state.abort();
      }
    },
  };
}

function makeCaches(ports: HttpPorts, maxBytes: number): AnswerCaches {
  const anonymous = new ResponseCache({ maxBytes });
  ports.onContentChange?.((change) => anonymous.drop(change));
  const { storeState } = ports;
  if (storeState === undefined) return { anonymous, known: null };
  const known = new ResponseCache({ maxBytes: maxBytes / 4, generation: storeState });
  // A list may have been made with a total from before the change.
  ports.onContentChange?.(() => known.clear());
  return { anonymous, known };
}

function makeShed({ ports, lifecycle, locate, fail }: HttpParts) {
  return function shed(req: IncomingMessage, res: ServerResponse): void {
    const state = new RequestState({ req, res, ports, lifecycle });
    const { method, url = '' } = req;
    if (url.startsWith('/')) state.located = locate(url);
    if (isRequestMethod(method)) state.match = state.located?.match(method);
    state.check = 'load';
    fail(state, loadRefusal);
  };
}

/** A health request with a longer address waits like others. */
const longestOfHealth = 256;

function makeArrived({ ports, lifecycle, locate }: HttpParts) {
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
    return { req, res, isHealth, asker: { group: isRead ? reads : changes, caller: callerOf(req) } };
  };
}

/** Koa's listener for the end of an answer takes a tenth of a read. The outermost stage answers every error. */
class Application extends Koa<RequestState> {
  handleRequest(ctx: Koa.ParameterizedContext<RequestState>, run: ComposedMiddleware): Promise<void> {
    return run(ctx).catch(() => void ctx.res.destroy());
  }
}

type ComposedMiddleware = (ctx: Koa.ParameterizedContext<RequestState>) => Promise<void>;
