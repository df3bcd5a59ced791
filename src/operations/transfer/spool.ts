/** Records that wait for what they refer to, in a temporary file: however many they are, memory stays the same. */
import { createReadStream } from 'node:fs';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JsonObject } from '../../values/json.js';

export interface Waiting {
  readonly line: number;
  readonly at: string;
  readonly object: string;
  readonly record: JsonObject;
  /** By member that waits. */
  readonly columns: Readonly<Record<string, number>>;
  /** It is written so far, and counted. */
  readonly isCounted: boolean;
}

export class Spool {
  #folder: string | undefined;
  #files = 0;
  #size = 0;

  /** Records since the last `take`. */
  get size(): number {
    return this.#size;
  }

  async add(records: readonly Waiting[]): Promise<void> {
    if (records.length === 0) return;
    this.#folder ??= await mkdtemp(join(tmpdir(), 'hcd-import-'));
    this.#size += records.length;
    await appendFile(this.#path(), records.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 });
  }

  /** The records so far, in their order; what is added from now on comes with the next call. */
  async *take(): AsyncGenerator<Waiting> {
    const path = this.#path();
    this.#files += 1;
    this.#size = 0;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      // This program wrote the line.
      yield JSON.parse(line) as Waiting;
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
