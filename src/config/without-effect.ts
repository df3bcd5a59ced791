/** Variables that are documented for the program but do nothing in this version; set ones are said at the start. */
import { type Environment, readVariable } from './environment.js';

const names: readonly string[] = ['HCD_ADMIN_PORT'];

/** Those that are set. */
export function variablesWithoutEffect(env: Environment): readonly string[] {
  return names.filter((name) => readVariable(env, name) !== undefined);
}
