/**
 * The outermost stage: opens the exchange, gives it a request id, and turns an error of the inner stages into an answer
 * in the shape of the right API. The only place of the HTTP side where an error ends.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '../../errors/app-error.js';
import { boundedError } from '../../errors/bounded-error.js';
import { type Representation, renderReply } from '../answers/representation.js';
import type { RenderError } from '../interface/api.js';
import { Exchange, type HttpPorts, type Lifecycle, type Stage } from '../interface/exchange.js';
import type { Respond } from './respond.js';

const requestIdForm = /^[A-Za-z0-9._-]{8,64}$/;

export type OpenExchange = (req: IncomingMessage, res: ServerResponse) => Exchange;

/** Makes the function that begins a request: it has its id and its time from here on. */
export function makeOpen({ ports, lifecycle }: { ports: HttpPorts; lifecycle: Lifecycle }): OpenExchange {
  const { clock, trustedProxies, onUntrustedForwarder } = ports;
  return function open(req, res) {
    const given = req.headers['x-request-id'];
    const exchange = new Exchange({
      req,
      res,
      requestId: typeof given === 'string' && requestIdForm.test(given) ? given : ports.newRequestId(),
      startedAt: clock.elapsed(),
      trustedProxies,
      onUntrustedForwarder,
      listeningAddress: lifecycle.listeningAddress,
    });
    lifecycle.inFlight.add(exchange);
    lifecycle.latest.set(req.socket, exchange);
    return exchange;
  };
}

export function catchErrors({ open, fail }: { readonly open: OpenExchange; readonly fail: Fail }): Stage {
  const finish = (exchange: Exchange): void => {
    if (!exchange.answered) fail(exchange, new Error('no stage answered the request'));
  };
  return function catchErrors(ctx, next) {
    const exchange = open(ctx.req, ctx.res);
    ctx.state.exchange = exchange;
    try {
      const pending: unknown = next();
      if (pending instanceof Promise) {
        return pending.then(
          () => finish(exchange),
          (error: unknown) => fail(exchange, error),
        );
      }
    } catch (error) {
      return fail(exchange, error);
    }
    finish(exchange);
  };
}

export type Fail = (exchange: Exchange, error: unknown) => void;

/** Makes the function that answers a request with an error. Must not throw: nothing catches after it. */
export function makeFail(parts: { ports: HttpPorts; respond: Respond; unmounted: RenderError }): Fail {
  const { ports, respond, unmounted } = parts;
  const noteLoad = watchLoad(ports);
  return function fail(exchange, error) {
    const known = boundedError(error instanceof AppError ? error : new AppError('internal_error', { cause: error }));
    const renderError = exchange.located?.mounted?.api.renderError ?? unmounted;
    let representation: Representation;
    let cause: unknown = known.cause ?? known;
    try {
      const { requestId, path, protocolStatus } = exchange;
      const endpoint = exchange.match?.route.endpoint.name;
      const info = {
        requestId,
        path,
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(protocolStatus === undefined ? {} : { status: protocolStatus }),
      };
      const reply = renderError(known, info);
      representation = renderReply(reply, { sha256: ports.sha256, isRead: false });
    } catch (fault) {
      cause = fault;
      representation = lastResort;
    }
    const isLoad = known.details.isLoad === true;
    if (isLoad) noteLoad();
    const isExpected = isLoad || known.kind === 'disabled' || representation.status < 500;
    respond(exchange, { representation, age: 0 }, isExpected ? undefined : cause);
  };
}

/** For a fault in the rendering of errors itself. */
const lastResort: Representation = {
  status: 500,
  type: 'application/json; charset=utf-8',
  body: '{"status":500}',
  length: 14,
  etag: null,
  headers: {},
  caching: { kind: 'never' },
};

/** Milliseconds without a refusal after which it is over. */
const quiet = 10_000;

/**
 * Makes the function that notes a refusal because of load: one line when such refusals begin, and one with their number
 * when they have been over for a while. A line for each of them would only add to the load.
 */
export function watchLoad({ clock, log }: Pick<HttpPorts, 'clock' | 'log'>): () => void {
  let refused = 0;
  let latest = 0;
  const look = (after: number): void => {
    clock.after(after, () => {
      const left = latest + quiet - clock.elapsed();
      if (left > 0) return look(left);
      log({ kind: 'load_over', refused });
      refused = 0;
    });
  };
  return () => {
    refused += 1;
    latest = clock.elapsed();
    if (refused > 1) return;
    log({ kind: 'load_refused' });
    look(quiet);
  };
}
