/**
 * Statements about deliveries by a list of their ids: few different lengths, so that few texts are kept prepared, and
 * always by way of the ids.
 */
import type { DialectName } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';

interface IdList {
  /** Placeholders for `IN (…)`. */
  readonly marks: string;
  readonly params: readonly number[];
}

/** The ids and, up to the next power of two, the last one again: a list says the same however often it names a row. */
export function idList(ids: readonly number[]): IdList {
  const last = ids.at(-1);
  if (last === undefined) throw new TypeError('a list of ids must not be empty');
  const params = [...ids, ...Array.from({ length: paddedLength(ids.length) - ids.length }, () => last)];
  return { marks: params.map(() => '?').join(', '), params };
}

/** The next power of two. */
export function paddedLength(length: number): number {
  return 2 ** Math.ceil(Math.log2(length));
}

/**
 * Text behind the name of the table in SELECT and UPDATE. From eleven ids on SQLite would rather walk along all that are
 * open, which may be a million; MariaDB may walk along a small table, and wait for rows of other workers and they for ours.
 */
export function byIds(dialect: DialectName): string {
  return dialect === 'sqlite' ? ' NOT INDEXED' : dialectOf(dialect).orderHint('PRIMARY');
}

/** The same for statements that name states: by way of the index that begins with them, whatever statistics say. */
export function byStatus(dialect: DialectName): string {
  return dialect === 'sqlite' ? ' INDEXED BY `hcd_webhook_deliveries_due`' : dialectOf(dialect).orderHint('due');
}
