/** The typed state of a Koa context in this program, and the type of its stages. */
import type { ParameterizedContext } from 'koa';
import type { Exchange } from '../interface/exchange.js';

export interface StageState {
  exchange: Exchange;
}

/** A Koa middleware that gives a promise only where something has to be waited for. */
export type Stage = (ctx: ParameterizedContext<StageState>, next: Next) => void | Promise<void>;

export type Next = () => void | Promise<void>;
