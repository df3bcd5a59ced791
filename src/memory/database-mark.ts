/** The state of databases as a mark to compare: whether any process has committed since. */
import type { Reader } from '../store/base/database.js';

/** Distinguishes states of the databases; always the same for databases that have no number of their state. */
export type DatabaseMark = string | number;

/** NaN when a database with a version does not answer; databases without one (MariaDB) have no part in it. */
export function databaseMark(readers: readonly Reader[]): () => DatabaseMark {
  const [first, second] = [...new Set(readers)].filter((reader) => reader.version !== undefined);
  if (second === undefined) return () => first?.version?.() ?? 0;
  return () => {
    const [one = Number.NaN, other = Number.NaN] = [first?.version?.(), second.version?.()];
    return Number.isNaN(one) || Number.isNaN(other) ? Number.NaN : `${one} ${other}`;
  };
}

/** The last known mark, if the database must be asked for it: for answers kept as long as its state stays the same. */
export function knownMark(reader: Reader): () => DatabaseMark {
  return () => reader.version?.() ?? reader.knownVersion?.() ?? 0;
}

/** Null when a database cannot report it. */
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
