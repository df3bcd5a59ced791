/** Lists of ids in statements about many deliveries: few different lengths, so that few texts are kept prepared. */

export interface IdList {
  /** Placeholders for `IN (…)`. */
  readonly marks: string;
  readonly params: readonly number[];
}

/** The ids and, up to the next power of two, the last one again: a list says the same however often it names a row. */
export function idList(ids: readonly number[]): IdList {
  const last = ids.at(-1);
  if (last === undefined) throw new TypeError('a list of ids must not be empty');
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  const params = [...ids, ...Array.from({ length: length - ids.length }, () => last)];
  return { marks: params.map(() => '?').join(', '), params };
}
