/** The state of databases as a mark to compare: whether anybody, in whichever process, has committed since. */
import type { Clock } from '../clock/clock.js';
import type { Reader } from '../store/base/database.js';
import type { DatabaseMark, SeenMoment } from './seen-credentials.js';

/**
 * Gives the mark of this moment. Databases that cannot tell (MariaDB) have no part in it. NaN, which equals nothing, when
 * one that can tell does not answer: then nothing that was seen before counts.
 */
export function databaseMark(readers: readonly Reader[]): () => DatabaseMark {
  const [first, second] = [...new Set(readers)].filter((reader) => reader.version !== undefined);
  if (second === undefined) return () => first?.version?.() ?? 0;
  return () => {
    const [one = Number.NaN, other = Number.NaN] = [first?.version?.(), second.version?.()];
    return Number.isNaN(one) || Number.isNaN(other) ? Number.NaN : `${one} ${other}`;
  };
}

/** The moment at which a credential is looked for. The mark is taken before anything is read. */
export function seenMoment({ now, elapsed }: Pick<Clock, 'now' | 'elapsed'>, mark: () => DatabaseMark): SeenMoment {
  return { mark: mark(), elapsed: elapsed(), now: now() };
}
