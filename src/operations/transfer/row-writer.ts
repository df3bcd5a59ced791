/** Writes many rows with few statements. */
import { AppError } from '../../errors/app-error.js';
import type { Param, Tx } from '../../store/base/database.js';
import { dialectOf } from '../../store/base/dialect.js';
import type { Values } from './record-kind.js';

/** Rows and characters of one statement. */
const most = { rows: 50, characters: 1_000_000 };

interface Batch {
  readonly table: string;
  readonly columns: readonly string[];
  readonly params: Param[];
  /** The line of its first row. */
  readonly from: string;
  to: string;
  rows: number;
  characters: number;
}

export class RowWriter {
  readonly #tx: Tx;
  readonly #prefix: string;
  readonly #batches = new Map<string, Batch>();

  constructor(tx: Tx, prefix: string) {
    this.#tx = tx;
    this.#prefix = prefix;
  }

  /** The row of a line; it is there after the next `flush`. */
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

  /** A row with the same values in the columns of the key is changed instead. */
  async upsert(table: string, values: Values, key: readonly string[]): Promise<void> {
    const columns = Object.keys(values);
    const update = columns.filter((column) => !key.includes(column));
    const sql = dialectOf(this.#tx.dialect).upsert({ table: `${this.#prefix}${table}`, columns, key, update });
    await this.#tx.run({ sql, params: Object.values(values) });
  }

  async flush(): Promise<void> {
    const batches = [...this.#batches.values()];
    this.#batches.clear();
    for (const batch of batches) await this.#write(batch);
  }

  async #write({ table, columns, params, rows, from, to }: Batch): Promise<void> {
    const { quote } = dialectOf(this.#tx.dialect);
    const row = `(${columns.map(() => '?').join(', ')})`;
    const sql = `INSERT INTO ${quote(`${this.#prefix}${table}`)} (${columns.map(quote).join(', ')}) VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
    try {
      await this.#tx.run({ sql, params });
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
      const lines = from === to ? from : `${from} to ${to}`;
      throw new AppError('refused', { message: `${lines}: two rows of ${table} would be the same`, cause: error });
    }
  }
}
