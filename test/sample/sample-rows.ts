/** The rows of the sample site as records, and the rows that an own store has before it is loaded. */
import type { SampleBatch, SampleValue } from '../../src/sample/batch.js';
import { sampleSite } from '../../src/sample/sample-site.js';

export type Row = Readonly<Record<string, SampleValue>>;

export const batches = [...sampleSite()];

export function rowsOf(table: string): Row[] {
  return batches.filter((batch) => batch.table === table).flatMap(asRows);
}

export function asRows(batch: SampleBatch): Row[] {
  return batch.rows.map((row) =>
    Object.fromEntries(batch.columns.map((column, index) => [column, row[index] ?? null])),
  );
}

/** Rows that an own store has before anything is loaded, by primary key. */
export const seeded: Readonly<Record<string, readonly SampleValue[]>> = {
  context: ['web', 'mgr'],
  content_type: [1, 2, 3, 4, 5, 6, 7, 8],
  access_policies: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  user_group_roles: [1, 2],
  membergroup_names: [1],
  media_sources: [1],
};

export const resources = rowsOf('site_content');
export const living = resources.filter((row) => row['deleted'] === 0);
