/** Starts the thread that executes statements on its own connection, and reads what it posts. */
import { Worker } from 'node:worker_threads';
import type { RawRow, WriteResult } from '../base/database.js';
import { narrowIntegers, type SqliteDriver, SqliteFailure } from './driver.js';
import { sqliteCodeName } from './node-driver.js';

/** Which library opens which file. */
export interface ThreadFile {
  readonly driver: Pick<SqliteDriver, 'name' | 'keepsNul'>;
  readonly path: string;
}

interface ThreadOptions extends ThreadFile {
  readonly name: string;
  readonly writes: boolean;
  readonly pragmas: readonly string[];
}

/** What became of one statement. */
export type ThreadAnswer =
  | { readonly id: number; readonly rows: RawRow[] }
  | ({ readonly id: number } & WriteResult)
  | { readonly id: number; readonly error: Error };

export function startThread({ name, driver, path, writes, pragmas }: ThreadOptions): Worker {
  return new Worker(new URL('./statement-thread.js', import.meta.url), {
    name,
    execArgv: [],
    workerData: { driver: driver.name, keepsNul: driver.keepsNul, path, writes, pragmas },
  });
}

/** Undefined for a message that is not an answer. */
export function readAnswer(message: unknown): ThreadAnswer | undefined {
  if (typeof message !== 'object' || message === null || !('id' in message)) return undefined;
  const id = Number(message.id);
  if ('rows' in message) return { id, rows: narrowIntegers(toRawRows(message.rows)) };
  if ('changes' in message && 'lastId' in message) {
    return { id, changes: Number(message.changes), lastId: Number(message.lastId) };
  }
  return { id, error: toFailure(message) };
}

/** Cloning made plain byte arrays of the blobs. */
function toRawRows(rows: unknown): RawRow[] {
  const list = rows as (string | number | bigint | null | Uint8Array)[][];
  return list.map((row) => row.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)));
}

function toFailure(answer: object): Error {
  const error = new Error('message' in answer ? String(answer.message) : 'unknown failure');
  if ('code' in answer && typeof answer.code === 'string' && answer.code.startsWith('SQLITE_')) {
    return new SqliteFailure(answer.code, error);
  }
  if ('number' in answer && typeof answer.number === 'number') {
    return new SqliteFailure(sqliteCodeName(answer.number), error);
  }
  return error;
}
