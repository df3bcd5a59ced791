/** Values in a temporary file, as JSON, so that memory stays the same. */
import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AppError } from '../../errors/app-error.js';

const batchSize = 100;

export class Spool<T extends object> {
  #folder: string | undefined;
  #files = 0;
  #size = 0;
  #waiting: string[] = [];

  get size(): number {
    return this.#size;
  }

  async add(...values: readonly T[]): Promise<void> {
    this.#size += values.length;
    for (const one of values) this.#waiting.push(`${JSON.stringify(one)}\n`);
    if (this.#waiting.length >= batchSize) await this.#write();
  }

  async #write(): Promise<void> {
    try {
      this.#folder ??= await mkdtemp(join(tmpdir(), 'hcd-import-'));
      await appendFile(this.#path(), this.#waiting.join(''), { mode: 0o600 });
      this.#waiting = [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new AppError('refused', { message: `Temporary files (TMPDIR) cannot be written: ${reason}`, cause: error });
    }
  }

  /** In their order; what is added from now on comes with the next call. */
  async *take(): AsyncGenerator<T> {
    if (this.#size === 0) return;
    await this.#write();
    const path = this.#path();
    this.#files += 1;
    this.#size = 0;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      // This program wrote the line.
      yield JSON.parse(line) as T;
    }
    await rm(path);
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }

  #path(): string {
    return join(this.#folder ?? '', `${this.#files}.ndjson`);
  }
}
