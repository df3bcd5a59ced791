/** The arithmetic of a run: the order of the rounds, and ratios as medians of the rounds' own ratios. Pure. */

export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Targets in turn, every other round backwards, so that a slow moment does not always hit the same one. */
export function orderOfRound<T>(targets: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? targets : targets.toReversed();
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  const median = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
  return { median, least: sorted[0] ?? Number.NaN, most: sorted.at(-1) ?? Number.NaN };
}

/** Each round's `values` against the same round's `yardstick`. */
export function ratiosOf(values: readonly number[], yardstick: readonly number[]): Spread {
  return spreadOf(values.map((value, round) => value / (yardstick[round] ?? Number.NaN)));
}
