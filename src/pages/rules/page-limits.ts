/** Bounds of page documents and section types, which readers enforce, so that later code need not check sizes. */

import { readerLimits } from '../../values/reading.js';

export const pageLimits = Object.freeze({
  ...readerLimits,
  sections: 1000,
  documentCharacters: 2_000_000,
  /** Lists and objects inside one another in `data`. */
  dataDepth: 12,
  longTextCharacters: 50_000,
  htmlCharacters: 200_000,
  /** Values of one visibility rule, and rules of one section. */
  rules: 50,
  templateCharacters: 50_000,
  fields: 200,
  /** Repeaters inside one another. */
  fieldDepth: 4,
});
