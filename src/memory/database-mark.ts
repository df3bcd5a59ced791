/** The state of databases as a mark to compare: whether any process has committed since. */
import type { Reader } from '../store/base/database.js';

/** Distinguishes states of the databases; always the same for databases that have no number of their state. */
export type DatabaseMark = string | number;

/**
 * Gives the mark of this moment. Databases without a version (MariaDB) have no part in it. NaN, which equals nothing,
 * when one that has a version does not answer: then remembered values are not used.
 */
export function databaseMark(readers: readonly Reader[]): () => DatabaseMark {
  const [first, second] = [...new Set(readers)].filter((reader) => reader.version !== undefined);
  if (second === undefined) return () => first?.version?.() ?? 0;
  return () => {
    const [one = Number.NaN, other = Number.NaN] = [first?.version?.(), second.version?.()];
    return Number.isNaN(one) || Number.isNaN(other) ? Number.NaN : `${one} ${other}`;
  };
}

/**
 * The mark of this moment or, where the database has to be asked for its state, the one that it told last: for what goes
 * into answers that are kept as long as its state stays the same.
 */
export function knownMark(reader: Reader): () => DatabaseMark {
  return () => reader.version?.() ?? reader.knownVersion?.() ?? 0;
}

/** The mark of a later moment where a database has to be asked for its state; null where one cannot tell it. */
export function laterMark(readers: readonly Reader[]): (() => Promise<DatabaseMark>) | null {
  const looks: (() => Promise<number>)[] = [];
  for (const reader of readers) {
    if (reader.version !== undefined) looks.push(async () => reader.version?.() ?? Number.NaN);
    else if (reader.laterVersion !== undefined) looks.push(reader.laterVersion.bind(reader));
    else return null;
  }
  return async () => {
    const states = await Promise.all(looks.map((look) => look()));
    return states.some(Number.isNaN) ? Number.NaN : states.join(' ');
  };
}
