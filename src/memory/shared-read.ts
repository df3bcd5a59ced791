/** One read for all callers in a turn of the event loop; it begins after the last call, so nothing is remembered. */

export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | null = null;
  return () => {
    next ??= afterThisTurn().then(() => {
      next = null;
      return read();
    });
    return next;
  };
}

/** One `readMany` for the different keys of a turn; a key that it does not find is undefined. */
export function gatheredRead<K, V>(
  readMany: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>,
): (key: K) => Promise<V | undefined> {
  let keys = new Set<K>();
  const read = sharedRead(() => {
    const asked = [...keys];
    keys = new Set();
    return readMany(asked);
  });
  return async (key) => {
    keys.add(key);
    return (await read()).get(key);
  };
}

/** Requests that have arrived already are read from their sockets first. */
function afterThisTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
