/** Published documents, by number and time: a database restored to an earlier state shows nothing of the later one. */
import { AppError } from '../../errors/app-error.js';
import type { Reader } from '../../store/base/database.js';
import { joined } from '../../values/joined.js';
import { parseJson } from '../../values/json.js';
import { ByteLru } from '../../values/kept-values.js';
import { findPublished } from '../models/page-revisions.js';
import type { PageDocument, PageSection } from '../rules/page-document.js';
import { formatPageProblem } from '../rules/page-problem.js';
import { isConditional } from '../rules/section-settings.js';
import type { FoundPage } from './find-page.js';

/** Of a publication, or of a draft for previews. */
export interface DeliveredPage {
  readonly key: string;
  readonly resource: number;
  readonly revision: number;
  readonly document: PageDocument;
  /** Sections that not every request sees. */
  readonly conditional: readonly PageSection[];
}

/** For each memory: documents, and answers with them. */
export const pageMemoryBytes = 24 * 1024 * 1024;
export const valueOverhead = 500;
/** Bytes as objects for each character of its text. */
const perCharacter = 3;

export function publishedPages(own: { readonly primary: Reader }): (found: FoundPage) => Promise<DeliveredPage> {
  const documents = new ByteLru<DeliveredPage>(pageMemoryBytes);
  const read = joined(async (key: string, { facts, publishedRevision: revision }: FoundPage) => {
    const resource = facts.id;
    const text = await findPublished(own.primary, { resource, revision });
    if (text === null) throw broken(`page ${resource}, revision ${revision}: its document is missing`);
    const page = await readDelivered(text, { key, resource, revision });
    documents.set(key, page, text.length * perCharacter + valueOverhead);
    return page;
  });
  return async (found) => {
    const key = `${found.facts.id}:${found.publishedRevision}:${found.publishedOn ?? ''}`;
    return documents.get(key) ?? read(key, found);
  };
}

/** Throws internal_error where the document is damaged. */
export async function readDelivered(
  text: string,
  { key, resource, revision }: Pick<DeliveredPage, 'key' | 'resource' | 'revision'>,
): Promise<DeliveredPage> {
  // Loaded late: it brings the parser of HTML.
  const { readStoredDocument } = await import('../rules/read-page-document.js');
  const { value, problems } = readStoredDocument(parseJson(text));
  if (value === null) {
    throw broken(`page ${resource}, revision ${revision}: ${problems.map(formatPageProblem).join('; ')}`);
  }
  // Trash and disabled sections are never delivered (docs/pages.md#one-page), so they are not kept.
  const sections = value.sections.filter(({ enabled }) => enabled);
  const document = { ...value, sections, trash: [] };
  return { key, resource, revision, document, conditional: sections.filter(isConditional) };
}

function broken(why: string): AppError {
  return new AppError('internal_error', { cause: new Error(why) });
}
