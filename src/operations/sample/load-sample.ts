/** Loads the sample site into an empty own store, and continues what was interrupted after the content. */

import { Readable } from 'node:stream';
import type { Environment } from '../../config/definitions.js';
import type { ApiName } from '../../config/value-type.js';
import { readTables } from '../../store/base/columns.js';
import type { Reader, Tx } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { bumpOfBulk, readState, writeState } from '../../store/state/state.js';
import { readAsset } from '../../values/read-asset.js';
import { localOrigins, type Switched, switchApis } from '../settings/switch-apis.js';
import { importRecords } from '../transfer/import-records.js';
import { contentTables as tablesOfContent, transferKinds } from '../transfer/kinds.js';
import { type NdjsonRecord, readNdjson } from '../transfer/ndjson.js';
import { LineProblems } from '../transfer/transfer-record.js';

export interface LoadSample {
  readonly env: Environment;
  readonly apis: readonly ApiName[];
  /** Where the server will listen: the address of the sample site is made up. */
  readonly address?: string | undefined;
  readonly isBegun?: boolean;
  /** Starts again from 0 when the database repeats the transaction. */
  readonly onProgress: (records: number) => void;
}

export interface LoadedSample extends Switched {
  readonly resources: number;
  readonly pages: number;
}

export const author = 'demo';
/** A site that is loaded has no extra objects yet. */
export const kinds = transferKinds(null);
const contexts = ['web', 'journal'];

export function sampleSize(): number {
  return countRecords(contentFiles);
}

/** The store must be migrated and `empty` or `begun` by sampleState. Call `markLoaded` at the end. */
export async function loadSample(store: Store, request: LoadSample): Promise<LoadedSample> {
  const switched = await loadRows(store, request);
  // Documents belong to resources, and are written as commands write them.
  const problems = new LineProblems();
  await importRecords({ store, kinds, records: sampleRecords(['pages'], problems), problems, by: author });
  return { ...switched, resources: countRecords(['resources']), pages: countRecords(['pages']) };
}

async function loadRows(store: Store, { env, apis, address, isBegun, onProgress }: LoadSample): Promise<Switched> {
  const { content, own, prefix } = store;
  const switches = { prefix, env, apis, contexts, address, origins: localOrigins };
  if (isBegun === true) return content.write((tx) => switchApis(tx, switches));
  // In another database the mark comes first: content without it would be foreign, the mark alone means nothing.
  if (own !== content) await own.write(markBegun);
  const switched = await content.write(async (tx) => {
    const problems = new LineProblems();
    const records = sampleRecords(contentFiles, problems, onProgress);
    await importRecords({ store, kinds, records, problems, by: author, within: { tx, database: 'content' } });
    if (own === content) await markBegun(tx);
    return switchApis(tx, switches);
  });
  if (own !== content) await own.write(bumpOfBulk);
  return switched;
}

export const contentFiles = Object.freeze(['people', 'elements', 'access', 'resources', 'settings'] as const);

type SampleFile = (typeof contentFiles)[number] | 'pages' | 'banners';

export async function* sampleRecords(
  files: readonly SampleFile[],
  problems: LineProblems,
  onRecord: (done: number) => void = () => undefined,
): AsyncGenerator<NdjsonRecord> {
  let done = 0;
  for (const file of files) {
    const chunks = Readable.from([readAsset('sample', `${file}.ndjson`)]);
    for await (const record of readNdjson(chunks, { problems, file: `${file}.ndjson` })) {
      yield record;
      done += 1;
      onRecord(done);
    }
  }
}

function countRecords(files: readonly SampleFile[]): number {
  // The first line and the end of the last one are no records.
  const counts = files.map((file) => readAsset('sample', `${file}.ndjson`).toString('latin1').split('\n').length - 2);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** begun: interrupted after its rows; sample: loaded earlier, perhaps changed since; foreign: must not be touched. */
export type SampleState = 'empty' | 'begun' | 'sample' | 'foreign';

/** Key in hcd_state. It is written before the rows, so it alone does not mean that the content exists. */
const sampleMark = 'sample_site';
/** Until pages and credentials are there as well. */
const begun = 'begun';

/** The migrations put rows into these tables; the other tables of the sample start empty. */
const seededRows: Readonly<Record<string, number>> = {
  context: 2,
  content_type: 8,
  media_sources: 1,
  user_group_roles: 2,
  membergroup_names: 1,
  access_context: 3,
};

/** Settings are not content: they may be set before the sample is loaded. */
const settingTables: ReadonlySet<string> = new Set(['system_settings', 'context_setting']);

const contentTables = tablesOfContent.filter((table) => !settingTables.has(table));

/** Reads only; works before the migrations too. */
export async function sampleState(store: Store): Promise<SampleState> {
  if (store.kind === 'attached') return 'foreign';
  if (store.kind === 'empty') return (await hasOtherTables(store)) ? 'foreign' : 'empty';
  if (!(await hasContent(store))) return 'empty';
  const own = await readTables(store.own.primary, 'hcd_state');
  const mark = own.has('hcd_state') ? await readState(store.own.primary, sampleMark) : null;
  if (mark === null) return 'foreign';
  return mark === begun ? 'begun' : 'sample';
}

/** Together with the rows: the next run can do what is left. */
function markBegun(tx: Tx): Promise<void> {
  return writeState(tx, sampleMark, begun);
}

export async function markLoaded({ own }: Store): Promise<void> {
  await own.write((tx) => writeState(tx, sampleMark, '1'), { outcome: async () => undefined });
}

/** The database belongs to something else: the sample needs one of its own. */
async function hasOtherTables({ content }: Store): Promise<boolean> {
  const tables = await readTables(content.primary, '');
  return [...tables.keys()].some((name) => !name.startsWith('hcd_'));
}

async function hasContent({ content, prefix, tables }: Store): Promise<boolean> {
  for (const name of contentTables) {
    const table = `${prefix}${name}`;
    if (tables.has(table) && (await hasMoreRows(content.primary, table, seededRows[name] ?? 0))) return true;
  }
  return false;
}

async function hasMoreRows(reader: Reader, table: string, count: number): Promise<boolean> {
  const sql = `SELECT COUNT(*) FROM (SELECT 1 AS found FROM \`${table}\` LIMIT ${count + 1}) AS some`;
  const [row] = await reader.select({ sql, params: [] });
  return Number(row?.[0]) > count;
}
