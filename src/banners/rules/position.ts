/** Positions at which banners are shown, and the links of banners to them. */

export interface Position {
  readonly id: number;
  readonly name: string;
  /** Empty = every context. */
  readonly context_key: string;
}

/** One banner at one position. Its id is the `adposition` of click and impression addresses. */
export interface Link {
  readonly id: number;
  readonly ad: number;
  readonly position: number;
  /** Place among the links of the position, from 0. */
  readonly idx: number;
  /** 1 or more. */
  readonly weight: number;
}

export const largestWeight = 1_000_000;

/** Keys of contexts; whether there is such a context is another question. */
export const contextForm = /^[A-Za-z0-9._-]{1,100}$/;
