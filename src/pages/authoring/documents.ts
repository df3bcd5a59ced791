/** Reads documents of the store, and the sections that a page has already. */

import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { parseJson } from '../../values/json.js';
import { findPublished } from '../models/page-revisions.js';
import { findDraft, type PageRow } from '../models/pages.js';
import type { PageDocument } from '../rules/page-document.js';
import { formatPageProblem, type PageReading } from '../rules/page-problem.js';
import { readStoredDocument } from '../rules/read-page-document.js';

export function readStoredText(text: string): PageReading<PageDocument> {
  const given = parseJson(text);
  if (given === undefined) return { value: null, problems: [{ path: '', message: 'it is not JSON' }] };
  return readStoredDocument(given);
}

/** `name` says in refusals whose document it is. Throws refused when it is damaged. */
export function parseStoredDocument(text: string, name: string): PageDocument {
  const { value, problems } = readStoredText(text);
  if (value) return value;
  const [first] = problems;
  const why = first === undefined ? '' : `: ${formatPageProblem(first)}`;
  throw new AppError('refused', { message: `${name} is damaged${why}` });
}

/** Present sections keep their ids, and may stay where new ones of their type may not be put. */
interface PresentSections {
  /** Null without a draft, or with a damaged one: a good draft must be able to replace it. */
  readonly earlier: PageDocument | null;
  /** Of the draft and of the last publication, trash included. */
  readonly presentIds: ReadonlySet<string>;
}

export async function readPresent(reader: Reader, page: PageRow | null): Promise<PresentSections> {
  if (page === null || page.revision === 0) return { earlier: null, presentIds: new Set() };
  const { resource, lastPublished: revision } = page;
  const earlier = documentOf(await findDraft(reader, resource));
  // A draft that is published as it is has the same sections.
  const isSame = page.lastPublished === 0 || page.publishedDraft === page.revision;
  const published = isSame ? null : documentOf(await findPublished(reader, { resource, revision }));
  const sections = [earlier, published].flatMap((one) => (one ? [...one.sections, ...one.trash] : []));
  return { earlier, presentIds: new Set(sections.map(({ id }) => id)) };
}

function documentOf(text: string | null): PageDocument | null {
  return text === null ? null : readStoredText(text).value;
}
