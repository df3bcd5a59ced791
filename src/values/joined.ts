/** Work that runs once for all callers who ask for it meanwhile, or in a turn of the event loop. */

/** A call joins the one under way with the same first argument, or without any. */
export function joined<Given extends readonly unknown[], T>(
  work: (...given: Given) => Promise<T>,
): (...given: Given) => Promise<T> {
  const underWay = new Map<unknown, Promise<T>>();
  return (...given) => {
    const [name] = given;
    const run = underWay.get(name) ?? work(...given).finally(() => underWay.delete(name));
    underWay.set(name, run);
    return run;
  };
}

/** Begins after the last call of a turn, so nothing is remembered. */
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
