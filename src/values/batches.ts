/** A list in parts of bounded size, for statements and transactions. */

export function* batchesOf<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** Filled up to a power of two with its last member, so that databases prepare few different statements. */
export function padded<T>(list: readonly T[]): readonly T[] {
  const last = list.at(-1);
  if (last === undefined) return list;
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array.from({ length: size - list.length }, () => last)];
}
