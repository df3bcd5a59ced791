/** The typed state of a Koa context in this program, and the type of its stages. */
import type { Middleware } from 'koa';
import type { Exchange } from '../exchange.js';

export interface StageState {
  exchange: Exchange;
}

export type Stage = Middleware<StageState>;
