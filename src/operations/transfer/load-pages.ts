/**
 * Writes the page documents of an export as an editor would: drafts that are published one after the other. Done again, it
 * goes on where it was interrupted.
 */
import { AppError } from '../../errors/app-error.js';
import { saveDraft, withdrawPage } from '../../pages/authoring/change-page.js';
import type { PageAuthoring } from '../../pages/authoring/write-page.js';
import { findPageRows } from '../../pages/models/pages.js';
import type { JsonObject } from '../../values/json.js';
import { readResource } from './members.js';
import { Names } from './names.js';
import type { Problems, TransferRecord } from './read-records.js';

/** `{"resource": {…}, "published": [document, …], "draft": document, "withdrawn": true}`. */
interface PageRecord {
  readonly resource: unknown;
  /** In the order of publishing; empty for a page that was never published. */
  readonly published: readonly unknown[];
  /** Null where the draft is what was published last. */
  readonly draft: unknown;
  /** Whether the page is unpublished at the end. */
  readonly withdrawn: boolean;
}

interface PageLoad {
  readonly records: AsyncIterable<TransferRecord>;
  readonly problems: Problems;
}

/**
 * Gives the number of pages. Each page is written by itself, after all that was wrong with the lines before it was thrown
 * as `refused`.
 */
export async function loadPages(authoring: PageAuthoring, { records, problems }: PageLoad): Promise<number> {
  const { store } = authoring;
  const names = new Names(store.content.primary, store.prefix);
  let count = 0;
  for await (const { at, object, record } of records) {
    const page = object === 'pages' ? readPage(record) : `object ${JSON.stringify(object)} is unknown; known are pages`;
    const resource = typeof page === 'string' ? 0 : await readResource(page.resource, names);
    if (typeof page === 'string') problems.add(at, page);
    else if (typeof resource !== 'number') problems.add(at, `pages.resource: ${resource.problem}`);
    else {
      problems.refuseAny();
      for (const problem of await writePage(authoring, resource, page)) problems.add(at, `pages.${problem}`);
      count += 1;
    }
  }
  problems.refuseAny();
  return count;
}

function readPage(record: JsonObject): PageRecord | string {
  const { resource, published = [], draft = null, withdrawn = false, ...others } = record;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `pages.${unknown}: is unknown; known are resource, published, draft, withdrawn`;
  if (!Array.isArray(published)) return 'pages.published: must be a list of documents';
  if (typeof withdrawn !== 'boolean') return 'pages.withdrawn: must be true or false';
  return { resource, published, draft, withdrawn };
}

/** Gives what is wrong with its documents. */
async function writePage(authoring: PageAuthoring, resource: number, page: PageRecord): Promise<readonly string[]> {
  try {
    await writeDocuments(authoring, resource, page);
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error;
    const fields = Object.entries(error.details.fields ?? {});
    return fields.flatMap(([path, problems]) => problems.map((problem) => `${path}: ${problem}`));
  }
}

async function writeDocuments(
  authoring: PageAuthoring,
  resource: number,
  { published, draft, withdrawn }: PageRecord,
): Promise<void> {
  const [row] = await findPageRows(authoring.store.own.primary, [resource]);
  // Each publication had a draft of its own, so that their numbers tell how far an earlier attempt came.
  for (const document of published.slice(row?.lastPublished ?? 0)) {
    await saveDraft(authoring, { resource, document, expected: null, publish: true });
  }
  if (draft !== null && (row?.revision ?? 0) <= published.length) {
    await saveDraft(authoring, { resource, document: draft, expected: null, publish: false });
  }
  if (withdrawn && (row === undefined || row.isPublished)) await withdrawPage(authoring, resource);
}
