/** Observes where other programs may have changed content: by the log of the CMS's manager, and by the times of tables. */
import { Op } from 'sequelize';
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import type { Reader } from '../../store/base/database.js';
import { isIdText } from '../../values/unsigned.js';
import { type ManagerLogRow, managerLog, readTimes, type TableTime } from '../models/changes.js';
import { isResourceClass } from '../models/elements.js';

/** Milliseconds between two looks at tables without times. */
const blindMs = 10_000;

export interface Noticed {
  /** Tables that may have changed since the last look, perhaps by this program. */
  readonly moved: readonly string[];
  /** One of them has another time. */
  readonly isCertain: boolean;
  readonly logged: readonly LoggedRow[];
}

interface OtherWritersDeps {
  readonly content: Reader;
  readonly prefix: string;
  readonly hasManagerLog: boolean;
  /** With prefix. */
  readonly tables: readonly string[];
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly log: Log;
}

export class OtherWriters {
  readonly #deps: OtherWritersDeps;
  readonly #managerLog: ManagerLog | null;
  #known: ReadonlyMap<string, TableTime> | null = null;
  #version = Number.NaN;
  #blindAt = Number.NEGATIVE_INFINITY;
  readonly #broken = new Set<string>();

  constructor(deps: OtherWritersDeps) {
    this.#deps = deps;
    this.#managerLog = deps.hasManagerLog ? new ManagerLog(deps) : null;
  }

  /** The first look names all tables. What cannot be read is reported once. Throws unavailable. */
  async look(): Promise<Noticed> {
    const nothing = { moved: [], isCertain: false };
    const [times, logged] = await Promise.all([
      this.#attempt('the times of tables', nothing, () => this.#findMoved()),
      this.#attempt("the CMS's log of its manager", [], async () => (await this.#managerLog?.read()) ?? []),
    ]);
    return { ...times, logged };
  }

  async #attempt<Found>(what: string, otherwise: Found, read: () => Promise<Found>): Promise<Found> {
    try {
      const found = await read();
      this.#broken.delete(what);
      return found;
    } catch (error) {
      if (error instanceof AppError && error.kind === 'unavailable') throw error;
      if (!this.#broken.has(what)) this.#deps.log({ kind: 'unexpected_error', during: `reading ${what}`, error });
      this.#broken.add(what);
      return otherwise;
    }
  }

  async #findMoved(): Promise<Pick<Noticed, 'moved' | 'isCertain'>> {
    const { content, tables, clock } = this.#deps;
    if (content.version !== undefined) {
      const before = this.#version;
      this.#version = content.version();
      return { moved: before === this.#version ? [] : tables, isCertain: false };
    }
    const before = this.#known;
    const known = await readTimes(content, tables);
    this.#known = known;
    const now = clock.elapsed();
    const looksAtBlind = now - this.#blindAt >= blindMs;
    if (looksAtBlind) this.#blindAt = now;
    const hasOtherTime = (name: string) => before !== null && before.get(name)?.mark !== known.get(name)?.mark;
    const moved = tables.filter((name) => {
      const former = before?.get(name);
      return known.has(name) ? former === undefined || former.isRecent || hasOtherTime(name) : looksAtBlind;
    });
    return { moved, isCertain: moved.some(hasOtherTime) };
  }
}

/** With more new rows, everything may have changed. */
const mostRows = 200;
/** Ids read again: of two writers the one with the lower id may commit later. */
const lookBack = 20;

const resourceActions: ReadonlySet<string> = new Set([
  'resource_create',
  'resource_update',
  'publish_resource',
  'unpublish_resource',
  'delete_resource',
  'undelete_resource',
]);
/** No answer depends on files and logins; settings and access rules are read with the live state. */
const irrelevant = /^(file|directory|setting|access)_|^(login|logout)(_context)?$/;

/** The id of a changed resource; null: anything may have changed. */
export type LoggedRow = number | null;

/** Follows the log of the CMS's manager, which hints at what may have changed. */
export class ManagerLog {
  readonly #log: ReturnType<typeof managerLog.on>;
  #end: number | null = null;
  /** Whole rows: after the log was emptied another row may have the same id. */
  #seen: ReadonlySet<string> = new Set();

  constructor({ content, prefix }: { readonly content: Reader; readonly prefix: string }) {
    this.#log = managerLog.on(content, prefix);
  }

  async read(): Promise<readonly LoggedRow[]> {
    const isFirst = this.#end === null;
    const end = this.#end ?? (await this.#log.max('id')) ?? 0;
    const where = { id: { [Op.gt]: end - lookBack } };
    const rows = await this.#log.findAll({ where, order: ['id'], limit: lookBack + mostRows + 1 });
    const fresh = isFirst ? [] : rows.filter((row) => !this.#seen.has(JSON.stringify(row)));
    // An emptied log counts from 1 again on some servers.
    const isEmptied = !isFirst && rows.length === 0 && end > 0;
    if (isEmptied || fresh.length > mostRows) {
      this.#end = null;
      await this.read();
      return [null];
    }
    this.#end = Math.max(end, rows.at(-1)?.id ?? 0);
    this.#seen = new Set(rows.slice(-2 * lookBack).map((row) => JSON.stringify(row)));
    return fresh.filter(({ action }) => !irrelevant.test(action)).map(changedBy);
  }
}

function changedBy({ action, classKey, item }: ManagerLogRow): LoggedRow {
  const isOfResource = isResourceClass(classKey) && resourceActions.has(action) && isIdText(item);
  return isOfResource ? Number(item) : null;
}
