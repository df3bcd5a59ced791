/** Inserts rows many at a time. */
import type { Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import { partsOf } from '../../values/batches.js';
import type { Values } from './members.js';
import { atLines, type Line } from './transfer-record.js';

const mostTogether = 32;

interface Waiting {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: { readonly values: Values; readonly line: Line }[];
}

export class RowWriter {
  readonly #tx: Tx;
  readonly #waiting = new Map<string, Waiting>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** `table` is the real name. The row is there after the next `flush`, which each batch of records ends with. */
  insert(table: string, values: Values, line: Line): void {
    const columns = Object.keys(values);
    const key = `${table} ${columns.join(' ')}`;
    const waiting = this.#waiting.get(key) ?? { table, columns, rows: [] };
    this.#waiting.set(key, waiting);
    waiting.rows.push({ values, line });
  }

  async flush(): Promise<void> {
    for (const waiting of this.#waiting.values())
      for (const rows of partsOf(waiting.rows, mostTogether)) await this.#write(waiting, rows);
    this.#waiting.clear();
  }

  async #write({ table, columns }: Waiting, rows: Readonly<Waiting['rows']>): Promise<void> {
    const { quote } = dialectOf(this.#tx.dialect);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES ${rows.map(() => row).join(', ')}`;
    const params = rows.flatMap(({ values }) => columns.map((column) => values[column] ?? null));
    try {
      await this.#tx.run({ sql, params });
    } catch (error) {
      const lines = rows.map(({ line }) => line);
      throw atLines(error, lines, { conflict: `two rows of ${table} would be the same` });
    }
  }
}
