/**
 * The one place where this program leaves Koa's way. Middlewares and contexts are Koa's, but the middlewares run without
 * a promise for each of them, and nothing watches the end of each answer with four listeners and an `AsyncResource`. What
 * that saves is in bench/README.md (Decisions on HTTP).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa from 'koa';
import type { Stage, StageState } from '../interface/exchange.js';

export class Application extends Koa<StageState> {
  readonly #run: Stage;

  /** The first middleware is the outermost. */
  constructor(middlewares: readonly Stage[]) {
    super({ env: 'production' });
    for (const middleware of middlewares) this.use(middleware);
    this.#run = compose(middlewares);
  }

  /** Answers a request. What waits for nothing has been answered when this returns. */
  answer(req: IncomingMessage, res: ServerResponse): void {
    // The outermost middleware catches everything; what is left is a fault in the catching, and no answer can follow it.
    const end = (): void => void res.destroy();
    try {
      const pending: unknown = this.#run(this.createContext<StageState>(req, res), () => Promise.resolve());
      if (pending instanceof Promise) pending.catch(end);
    } catch {
      end();
    }
  }
}

/** One middleware of several. Gives a promise only where one of them does. */
export function compose(middlewares: readonly Stage[]): Stage {
  return function composed(ctx, next) {
    const run = (at: number): ReturnType<Stage> => {
      const middleware = middlewares[at];
      return middleware === undefined ? next() : middleware(ctx, () => run(at + 1));
    };
    return run(0);
  };
}
