/**
 * Observes what other programs may have changed: what the CMS's manager logs, and commits of any program to the tables
 * that content depends on, by the times that the database keeps of them.
 */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import type { ManagerChange } from './manager-log.js';

/** Milliseconds between two looks at tables without times. */
const blindMs = 10_000;
/** They keep the time of their last change. */
const timedEngines: ReadonlySet<string> = new Set(['INNODB', 'MYISAM']);

export interface Noticed {
  /** With prefix: tables that may have changed since the last look, perhaps by this program. */
  readonly moved: readonly string[];
  /** Rows that the CMS's manager has logged; they are told to listeners of changes already. */
  readonly logged: ManagerChange;
}

interface TableTime {
  readonly mark: string;
  /** A further change may have happened in the same second. */
  readonly isRecent: boolean;
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

/** By name; tables without a time, and those that the user of the database may not see, are left out. */
async function readTimes(reader: Reader, tables: readonly string[]): Promise<ReadonlyMap<string, TableTime>> {
  const marks = tables.map(() => '?').join(', ');
  const rows = await reader.select({
    sql: `SELECT TABLE_NAME, ENGINE, UNIX_TIMESTAMP(CREATE_TIME), UNIX_TIMESTAMP(UPDATE_TIME), UNIX_TIMESTAMP()
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${marks})`,
    params: tables,
  });
  const times = new Map<string, TableTime>();
  for (const [name, engine, made, changed, now] of rows) {
    if (!timedEngines.has(String(engine).toUpperCase())) continue;
    // The server forgets the time when it restarts; that counts as a change.
    times.set(String(name), { mark: `${made} ${changed}`, isRecent: Number(changed) >= Number(now) });
  }
  return times;
}
