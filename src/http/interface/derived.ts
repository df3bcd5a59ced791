/** Values computed from a live snapshot: made again only when the snapshot is another object. */

/** A function that gives `make(read())` and repeats `make` only after `read` returned another object. */
export function derived<S, T>(read: () => S, make: (snapshot: S) => T): () => T {
  let last: { readonly snapshot: S; readonly value: T } | undefined;
  return () => {
    const snapshot = read();
    if (last === undefined || last.snapshot !== snapshot) last = { snapshot, value: make(snapshot) };
    return last.value;
  };
}
