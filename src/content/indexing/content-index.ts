/** What an index of content is to those who keep it current: what it holds of a resource follows from the content alone. */
import { systemClock } from '../../clock/clock.js';
import { Turns } from '../../clock/turns.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { batchesOf } from '../../values/batches.js';

/** Resources in one statement. */
export const together = 100;

/** Of the event loop: SQLite gives many texts without a wait, and the words of long ones take milliseconds each. */
export const turns = new Turns(systemClock);

/** What is made of resources, of so many at a time. */
export async function makeInTurns<T>(
  ids: readonly number[],
  make: (some: readonly number[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const made: T[] = [];
  for (const some of batchesOf(ids, together)) {
    await turns.pass();
    for (const one of await make(some)) made.push(one);
  }
  return made;
}

/** Where the content is. */
export interface Source {
  readonly reader: Reader;
  readonly prefix: string;
}

/** The next resources of a sweep. */
export interface Part {
  /** Their ids, in order. */
  readonly ids: readonly number[];
  /** They are all that there are after this id … */
  readonly after: number;
  /** … and up to this one. */
  readonly upTo: number;
}

export interface Updated {
  readonly ids: readonly number[];
  /** There is nothing that they could be compared with. */
  readonly areNew: boolean;
}

/** Writes entries by statements only, so that the transaction may stand aside. */
export type AddEntries = (tx: Pick<Tx, 'dialect' | 'run'>) => Promise<void>;

export interface ContentIndex {
  /** Makes the entries of resources of which it holds nothing. */
  make(source: Source, ids: readonly number[]): Promise<AddEntries>;
  /** Brings the resources up to date, and others that depend on them. Gives those of which it held something else. */
  update(tx: Tx, source: Source, asked: Updated): Promise<readonly number[]>;
  /** Whether it holds nothing of a part. */
  isEmpty(own: Reader, part: Part): Promise<boolean>;
  /** The resources in a part of which it holds something else, those that are gone included. */
  differing(own: Reader, source: Source, part: Part): Promise<readonly number[]>;
  /** Whether a sweep has seen every resource since the index was made. */
  isWhole(own: Reader): Promise<boolean>;
  setWhole(tx: Tx): Promise<void>;
}
