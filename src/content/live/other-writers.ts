/**
 * Observes what other programs may have changed: what the CMS's manager logs, and commits of any program to the tables
 * that content depends on, by the times that the database keeps of them.
 */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import { readTimes, type TableTime } from '../models/changes.js';
import type { ManagerChange } from './manager-log.js';

/** Milliseconds between two looks at tables without times. */
const blindMs = 10_000;

export interface Noticed {
  /** With prefix: tables that may have changed since the last look, perhaps by this program. */
  readonly moved: readonly string[];
  /** Rows that the CMS's manager has logged; they are told to listeners of changes already. */
  readonly logged: ManagerChange;
}

interface OtherWritersDeps {
  readonly content: Reader;
  /** With prefix. */
  readonly tables: readonly string[];
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Log;
}

export class OtherWriters {
  readonly #deps: OtherWritersDeps;
  readonly #listeners: ((noticed: Noticed) => void)[] = [];
  #known: ReadonlyMap<string, TableTime> | null = null;
  #version = Number.NaN;
  #blindAt = Number.NEGATIVE_INFINITY;
  #isBroken = false;

  constructor(deps: OtherWritersDeps) {
    this.#deps = deps;
  }

  /**
   * Called after each look, several times a second, also when nothing was noticed; the first one names all tables.
   * `noticeAll` (src/content/indexing/notice.ts) finds the rows.
   */
  onLook(listener: (noticed: Noticed) => void): void {
    this.#listeners.push(listener);
  }

  tellLogged(logged: ManagerChange): void {
    if (logged.length > 0) this.#tell({ moved: [], logged });
  }

  /** Times that cannot be read are reported once. Throws unavailable. */
  async look(): Promise<void> {
    if (this.#listeners.length === 0) return;
    try {
      this.#tell({ moved: await this.#findMoved(), logged: [] });
      this.#isBroken = false;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') throw error;
      if (!this.#isBroken) this.#deps.log({ kind: 'unexpected_error', during: 'reading the times of tables', error });
      this.#isBroken = true;
    }
  }

  #tell(noticed: Noticed): void {
    for (const listener of this.#listeners) listener(noticed);
  }

  async #findMoved(): Promise<readonly string[]> {
    const { content, tables, clock } = this.#deps;
    if (content.version !== undefined) {
      const before = this.#version;
      this.#version = content.version();
      return before === this.#version ? [] : tables;
    }
    const before = this.#known;
    this.#known = await readTimes(content, tables);
    const now = clock.elapsed();
    const looksAtBlind = now - this.#blindAt >= blindMs;
    if (looksAtBlind) this.#blindAt = now;
    return tables.filter((name) => {
      const time = this.#known?.get(name);
      if (time === undefined) return looksAtBlind;
      const known = before?.get(name);
      return known?.mark !== time.mark || known.isRecent;
    });
  }
}
