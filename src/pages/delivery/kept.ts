/** What is kept in memory to be given again: a store of values that holds no more than so many bytes. */

/** Keeps values by key as long as there is room; the one not used for longest goes first. */
export interface Memory<T> {
  get(key: string): T | undefined;
  /** `bytes` is an estimate of what the value takes. */
  set(key: string, value: T, bytes: number): void;
}

/** A body, made once, with its entity tag. */
export interface KeptBody {
  readonly body: string | Buffer;
  readonly tag: string;
}
