/** Reads one definition file into its words, with every problem that shows without a database. */

import { readJsonTree } from '../../values/json-tree.js';
import { checkWords } from './check-words.js';
import { type Checked, problemOf } from './object-problem.js';
import type { ObjectWords } from './object-words.js';
import { readObjectWords } from './read-words.js';

/** Characters of a definition; the largest real one is a few thousand. */
const maxCharacters = 1_000_000;

/** The words in `text`; null with at least one problem. `fileName` is what problems name. */
export function parseObjectFile(text: string, fileName: string): Checked<ObjectWords> {
  if (text.length > maxCharacters) {
    return { value: null, problems: [problemOf(fileName, `is longer than ${maxCharacters} characters`)] };
  }
  const document = readJsonTree(text, fileName);
  if (!document.value) return { value: null, problems: document.problems };
  const words = readObjectWords(document.value);
  const problems = [...document.problems, ...words.problems, ...(words.value ? checkWords(words.value) : [])];
  return { value: problems.length > 0 ? null : words.value, problems };
}
