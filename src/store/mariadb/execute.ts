/** Executes prepared statements on a MariaDB connection, with values in the form of SQLite's. */
import type { Connection, FieldInfo, QueryOptions } from 'mariadb';
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { RawRow, RawValue, Statement, WriteResult } from '../base/database.js';
import type { MariadbModule } from './driver-module.js';

/** Plain values, without Sequelize's dates, parsed JSON and booleans. */
const form = {
  typeCast: undefined,
  rowsAsArray: true,
  dateStrings: true,
  autoJsonMap: false,
  jsonStrings: true,
  bitOneIsBoolean: false,
  bigIntAsNumber: false,
  supportBigNumbers: false,
  decimalAsNumber: false,
  insertIdAsNumber: false,
} as unknown as Omit<QueryOptions, 'sql'>;

/** Heavy statements are not prepared: MariaDB 10.11 executes a prepared COUNT(*) again as a full table scan. */
export async function executeRows(connection: Connection, statement: Statement): Promise<RawRow[]> {
  const result = await ask(connection, statement);
  return Array.isArray(result) ? toRows(result) : [];
}

async function ask(connection: Connection, { sql, params, heavy = false }: Statement): Promise<unknown> {
  const question = { sql, ...form };
  return heavy === false ? connection.execute(question, [...params]) : connection.query(question, [...params]);
}

/** MariaDB's limit is in a comment that only it reads, MySQL's in a hint behind the first word. */
export function limitedText(sql: string, milliseconds: number): string {
  const hinted = sql.replace(
    /^\s*SELECT\b/i,
    (word) => `${word} /*+ MAX_EXECUTION_TIME(${Math.ceil(milliseconds)}) */`,
  );
  return `/*M!100300 SET STATEMENT max_statement_time=${(milliseconds / 1000).toFixed(3)} FOR */ ${hinted}`;
}

/** Rows that already held the new values do not count. */
export async function executeChange(connection: Connection, statement: Statement): Promise<WriteResult> {
  const result = await ask(connection, statement);
  if (typeof result !== 'object' || result === null || !('affectedRows' in result)) return { changes: 0, lastId: 0 };
  return { changes: Number(result.affectedRows), lastId: 'insertId' in result ? Number(result.insertId ?? 0) : 0 };
}

function toRows(result: unknown[]): RawRow[] {
  const rows = result as RawValue[][];
  const meta = 'meta' in result ? (result.meta as FieldInfo[]) : [];
  meta.forEach((column, at) => {
    const convert = converter(column);
    if (convert === undefined) return;
    for (const row of rows) row[at] = convert(row[at] ?? null);
  });
  return rows;
}

function converter(column: FieldInfo): ((value: RawValue | readonly string[]) => RawValue) | undefined {
  if (column.type === 'BIGINT') return (value) => (typeof value === 'bigint' ? narrow(value) : plain(value));
  if (column.type === 'DECIMAL' || column.type === 'NEWDECIMAL') {
    return (value) => {
      if (typeof value !== 'string') return plain(value);
      return column.scale === 0 ? narrow(BigInt(value)) : Number(value);
    };
  }
  if (column.isSet()) return (value) => (Array.isArray(value) ? value.join(',') : plain(value));
  return undefined;
}

function narrow(value: bigint): number | bigint {
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

function plain(value: RawValue | readonly string[]): RawValue {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? value.join(',') : value;
}

/** Sequelize types its connections as plain objects. */
export function toConnection(connection: unknown): Connection {
  return connection as Connection;
}

interface SilentParts {
  readonly driver: Pick<MariadbModule, 'cut'>;
  /** Milliseconds; 0 = without limit. */
  readonly answer: number;
}

/** Cuts the connections on which the server has not answered in time. */
export class SilentConnections {
  readonly #parts: SilentParts;
  /** Null when nothing runs. Entries stay, because deleting them grows tables all the time. */
  readonly #running = new Map<Connection, number | null>();
  readonly #cut = new WeakSet<Connection>();

  constructor(parts: SilentParts) {
    this.#parts = parts;
  }

  begins(connection: Connection): void {
    this.#running.set(connection, systemClock.elapsed());
  }

  ends(connection: Connection): void {
    this.#running.set(connection, null);
  }

  async run<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
    this.begins(connection);
    try {
      return await work();
    } catch (error) {
      // The driver reports a cut socket like any other that broke, but the server would hang the next time too.
      if (this.#cut.has(connection)) throw new AppError('unavailable', { details: { retryAfter: 5 }, cause: error });
      throw error;
    } finally {
      this.ends(connection);
    }
  }

  cutSilent(): void {
    const { answer, driver } = this.#parts;
    const latest = answer > 0 ? systemClock.elapsed() - answer : Number.NEGATIVE_INFINITY;
    for (const [connection, started] of this.#running) {
      if (started !== null && started >= latest) continue;
      this.#running.delete(connection);
      if (started === null) continue;
      this.#cut.add(connection);
      driver.cut(connection);
    }
  }
}
