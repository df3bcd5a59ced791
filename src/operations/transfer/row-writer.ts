/** Inserts rows many at a time. */
import { AppError } from '../../errors/app-error.js';
import type { Param, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Values } from './members.js';

const most = { rows: 32, characters: 1_000_000 };

interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly params: Param[];
  readonly from: string;
  to: string;
  rows: number;
  characters: number;
}

export class RowWriter {
  readonly #tx: Tx;
  readonly #batches = new Map<string, Batch>();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** `table` is the real name. The row is there after the next `flush`. */
  async insert(table: string, values: Values, at: string): Promise<void> {
    const columns = Object.keys(values);
    const key = `${table} ${columns.join(' ')}`;
    const batch = this.#batches.get(key) ?? { table, columns, params: [], from: at, to: at, rows: 0, characters: 0 };
    this.#batches.set(key, batch);
    for (const column of columns) {
      const param = values[column] ?? null;
      batch.params.push(param);
      if (typeof param === 'string') batch.characters += param.length;
    }
    batch.rows += 1;
    batch.to = at;
    if (batch.rows < most.rows && batch.characters < most.characters) return;
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
    const { columns, rows } = batch;
    for (let done = 0; done < rows; ) {
      const some = 2 ** Math.floor(Math.log2(rows - done));
      const params = batch.params.slice(done * columns.length, (done + some) * columns.length);
      await this.#insert({ ...batch, rows: some, params });
      done += some;
    }
  }

  async #insert({ table, columns, params, rows, from, to }: Batch): Promise<void> {
    const { quote } = dialectOf(this.#tx.dialect);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
    try {
      await this.#tx.run({ sql, params });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      const lines = from === to ? from : `${from} to ${to}`;
      throw new AppError('conflict', { message: `${lines}: two rows of ${table} would be the same`, cause: error });
    }
  }
}
