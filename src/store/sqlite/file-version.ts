/** The number of the state of a SQLite file, asked for once in a turn of the event loop. */
import { systemClock } from '../../clock/clock.js';
import { arrivals } from '../../clock/waiting-line.js';
import type { SqliteConnection } from './connection.js';
import type { SqliteStatement } from './driver.js';

const longestTurn = 5;

export class FileVersion {
  readonly #reader: SqliteConnection;
  #statement: SqliteStatement | undefined;
  #version: number | undefined;
  #readAt = 0;
  #behind = 0;

  constructor(reader: SqliteConnection) {
    this.#reader = reader;
  }

  readonly forget = (): void => {
    this.#version = undefined;
  };

  read(): number {
    const { isArriving, behind } = arrivals;
    // A request that continues after a wait arrived before the looks of this turn.
    if (!isArriving && this.#version === undefined) return this.#ask();
    const now = systemClock.elapsed();
    const isNew = now - this.#readAt <= longestTurn && (isArriving || this.#behind === behind);
    if (this.#version !== undefined && isNew) return this.#version;
    if (this.#version === undefined) setImmediate(this.forget);
    this.#version = this.#ask();
    this.#readAt = now;
    this.#behind = behind;
    return this.#version;
  }

  /** SQLite reports whether another connection has changed the file; this one never does. */
  #ask(): number {
    try {
      this.#statement ??= this.#reader.statement('PRAGMA data_version');
      return Number(this.#statement.rows([])[0]?.[0]);
    } catch {
      // The read that follows reports any failure, and waits where waiting helps.
      return Number.NaN;
    }
  }
}
