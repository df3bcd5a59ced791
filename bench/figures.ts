/** The arithmetic of a run: the order of the rounds, and what one side costs of the other. Pure. */

export interface Ratio {
  /** The cheap rounds of one side against the cheap rounds of the other: other work of the machine only makes rounds dearer. */
  readonly times: number;
  /** The middle half of the rounds' own ratios. */
  readonly from: number;
  readonly to: number;
}

/** Sides in turn, every other round backwards, so that a slow moment does not always hit the same one. */
export function orderOfRound<T>(sides: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? sides : sides.toReversed();
}

/** The value below which so many quarters of them lie. */
export function quarterOf(values: readonly number[], quarters: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(((sorted.length - 1) * quarters) / 4)] ?? Number.NaN;
}

/** Each round's cost against that of the other side in the same round. */
export function ratioOf(own: readonly number[], other: readonly number[]): Ratio {
  const ratios = own.map((cost, round) => cost / (other[round] ?? Number.NaN));
  return { times: quarterOf(own, 1) / quarterOf(other, 1), from: quarterOf(ratios, 1), to: quarterOf(ratios, 3) };
}
