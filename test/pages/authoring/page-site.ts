/** A migrated store with a few resources, for tests of writing pages; and documents without the rest of their form. */
import { onTestFinished } from 'vitest';
import { type SavedDraft, saveDraft } from '../../../src/pages/authoring/change-page.js';
import { type ImportReport, type InputLine, importPages } from '../../../src/pages/authoring/import-pages.js';
import type { PageAuthoring } from '../../../src/pages/authoring/write-page.js';
import type { RawRow, RawValue } from '../../../src/store/base/database.js';
import { openStore, type Store } from '../../../src/store/open/open.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { type Row, seed } from '../../support/seed.js';

export interface Places {
  readonly databaseUrl: string;
  /** Absent: the same database. */
  readonly ownDatabaseUrl?: string;
}

const resources: readonly Row[] = [
  { id: 1, pagetitle: 'Home', uri: 'index.html', template: 1 },
  { id: 2, pagetitle: 'About', uri: 'about.html', template: 2, parent: 1 },
  { id: 3, pagetitle: 'Draft', uri: 'draft.html', published: 0 },
  { id: 4, pagetitle: 'Gone', uri: 'gone.html', deleted: 1 },
];

/** Migrates the databases and puts resources 1 to 4 in; gives the places back. */
export async function prepare(places: Places, more: readonly Row[] = []): Promise<Places> {
  const target = { ...places, prefix: 'modx_', limits: patientLimits };
  const migrated = await openMigrated(target);
  await seed(migrated, { site_content: [...resources, ...more] });
  await migrated.close();
  return places;
}

/** Opens the store again, as another process would; closed when the test is done. */
export async function openAuthoring(places: Places, by = 'test'): Promise<PageAuthoring> {
  const store = await openStore({ ...places, prefix: 'modx_', limits: patientLimits });
  onTestFinished(() => store.close());
  // Deliverability is the matter of other tests: here the numbers are those of publications alone.
  return { store, by, tellReaders: async () => undefined };
}

/** A complete document with one hero of this title. */
export function heroPage(title: string, id?: string): unknown {
  return { schemaVersion: 1, sections: [{ ...(id === undefined ? {} : { id }), type: 'hero', data: { title } }] };
}

/** A document with a missing required value. */
export const incomplete = { schemaVersion: 1, sections: [{ type: 'hero', data: { description: 'No title' } }] };

export function save(
  authoring: PageAuthoring,
  request: {
    readonly resource?: number;
    readonly document: unknown;
    readonly expected?: number;
    readonly publish?: boolean;
  },
): Promise<SavedDraft> {
  const { resource = 1, document, expected = null, publish = false } = request;
  return saveDraft(authoring, { resource, document, expected, publish });
}

export async function rowsOf(store: Store, sql: string, params: readonly RawValue[] = []): Promise<readonly RawRow[]> {
  return store.own.primary.select({ sql, params });
}

/** Number, document, who and whence of every publication, the oldest first. */
export async function historyOf(store: Store, resource = 1): Promise<readonly RawRow[]> {
  const sql =
    'SELECT revision, document, published_by, restored_from FROM hcd_page_revisions WHERE resource_id = ? ORDER BY revision';
  return (await rowsOf(store, sql, [resource])).map((row) =>
    row.map((value) => (typeof value === 'bigint' ? Number(value) : value)),
  );
}

/** A number of `hcd_state`; 0 before the first. */
export async function stateNumber(store: Store, key: string): Promise<number> {
  const [row] = await rowsOf(store, 'SELECT value FROM hcd_state WHERE `key` = ?', [key]);
  return Number(row?.[0] ?? 0);
}

/** Imports values as the lines of a file; text stands as it is. */
export async function importLines(
  authoring: PageAuthoring,
  values: Iterable<unknown>,
  options: { readonly dryRun?: boolean; readonly onBatch?: () => void } = {},
): Promise<ImportReport> {
  const { dryRun = false, onBatch = () => undefined } = options;
  return importPages(authoring, { lines: linesOf(values), dryRun, onBatch });
}

async function* linesOf(values: Iterable<unknown>): AsyncGenerator<InputLine> {
  let number = 0;
  for (const value of values) {
    number += 1;
    yield { number, text: typeof value === 'string' ? value : JSON.stringify(value) };
  }
}
