/** Inserts rows many at a time. */
import type { Param, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Values } from './members.js';
import { atLines, type Line } from './transfer-record.js';

const most = { rows: 32, characters: 1_000_000 };

interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly params: Param[];
  readonly lines: Line[];
  characters: number;
}

export class RowWriter {
  readonly #tx: Tx;
  readonly #batches = new Map<string, Batch>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** `table` is the real name. The row is there after the next `flush`. */
  async insert(table: string, values: Values, line: Line): Promise<void> {
    const columns = Object.keys(values);
    const key = `${table} ${columns.join(' ')}`;
    const batch = this.#batches.get(key) ?? { table, columns, params: [], lines: [], characters: 0 };
    this.#batches.set(key, batch);
    for (const column of columns) {
      const param = values[column] ?? null;
      batch.params.push(param);
      if (typeof param === 'string') batch.characters += param.length;
    }
    batch.lines.push(line);
    if (batch.lines.length < most.rows && batch.characters < most.characters) return;
    this.#batches.delete(key);
    await this.#write(batch);
  }

  async flush(): Promise<void> {
    const batches = [...this.#batches.values()];
    this.#batches.clear();
    for (const batch of batches) await this.#write(batch);
  }

  /** Powers of two of rows in a statement, so that databases prepare few different ones. */
  async #write(batch: Batch): Promise<void> {
    const { columns, lines } = batch;
    for (let done = 0; done < lines.length; ) {
      const some = 2 ** Math.floor(Math.log2(lines.length - done));
      const params = batch.params.slice(done * columns.length, (done + some) * columns.length);
      await this.#insert({ ...batch, lines: lines.slice(done, done + some), params });
      done += some;
    }
  }

  async #insert({ table, columns, params, lines }: Batch): Promise<void> {
    const { quote } = dialectOf(this.#tx.dialect);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES ${lines.map(() => row).join(', ')}`;
    try {
      await this.#tx.run({ sql, params });
    } catch (error) {
      throw atLines(error, lines, { conflict: `two rows of ${table} would be the same` });
    }
  }
}
