/**
 * Koa without what this program does not use of it on every request: its own answering, its watch over the end of each
 * answer, and a promise for each stage whether it waits or not. The stages are Koa middlewares like all others.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type ParameterizedContext } from 'koa';
import { arrivals } from '../../clock/arrivals.js';
import type { Stage, StageState } from './state.js';

/** Begins a request now or later. `together` is false for one that came behind another one of its connection. */
export type Receive = (req: IncomingMessage, res: ServerResponse, begin: (together: boolean) => void) => void;

// Without a connection: an earlier answer of a client that sends ahead is still under way.
const receiveAtOnce: Receive = (_req, res, begin) => begin(res.socket !== null);

export class StageApplication extends Koa<StageState> {
  readonly #stages: readonly Stage[];

  /** The first stage is the outermost. */
  constructor(stages: readonly Stage[]) {
    super({ env: 'production' });
    this.#stages = stages;
    for (const stage of stages) this.use(stage);
  }

  /**
   * Gives the function for Node's server. Stages that need not wait have answered when a request has begun; `receive`
   * says when that is.
   */
  listener(receive: Receive = receiveAtOnce): (req: IncomingMessage, res: ServerResponse) => void {
    return (req, res) => {
      // The outermost stage catches everything; what is left is a fault in the catching, and no answer can follow it.
      const end = (): void => void res.destroy();
      const begin = (): void => {
        try {
          const pending = this.#run(this.createContext<StageState>(req, res), 0);
          if (pending !== undefined) pending.catch(end);
        } catch {
          end();
        }
      };
      receive(req, res, (together) => arrivals.receive(begin, { together }));
    };
  }

  #run(ctx: ParameterizedContext<StageState>, at: number): void | Promise<void> {
    return this.#stages[at]?.(ctx, () => this.#run(ctx, at + 1));
  }
}
