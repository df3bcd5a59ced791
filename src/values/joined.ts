/** Work that runs once for all callers who ask for it meanwhile. */

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
