/** Writes the audit log in batches, outside every request; a row that cannot be written changes no answer. */
import type { Identity } from '../../access/identity.js';
import type { Clock, Timer } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Database, Tx } from '../../store/base/database.js';
import { hasAuditRow, insertAuditRows, type NewAuditRow } from '../models/audit.js';

/** Without bodies, headers and query strings, so that none of them can be written. */
export interface AuditEntry {
  readonly requestId: string;
  readonly identity: Identity;
  readonly method: string;
  readonly path: string;
  readonly context: string;
  readonly status: number;
  readonly durationMs: number;
}

interface AuditLogDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
}

interface Waiting {
  readonly row: Omit<NewAuditRow, 'age'>;
  /** By the monotonic clock. */
  readonly endedAt: number;
}

/** Milliseconds; with the writing itself they stay within the promised 250. */
const gatherFor = 200;
const retryAfter = 1000;
/** In a long outage of the database the newest rows are lost. */
const mostWaiting = 10_000;
/** Other writers of an embedded database wait for the transaction. */
const mostTogether = 500;

const longestPath = 2048;
const longestIdentity = 190;
const cutMark = '…';
const contextForm = /^[\p{L}\p{N}_.-]{1,64}$/u;
const notShown = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

export class AuditLog {
  readonly #deps: AuditLogDeps;
  #waiting: Waiting[] = [];
  #lost = 0;
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #failing = false;
  #closed = false;

  constructor(deps: AuditLogDeps) {
    this.#deps = deps;
  }

  note(entry: AuditEntry): void {
    if (this.#waiting.length >= mostWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push({ row: rowOf(entry), endedAt: this.#deps.clock.elapsed() });
    this.#schedule(this.#failing ? retryAfter : gatherFor);
  }

  /** Resolves when the rows are written or cannot be written now. Never rejects. */
  flush(): Promise<void> {
    this.#timer?.stop();
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    this.#lost += this.#waiting.length;
    this.#waiting = [];
    this.#reportLost();
  }

  #schedule(ms: number): void {
    if (this.#closed) return;
    this.#timer ??= this.#deps.clock.after(ms, () => void this.flush());
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, mostTogether);
      const outcome = await this.#write(batch);
      if (outcome === 'later') {
        this.#schedule(retryAfter);
        return;
      }
      this.#waiting = this.#waiting.slice(batch.length);
      if (outcome === 'never') this.#lost += batch.length;
    }
    this.#reportLost();
  }

  async #write(batch: readonly Waiting[]): Promise<'written' | 'later' | 'never'> {
    const { own, clock, log } = this.#deps;
    // Computed for each attempt: a repeated attempt is later than the first one.
    const rows = (): NewAuditRow[] =>
      batch.map(({ row, endedAt }) => ({ ...row, age: Math.max(0, Math.round(clock.elapsed() - endedAt)) }));
    // A batch is written as a whole; its first and last row identify it.
    const isThere = async (tx: Tx): Promise<boolean> => {
      const [first, last] = [rows()[0], rows().at(-1)];
      return first !== undefined && last !== undefined && (await hasAuditRow(tx, first)) && hasAuditRow(tx, last);
    };
    const mayBeThere = this.#failing;
    try {
      await own.write(
        async (tx) => {
          if (!mayBeThere || !(await isThere(tx))) await insertAuditRows(tx, rows());
          return true;
        },
        { outcome: async (tx) => ((await isThere(tx)) ? true : undefined) },
      );
      this.#failing = false;
      return 'written';
    } catch (error) {
      // Must not throw: nothing waits for it, and no request depends on it. A lasting failure is reported once.
      if (!this.#failing) log({ kind: 'unexpected_error', during: 'writing the audit log', error });
      this.#failing = true;
      return error instanceof AppError && error.kind === 'unavailable' ? 'later' : 'never';
    }
  }

  #reportLost(): void {
    if (this.#lost === 0) return;
    const error = new Error(`${this.#lost} rows of the audit log were lost`);
    this.#lost = 0;
    this.#deps.log({ kind: 'unexpected_error', during: 'writing the audit log', error });
  }
}

function rowOf({ requestId, identity, method, path, context, status, durationMs }: AuditEntry): Waiting['row'] {
  return {
    requestId,
    identity: cut(identityText(identity), longestIdentity),
    method,
    path: cut(path.replace(notShown, '?'), longestPath),
    // Callers may send any text as a context; what cannot be a key is not written.
    context: contextForm.test(context) ? context : '',
    status,
    durationMs: Math.max(0, Math.round(durationMs)),
  };
}

function identityText(identity: Identity): string {
  return identity.kind === 'anonymous' ? 'anonymous' : `${identity.kind}:${identity.id}`;
}

function cut(text: string, longest: number): string {
  const characters = text.length <= longest ? [] : [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}${cutMark}`;
}
