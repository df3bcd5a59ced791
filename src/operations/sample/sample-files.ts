/**
 * The files of the sample site, in the format of an export: an invented maker of outdoor equipment with a catalogue,
 * guides, shops, trips, a members area and a journal in a context of its own.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { assetPath } from '../../values/asset-path.js';
import type { Problems } from '../transfer/problems.js';
import { readRecords, type TransferRecord } from '../transfer/read-records.js';

/** Those of the content, in the order in which they refer to one another. */
export const contentFiles = Object.freeze(['people', 'elements', 'access', 'resources', 'settings'] as const);

export type SampleFile = (typeof contentFiles)[number] | 'pages' | 'banners';

/** The records of files, one file after the other. */
export async function* sampleRecords(files: readonly SampleFile[], problems: Problems): AsyncGenerator<TransferRecord> {
  for (const file of files) {
    yield* readRecords(createReadStream(pathOf(file)), { problems, file: `${file}.ndjson` });
  }
}

export async function countRecords(files: readonly SampleFile[]): Promise<number> {
  let count = 0;
  for (const file of files) {
    const bytes = await readFile(pathOf(file));
    for (let at = bytes.indexOf('\n'); at >= 0; at = bytes.indexOf('\n', at + 1)) count += 1;
    // The first line is no record.
    count -= 1;
  }
  return count;
}

function pathOf(file: SampleFile): string {
  return assetPath('sample', `${file}.ndjson`);
}
