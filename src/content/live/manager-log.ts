/**
 * Follows what editors do in the CMS's manager beside this program: each new row of its log says what may have changed.
 * Resources that are saved, published, removed or restored are named with what lies below them; any other action may
 * have changed everything, except those that change no content.
 */
import type { Reader } from '../../store/base/database.js';
import { type ManagerLogRow, readManagerLog, readManagerLogEnd } from '../rows/manager-log.js';
import { readIdsBelow } from '../rows/resources-below.js';
import type { RowChange } from './mutation.js';

/** More new rows at once than these: everything may have changed. */
const mostRows = 200;
/** Resources that are named one by one. */
const mostResources = 500;
/** Ids before the newest one that are looked at again: of two writers the one with the lower id may commit later. */
const lookBack = 20;

/** What the CMS's own processors for resources write. */
const resourceActions: ReadonlySet<string> = new Set([
  'resource_create',
  'resource_update',
  'publish_resource',
  'unpublish_resource',
  'delete_resource',
  'undelete_resource',
]);
/** Classes whose rows are in no other table; those of extras bring tables of their own. */
const plainClass = /^(MODX\\Revolution\\)?mod(Resource|Document|WebLink|SymLink|StaticResource)$/;
/** Files, and comings and goings: no answer has anything of them. */
const irrelevant = /^(file|directory)_|^(login|logout)(_context)?$/;

export type ManagerChange = readonly RowChange[] | 'everything';

export interface ManagerLogDeps {
  /** The primary of the content store. */
  readonly content: Reader;
  readonly prefix: string;
}

export class ManagerLog {
  readonly #deps: ManagerLogDeps;
  /** Id of the newest row that is known; null before the first reading. */
  #end: number | null = null;
  /** Rows that have been read, of the last ids. */
  #seen: ReadonlySet<string> = new Set();

  constructor(deps: ManagerLogDeps) {
    this.#deps = deps;
  }

  /** What the rows since the last reading may have changed. The first reading only finds the end of the log. */
  async read(): Promise<ManagerChange> {
    const { content, prefix } = this.#deps;
    const end = this.#end;
    if (end === null) {
      await this.#startAt(await readManagerLogEnd(content, prefix));
      return [];
    }
    const rows = await readManagerLog(content, prefix, { after: end - lookBack, limit: lookBack + mostRows + 1 });
    const fresh = rows.filter(({ text }) => !this.#seen.has(text));
    // An emptied log counts from 1 again on some servers.
    const isEmptied = rows.length === 0 && end > 0;
    if (isEmptied || fresh.length > mostRows) {
      await this.#startAt(await readManagerLogEnd(content, prefix));
      return 'everything';
    }
    this.#end = Math.max(end, rows.at(-1)?.id ?? 0);
    this.#seen = new Set(rows.slice(-2 * lookBack).map(({ text }) => text));
    return this.#changesOf(fresh);
  }

  async #startAt(end: number): Promise<void> {
    const { content, prefix } = this.#deps;
    const rows = await readManagerLog(content, prefix, { after: end - lookBack, limit: lookBack });
    this.#seen = new Set(rows.map(({ text }) => text));
    this.#end = end;
  }

  async #changesOf(rows: readonly ManagerLogRow[]): Promise<ManagerChange> {
    const relevant = rows.filter(({ action }) => !irrelevant.test(action));
    const named = relevant.map(resourceOf);
    if (named.includes(null)) return 'everything';
    const ids = [...new Set(named.filter((id) => id !== null))];
    if (ids.length === 0) return [];
    // Addresses, contexts and deletions are handed down.
    const { content, prefix } = this.#deps;
    const below = await readIdsBelow(content, prefix, { ids, most: mostResources });
    if (below === null) return 'everything';
    // Nothing is known of the rows but their keys, so that whatever may show them counts as changed.
    return [...ids, ...below].map((key) => ({ object: 'resources', key, before: {}, after: {} }));
  }
}

/** The resource that a row names; null where it names none. */
function resourceOf({ action, classKey, item }: ManagerLogRow): number | null {
  const isPlain = resourceActions.has(action) && plainClass.test(classKey);
  return isPlain && /^[1-9]\d{0,9}$/.test(item) ? Number(item) : null;
}
