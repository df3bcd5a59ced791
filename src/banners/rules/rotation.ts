/** Which matching banners are shown, in which order (docs/banners-tracking.md#slots). `random` is from 0 to below 1. */

export const rotations = ['idx', 'random', 'weighted', 'ab'] as const;
export type Rotation = (typeof rotations)[number];

/** `id` is the id of the link between banner and position. */
export interface Candidate {
  readonly id: number;
  readonly idx: number;
  readonly weight: number;
}

interface RotationQuestion<T extends Candidate> {
  readonly candidates: readonly T[];
  readonly limit: number;
  readonly random: () => number;
}

export function inOrder<T extends Candidate>({ candidates, limit }: Omit<RotationQuestion<T>, 'random'>): T[] {
  return candidates.toSorted((one, other) => one.idx - other.idx || one.id - other.id).slice(0, limit);
}

export function inRandomOrder<T extends Candidate>(question: RotationQuestion<T>): T[] {
  return draw(question, () => 1);
}

/** Draws without replacement, each with a chance proportional to its weight among those left. */
export function byWeight<T extends Candidate>(question: RotationQuestion<T>): T[] {
  return draw(question, ({ weight }) => Math.max(1, weight));
}

interface AbQuestion<T extends Candidate> extends RotationQuestion<T> {
  readonly sticky: number | null;
}

/** Half of the visitors see one of exactly two banners. `chosen` is the link to remember; null when none was chosen. */
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
