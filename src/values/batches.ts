/** A list in parts: of bounded size, for statements and transactions, or by a key. */

export function* batchesOf<T>(list: readonly T[], size = 200): Generator<readonly T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

/** Parts whose sizes are powers of two, so that databases prepare few different statements. */
export function* partsOf<T>(list: readonly T[], most: number): Generator<readonly T[]> {
  for (let at = 0, size = most; at < list.length; at += size) {
    while (size > list.length - at) size /= 2;
    yield list.slice(at, at + size);
  }
}

/** Node.js 20 has no `Map.groupBy`. */
export function groupBy<T, Key>(list: Iterable<T>, keyOf: (one: T) => Key): Map<Key, T[]> {
  return listsBy(list, (one) => [keyOf(one), one]);
}

/** The values of each key in their order. */
export function listsBy<T, Key, Value>(
  list: Iterable<T>,
  pairOf: (one: T) => readonly [Key, Value],
): Map<Key, Value[]> {
  const lists = new Map<Key, Value[]>();
  for (const one of list) {
    const [key, value] = pairOf(one);
    const values = lists.get(key);
    if (values) values.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}

/** Filled up to a power of two with its last member, so that databases prepare few different statements. */
export function padded<T>(list: readonly T[]): readonly T[] {
  const last = list.at(-1);
  if (last === undefined) return list;
  const size = 2 ** Math.ceil(Math.log2(list.length));
  return [...list, ...Array.from({ length: size - list.length }, () => last)];
}
