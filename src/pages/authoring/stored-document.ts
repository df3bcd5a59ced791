/** Documents as the store has them, read back; damage is told as such. */

import { AppError } from '../../errors/app-error.js';
import { parseJson } from '../../values/json.js';
import type { PageDocument } from '../rules/page-document.js';
import { formatPageProblem, type PageReading } from '../rules/page-problem.js';
import { readStoredDocument } from '../rules/read-page-document.js';

/** The document of a stored text, or what is wrong with it. */
export function readStoredText(text: string): PageReading<PageDocument> {
  const given = parseJson(text);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'it is no JSON' }] };
  return readStoredDocument(given);
}

/** `name` says in refusals whose document it is. Throws refused when it cannot be read any more. */
export function parseStoredDocument(text: string, name: string): PageDocument {
  const { value, problems } = readStoredText(text);
  if (value) return value;
  const [first] = problems;
  const why = first === undefined ? '' : `: ${formatPageProblem(first)}`;
  throw new AppError('refused', { message: `${name} is damaged${why}` });
}
