/** The generation of the content that a mutation makes: one number for its event and for the caches. */
import type { Tx } from '../../store/base/database.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import type { Mutation } from './mutation.js';

/** By transaction: one that is repeated raises the number anew. */
const raised = new WeakMap<Tx, WeakMap<Mutation, Promise<number>>>();

/** Raises the generation the first time; from then on other writers wait for the commit. */
export function generationOf(tx: Tx, mutation: Mutation): Promise<number> {
  const ofTransaction = raised.get(tx) ?? new WeakMap<Mutation, Promise<number>>();
  raised.set(tx, ofTransaction);
  const generation = ofTransaction.get(mutation) ?? bumpContentGeneration(tx);
  ofTransaction.set(mutation, generation);
  return generation;
}
