/** Follows the log of the CMS's manager. Actions on resources name them; others may have changed everything. */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { type ManagerLogRow, managerLog } from '../models/changes.js';
import { readDescendants } from '../reading/ancestors.js';
import type { RowChange } from './mutation.js';

/** With more new rows, everything may have changed. */
const mostRows = 200;
const mostResources = 500;
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
/** Classes with all data in this one table; classes of extras may have further tables. */
const plainClass = /^(MODX\\Revolution\\)?mod(Resource|Document|WebLink|SymLink|StaticResource)$/;
/** No answer depends on files and logins. */
const irrelevant = /^(file|directory)_|^(login|logout)(_context)?$/;

export type ManagerChange = readonly RowChange[] | 'everything';

interface ManagerLogDeps {
  readonly content: Reader;
  readonly prefix: string;
}

export class ManagerLog {
  readonly #deps: ManagerLogDeps;
  #end: number | null = null;
  /** Whole rows: after the log was emptied another row may have the same id. */
  #seen: ReadonlySet<string> = new Set();

  constructor(deps: ManagerLogDeps) {
    this.#deps = deps;
  }

  async read(): Promise<ManagerChange> {
    const end = this.#end;
    if (end === null) {
      await this.#startAtEnd();
      return [];
    }
    const rows = await this.#rowsAfter(end - lookBack, lookBack + mostRows + 1);
    const fresh = rows.filter((row) => !this.#seen.has(JSON.stringify(row)));
    // An emptied log counts from 1 again on some servers.
    const isEmptied = rows.length === 0 && end > 0;
    if (isEmptied || fresh.length > mostRows) {
      await this.#startAtEnd();
      return 'everything';
    }
    this.#end = Math.max(end, rows.at(-1)?.id ?? 0);
    this.#seen = new Set(rows.slice(-2 * lookBack).map((row) => JSON.stringify(row)));
    return this.#changesOf(fresh);
  }

  get end(): number {
    return this.#end ?? 0;
  }

  async changedSince(end: number): Promise<ManagerChange> {
    if (end > this.end) return 'everything';
    const rows = await this.#rowsAfter(end - lookBack, lookBack + mostRows + 1);
    return rows.length > lookBack + mostRows ? 'everything' : this.#changesOf(rows);
  }

  async #startAtEnd(): Promise<void> {
    const { content, prefix } = this.#deps;
    const end = (await managerLog.on(content, prefix).max('id')) ?? 0;
    const rows = await this.#rowsAfter(end - lookBack, lookBack);
    this.#seen = new Set(rows.map((row) => JSON.stringify(row)));
    this.#end = end;
  }

  #rowsAfter(id: number, limit: number): Promise<ManagerLogRow[]> {
    const { content, prefix } = this.#deps;
    return managerLog.on(content, prefix).findAll({ where: { id: { [Op.gt]: id } }, order: ['id'], limit });
  }

  async #changesOf(rows: readonly ManagerLogRow[]): Promise<ManagerChange> {
    const relevant = rows.filter(({ action }) => !irrelevant.test(action));
    const named = relevant.map(resourceOf);
    if (named.includes(null)) return 'everything';
    const ids = [...new Set(named.filter((id) => id !== null))];
    if (ids.length === 0) return [];
    // Addresses, contexts and deletions extend to descendants.
    const { content: db, prefix } = this.#deps;
    const below = await readDescendants({ db, prefix }, { ids, most: mostResources });
    if (below === null) return 'everything';
    // Only the keys are known, so every answer that may show the rows counts as changed.
    return [...ids, ...below].map((key) => ({ object: 'resources', key, before: {}, after: {} }));
  }
}

function resourceOf({ action, classKey, item }: ManagerLogRow): number | null {
  const isPlain = resourceActions.has(action) && plainClass.test(classKey);
  return isPlain && /^[1-9]\d{0,9}$/.test(item) ? Number(item) : null;
}
