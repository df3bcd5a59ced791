/** Which matching banners are shown, in which order (docs/banners-tracking.md#slots). `random` is from 0 to below 1. */
import type { Link } from './banner.js';

export const rotations = ['idx', 'random', 'weighted', 'ab'] as const;
export type Rotation = (typeof rotations)[number];

export interface Candidate {
  readonly link: Pick<Link, 'id' | 'idx' | 'weight'>;
}

interface RotationQuestion<T extends Candidate> {
  readonly rotation: Rotation;
  readonly candidates: readonly T[];
  readonly limit: number;
  readonly random: () => number;
  /** The link that this visitor saw before. */
  readonly sticky: number | null;
}

/** `chosen` is the link to remember: with `ab`, half of the visitors see one of exactly two banners. */
export function rotate<T extends Candidate>(
  question: RotationQuestion<T>,
): { readonly shown: readonly T[]; readonly chosen: number | null } {
  const { rotation, candidates, limit, random, sticky } = question;
  if (rotation === 'random') return { shown: draw(question, () => 1), chosen: null };
  if (rotation === 'weighted') return { shown: draw(question, ({ link }) => Math.max(1, link.weight)), chosen: null };
  const ordered = candidates.toSorted(({ link }, other) => link.idx - other.link.idx || link.id - other.link.id);
  if (rotation === 'idx' || ordered.length !== 2) return { shown: ordered.slice(0, limit), chosen: null };
  const chosen = ordered.find(({ link }) => link.id === sticky) ?? ordered[random() < 0.5 ? 0 : 1];
  return { shown: chosen === undefined ? [] : [chosen].slice(0, limit), chosen: chosen?.link.id ?? null };
}

/** Draws without replacement, each with a chance proportional to its weight among those left. */
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
