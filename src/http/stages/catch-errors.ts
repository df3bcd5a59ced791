/**
 * The outermost stage: opens the exchange, gives it its request id and turns whatever is thrown further in into an
 * answer in the right API's shape. The only place of the HTTP side where an error ends.
 */
import { AppError } from '../../errors/app-error.js';
import { boundedError } from '../../errors/bounded-error.js';
import { type Representation, renderReply } from '../answers/representation.js';
import { watchLoad } from '../connections/load-watch.js';
import type { RenderError } from '../interface/api.js';
import { Exchange, type Stage } from '../interface/exchange.js';
import type { Lifecycle } from '../interface/lifecycle.js';
import type { HttpPorts } from '../interface/ports.js';
import type { Respond } from './respond.js';

const requestIdForm = /^[A-Za-z0-9._-]{8,64}$/;

export interface CatchErrorsParts {
  readonly ports: HttpPorts;
  readonly lifecycle: Lifecycle;
  readonly fail: Fail;
}

export function catchErrors({ ports, lifecycle, fail }: CatchErrorsParts): Stage {
  const { clock, trustedProxies, onUntrustedForwarder } = ports;
  const finish = (exchange: Exchange): void => {
    if (!exchange.answered) fail(exchange, new Error('no stage answered the request'));
  };
  return function catchErrors(ctx, next) {
    const { req, res } = ctx;

    const given = req.headers['x-request-id'];
    const requestId = typeof given === 'string' && requestIdForm.test(given) ? given : ports.newRequestId();
    const { listeningAddress } = lifecycle;
    const startedAt = clock.elapsed();
    const who = { trustedProxies, onUntrustedForwarder };
    const exchange = new Exchange({ req, res, requestId, startedAt, listeningAddress, ...who });
    lifecycle.inFlight.add(exchange);
    lifecycle.latest.set(req.socket, exchange);
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

/** Makes the function that answers a request with an error. Must not throw: there is nobody left to catch. */
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
