/**
 * Loads the sample site into an empty own store: all rows, the settings and the generation in one transaction, then its
 * pages. What was interrupted after the rows goes on from there.
 */
import type { Environment } from '../../config/environment.js';
import type { ApiName } from '../../config/setting-definitions.js';
import type { SampleBatch } from '../../sample/batch.js';
import { sampleSite } from '../../sample/sample-site.js';
import type { Tx } from '../../store/database.js';
import { dialectOf } from '../../store/dialect.js';
import type { Store } from '../../store/open.js';
import { bumpContentGeneration } from '../../store/rows/state.js';
import { localOrigins } from './local-origins.js';
import { loadSamplePages } from './sample-pages.js';
import { markBegun } from './sample-state.js';
import { type Switched, switchApis } from './switch-apis.js';

export interface LoadSample {
  readonly env: Environment;
  readonly apis: readonly ApiName[];
  /** Where the server will listen: clicks lead there, since the address of the sample site is made up. */
  readonly address?: string | undefined;
  /** The rows are there already: `begun` by sampleState. */
  readonly isBegun?: boolean;
  /** Called with the rows so far; starts again from 0 when the database made the transaction begin anew. */
  readonly onProgress: (rows: number) => void;
}

export interface LoadedSample extends Switched {
  readonly resources: number;
  readonly rows: number;
  /** Pages with a document. */
  readonly pages: number;
}

/** Number of rows that loadSample writes. */
export function sampleSize(): number {
  return rowCount([...sampleSite()]);
}

/** The store must be migrated and `empty` or `begun` by sampleState; `markLoaded` tells when it is done with. */
export async function loadSample(store: Store, request: LoadSample): Promise<LoadedSample> {
  const batches = [...sampleSite()];
  const switched = await loadRows(store, { ...request, batches });
  const resources = rowCount(batches.filter(({ table }) => table === 'site_content'));
  // After the rows: documents belong to resources, and are written as commands write them.
  const pages = await loadSamplePages(store);
  return { ...switched, resources, rows: rowCount(batches), pages };
}

async function loadRows(
  store: Store,
  { env, apis, address, isBegun, onProgress, batches }: LoadSample & { readonly batches: readonly SampleBatch[] },
): Promise<Switched> {
  const { content, own, prefix } = store;
  const contexts = batches.filter(({ table }) => table === 'context').flatMap(keysOf);
  const switches = { prefix, env, apis, contexts, address, origins: localOrigins };
  if (isBegun === true) return content.write((tx) => switchApis(tx, switches));
  // In another database the mark comes first: without content it means nothing, content without it would be foreign.
  if (own !== content) await own.write(markBegun);
  const switched = await content.write(async (tx) => {
    let done = 0;
    for (const batch of batches) {
      for (const row of batch.rows) {
        await writeRow(tx, { prefix, batch, row });
        done += 1;
        onProgress(done);
      }
    }
    if (own === content) {
      await markBegun(tx);
      await bumpContentGeneration(tx);
    }
    return switchApis(tx, switches);
  });
  if (own !== content) await own.write(bumpContentGeneration);
  return switched;
}

function rowCount(batches: readonly SampleBatch[]): number {
  return batches.reduce((sum, { rows }) => sum + rows.length, 0);
}

function keysOf({ columns, rows }: SampleBatch): string[] {
  return rows.map((row) => String(row[columns.indexOf('key')]));
}

interface RowWrite {
  readonly prefix: string;
  readonly batch: SampleBatch;
  readonly row: SampleBatch['rows'][number];
}

/** A row that the migrations made under the same key takes the values of the sample. */
async function writeRow(tx: Tx, { prefix, batch: { table, key, columns }, row }: RowWrite): Promise<void> {
  const update = columns.filter((column) => !key.includes(column));
  const sql = dialectOf(tx.dialect).upsert({ table: `${prefix}${table}`, columns, key, update });
  await tx.run({ sql, params: row });
}
