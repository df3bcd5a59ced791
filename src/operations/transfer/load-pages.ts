/**
 * Writes the page documents of an export as an editor would: drafts that are published one after the other. Done again, it
 * goes on where it was interrupted.
 */
import { saveDraft, withdrawPage } from '../../pages/authoring/change-page.js';
import type { PageAuthoring } from '../../pages/authoring/write-page.js';
import { findPageRows } from '../../pages/models/pages.js';
import type { JsonObject } from '../../values/json.js';
import { readResource } from './members.js';
import { Names, WrongValue } from './names.js';
import { fieldProblems, type Problems, type TransferRecord } from './read-records.js';

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

/** Gives the number of pages. Each page is written separately, once the lines before it are known to be right. */
export async function loadPages(authoring: PageAuthoring, { records, problems }: PageLoad): Promise<number> {
  const { store } = authoring;
  const names = new Names(store.content.primary, store.prefix);
  let count = 0;
  for await (const { at, object, record } of records) {
    const page = object === 'pages' ? readPage(record) : `object ${JSON.stringify(object)} is unknown; known are pages`;
    if (typeof page === 'string') {
      problems.add(at, page);
      continue;
    }
    try {
      const resource = await readResource(page.resource, names);
      problems.refuseAny();
      await writeDocuments(authoring, resource, page);
    } catch (error) {
      if (error instanceof WrongValue) problems.add(at, `pages.resource: ${error.message}`);
      else for (const problem of fieldProblems(error)) problems.add(at, `pages.${problem}`);
    }
    count += 1;
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
