/** The result of checking a value: the value as the program uses it, or its problem. */

export type Checked<T, P = string> = Accepted<T> | Refused<P>;

interface Accepted<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Refused<P = string> {
  readonly ok: false;
  /** Mostly the rest of a sentence: "must be an integer from 0 to 9". */
  readonly problem: P;
}

export function accept<T>(value: T): Accepted<T> {
  return { ok: true, value };
}

export function refuse<P = string>(problem: P): Refused<P> {
  return { ok: false, problem };
}
