/**
 * Which of the matching banners are shown, and in which order (docs/banners-tracking.md#slots). The random source is an argument:
 * a function that returns numbers from 0 up to, and without, 1.
 */

export const rotations = ['idx', 'random', 'weighted', 'ab'] as const;
export type Rotation = (typeof rotations)[number];

/** The input of a rotation; `id` is that of the link between banner and position. */
export interface Candidate {
  readonly id: number;
  readonly idx: number;
  /** At least 1. */
  readonly weight: number;
}

interface RotationQuestion<T extends Candidate> {
  readonly candidates: readonly T[];
  readonly limit: number;
  readonly random: () => number;
}

/** By place in the position. */
export function inOrder<T extends Candidate>({ candidates, limit }: Omit<RotationQuestion<T>, 'random'>): T[] {
  return candidates.toSorted((one, other) => one.idx - other.idx || one.id - other.id).slice(0, limit);
}

/** Every order equally likely. */
export function inRandomOrder<T extends Candidate>(question: RotationQuestion<T>): T[] {
  return draw(question, () => 1);
}

/**
 * Draws without replacement, each with a chance exactly proportional to its weight among those that are
 * left. So the first place goes to a banner of weight 3 three times as often as to one of weight 1.
 */
export function byWeight<T extends Candidate>(question: RotationQuestion<T>): T[] {
  return draw(question, ({ weight }) => Math.max(1, weight));
}

interface AbQuestion<T extends Candidate> extends RotationQuestion<T> {
  /** The link that the visitor was shown before; null when that is not known. */
  readonly sticky: number | null;
}

/**
 * Half of the visitors see one of exactly two banners, the others the other one; any other number is shown in order.
 * `chosen` is the link to remember for the visitor; null when nothing was chosen.
 */
export function chooseAb<T extends Candidate>({ candidates, limit, random, sticky }: AbQuestion<T>) {
  const ordered = inOrder({ candidates, limit: candidates.length });
  if (ordered.length !== 2) return { shown: ordered.slice(0, limit), chosen: null };
  const chosen = ordered.find(({ id }) => id === sticky) ?? ordered[random() < 0.5 ? 0 : 1];
  return { shown: chosen === undefined ? [] : [chosen].slice(0, limit), chosen: chosen?.id ?? null };
}

function draw<T extends Candidate>(
  { candidates, limit, random }: RotationQuestion<T>,
  weightOf: (candidate: T) => number,
): T[] {
  const left = [...candidates];
  const drawn: T[] = [];
  let total = left.reduce((sum, candidate) => sum + weightOf(candidate), 0);
  while (drawn.length < limit && left.length > 0) {
    let point = random() * total;
    const at = left.findIndex((candidate) => {
      point -= weightOf(candidate);
      return point < 0;
    });
    // Weights are whole numbers, so only rounding in the product could pass the end.
    const [candidate] = left.splice(at < 0 ? left.length - 1 : at, 1);
    if (candidate === undefined) break;
    total -= weightOf(candidate);
    drawn.push(candidate);
  }
  return drawn;
}
