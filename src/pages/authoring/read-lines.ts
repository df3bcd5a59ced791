/** Splits bytes into lines while they come, so that a file of any size takes the memory of one line. */
import type { InputLine } from './import-pages.js';

/** A document may have two million characters, and a character up to six bytes as `\u00e4`. */
const mostBytes = 16_000_000;
const lineFeed = 0x0a;

/** Lines counted from 1, without their ends; `onBytes` hears how much was read. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<InputLine> {
  let number = 1;
  let line = new LineBytes();
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
      line.add(chunk.subarray(from, end));
      yield line.end(number);
      number += 1;
      line = new LineBytes();
      from = end + 1;
    }
    line.add(chunk.subarray(from));
  }
  yield line.end(number);
}

class LineBytes {
  readonly #parts: Uint8Array[] = [];
  #length = 0;

  /** The rest of a line that is too long is passed over. */
  add(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length <= mostBytes) this.#parts.push(part);
    else this.#parts.length = 0;
  }

  end(number: number): InputLine {
    if (this.#length > mostBytes) return { number, text: null, problem: `is longer than ${mostBytes} bytes` };
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#parts));
      return { number, text };
    } catch {
      return { number, text: null, problem: 'is not UTF-8 text' };
    }
  }
}
