/** Logs at the start of a server or worker which variables are set without effect. */
import { variablesWithoutEffect } from '../src/config/definitions.js';
import type { Deps } from './deps.js';

export function sayWithoutEffect({ env, log }: Pick<Deps, 'env' | 'log'>): void {
  for (const name of variablesWithoutEffect(env)) log({ kind: 'variable_without_effect', name });
}
