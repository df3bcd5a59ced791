/** A list in parts of bounded size, for statements and transactions that take so many rows at once. */

/** The parts in their order; each but the last has `size` members. */
export function* batchesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}
