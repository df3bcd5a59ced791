/** Loops in what should be a tree. */

/** Each circle once; `parents` holds the parent of each id that has one. */
export function findCycles(parents: ReadonlyMap<number, number>): number[][] {
  const done = new Set<number>();
  const cycles: number[][] = [];
  for (const start of parents.keys()) {
    const path = new Map<number, number>();
    let at: number | undefined = start;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.set(at, path.size);
      at = parents.get(at);
    }
    const entry = at === undefined ? undefined : path.get(at);
    if (entry !== undefined) cycles.push([...path.keys()].slice(entry));
    for (const id of path.keys()) done.add(id);
  }
  return cycles;
}
