/**
 * Loads the sample site into an empty own store: content, settings and the generation in one transaction, then its
 * pages. What was interrupted after the content goes on from there.
 */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Environment } from '../../config/definitions.js';
import type { ApiName } from '../../config/setting-definitions.js';
import type { PageAuthoring } from '../../pages/authoring/write-page.js';
import type { Store } from '../../store/open/open.js';
import { bumpContentGeneration } from '../../store/state/state.js';
import { assetPath } from '../../values/asset-path.js';
import { loadContent } from '../transfer/load-content.js';
import { loadPages } from '../transfer/load-pages.js';
import { Problems, readRecords, type TransferRecord } from '../transfer/read-records.js';
import { markBegun } from './sample-state.js';
import { localOrigins, type Switched, switchApis } from './switch-apis.js';

export interface LoadSample {
  readonly env: Environment;
  readonly apis: readonly ApiName[];
  /** Where the server will listen: clicks lead there, since the address of the sample site is made up. */
  readonly address?: string | undefined;
  /** The content is there already: `begun` by sampleState. */
  readonly isBegun?: boolean;
  /** Called with the records so far; starts again from 0 when the database repeats the transaction. */
  readonly onProgress: (records: number) => void;
}

export interface LoadedSample extends Switched {
  readonly resources: number;
  /** Pages with a document. */
  readonly pages: number;
}

/** Whom the history of pages names. */
const author = 'demo';
/** The contexts that requests may name once the sample is loaded. */
const contexts = ['web', 'journal'];

/** Number of records of the content. */
export function sampleSize(): Promise<number> {
  return countRecords(contentFiles);
}

/** The store must be migrated and `empty` or `begun` by sampleState; `markLoaded` tells when it is done with. */
export async function loadSample(store: Store, request: LoadSample): Promise<LoadedSample> {
  const switched = await loadRows(store, request);
  // After the rows: documents belong to resources, and are written as commands write them.
  const problems = new Problems();
  // A site has no readers while it is loaded; the server informs its first readers itself.
  const authoring: PageAuthoring = { store, by: author, tellReaders: async () => undefined };
  const pages = await loadPages(authoring, { records: sampleRecords(['pages'], problems), problems });
  return { ...switched, resources: await countRecords(['resources']), pages };
}

async function loadRows(store: Store, { env, apis, address, isBegun, onProgress }: LoadSample): Promise<Switched> {
  const { content, own, prefix, tables } = store;
  const switches = { prefix, env, apis, contexts, address, origins: localOrigins };
  if (isBegun === true) return content.write((tx) => switchApis(tx, switches));
  // In another database the mark comes first: without content it means nothing, content without it would be foreign.
  if (own !== content) await own.write(markBegun);
  const switched = await content.write(async (tx) => {
    const problems = new Problems();
    let done = 0;
    const onRecord = (): void => {
      done += 1;
      onProgress(done);
    };
    await loadContent(tx, { prefix, tables, problems, records: sampleRecords(contentFiles, problems), onRecord });
    if (own === content) {
      await markBegun(tx);
      await bumpContentGeneration(tx);
    }
    return switchApis(tx, switches);
  });
  if (own !== content) await own.write(bumpContentGeneration);
  return switched;
}

/** Those of the content, in the order in which they refer to one another. */
export const contentFiles = Object.freeze(['people', 'elements', 'access', 'resources', 'settings'] as const);

type SampleFile = (typeof contentFiles)[number] | 'pages' | 'banners';

/** The records of files, one file after the other. */
export async function* sampleRecords(files: readonly SampleFile[], problems: Problems): AsyncGenerator<TransferRecord> {
  for (const file of files) {
    yield* readRecords(createReadStream(pathOf(file)), { problems, file: `${file}.ndjson` });
  }
}

async function countRecords(files: readonly SampleFile[]): Promise<number> {
  let count = 0;
  for (const file of files) {
    const bytes = await readFile(pathOf(file));
    for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) count += 1;
    // The first line is not a record.
    count -= 1;
  }
  return count;
}

function pathOf(file: SampleFile): string {
  return assetPath('sample', `${file}.ndjson`);
}
