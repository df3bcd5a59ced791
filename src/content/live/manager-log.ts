/** Follows the log of the CMS's manager, which hints at what may have changed. */
import { Op } from 'sequelize';
import type { Reader } from '../../store/base/database.js';
import { isIdText } from '../../values/unsigned.js';
import { type ManagerLogRow, managerLog } from '../models/changes.js';
import { isResourceClass } from '../models/elements.js';

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
