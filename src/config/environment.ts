/** The environment as the rest of the program may see it: a plain read-only map, handed in by the process edge. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable; set but empty counts as unset, as container tools pass unset variables on. */
export function readVariable(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/** Documented for the program, but without effect in this version. */
const unused: readonly string[] = ['HCD_ADMIN_PORT'];

/** Those of them that are set: the log names them at the start. */
export function variablesWithoutEffect(env: Environment): readonly string[] {
  return unused.filter((name) => readVariable(env, name) !== undefined);
}
