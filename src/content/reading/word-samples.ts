/** A sample of the index of words, by which searches decide how to look for common words. */
import type { Reader } from '../../store/base/database.js';
import { readSearchSample } from '../models/search-index.js';
import { type WordSample, wordSample } from '../rules/common-words.js';

const lifetime = 30_000;

export class WordSamples {
  readonly #now: () => number;
  #readAt = Number.NEGATIVE_INFINITY;
  #sample: Promise<WordSample | null> = Promise.resolve(null);

  constructor(now: () => number) {
    this.#now = now;
  }

  get(index: Reader): Promise<WordSample | null> {
    if (this.#now() - this.#readAt < lifetime) return this.#sample;
    this.#readAt = this.#now();
    this.#sample = readSearchSample(index).then((rows) => (rows === null ? null : wordSample(rows)));
    // The callers get the failure; the next one reads again.
    this.#sample.catch(() => {
      this.#readAt = Number.NEGATIVE_INFINITY;
    });
    return this.#sample;
  }
}
