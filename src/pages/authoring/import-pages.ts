/**
 * Imports pages line by line, in bounded memory: a batch of lines is read, checked and written, then the next. Each line
 * stands for itself: one that is refused leaves its page as it was and does not keep the others from being taken in.
 */

import { findPageResources, placeKey, readPageResources } from '../rows/page-resources.js';
import type { SectionTypes } from '../rules/section-type.js';
import {
  type BatchReport,
  importBatch,
  type LineRefusal,
  type Rehearsed,
  rehearseBatch,
  type TargetedLine,
} from './import-batch.js';
import { type ImportLine, type InputLine, readImportLine, targetName } from './import-line.js';
import { loadSectionTypes } from './load-section-types.js';
import type { PageAuthoring } from './page-authoring.js';

export interface ImportRequest {
  readonly lines: AsyncIterable<InputLine>;
  /** Checks everything and writes nothing. */
  readonly dryRun: boolean;
  /** Called after each batch. */
  readonly onBatch: () => void;
}

export interface ImportReport extends BatchReport {
  /** Lines that were read, empty ones not counted. */
  readonly lines: number;
  /** Too many lines were refused: the rest was not read. */
  readonly isCutShort: boolean;
}

/** Pages in one transaction, and the characters after which it takes no more. */
const most = { lines: 100, characters: 4_000_000 };
/** Refused lines after which something else is wrong than single lines. */
const mostRefused = 100;

/** What was done, or would be done. The section types are those of the start. */
export async function importPages(
  authoring: PageAuthoring,
  { lines, dryRun, onBatch }: ImportRequest,
): Promise<ImportReport> {
  const types = await loadSectionTypes(authoring.store.own.primary);
  const sum = { lines: 0, saved: 0, published: 0, unchanged: 0 };
  const refused: LineRefusal[] = [];
  const rehearsed: Rehearsed = new Map();
  for await (const batch of batchesOf(lines)) {
    const report = await takeIn(authoring, { batch, types, rehearsed: dryRun ? rehearsed : null });
    sum.lines += batch.length;
    sum.saved += report.saved;
    sum.published += report.published;
    sum.unchanged += report.unchanged;
    refused.push(...report.refused);
    onBatch();
    if (refused.length >= mostRefused) break;
  }
  if (sum.published > 0 && !dryRun) await authoring.tellReaders();
  return { ...sum, refused: refused.slice(0, mostRefused), isCutShort: refused.length >= mostRefused };
}

async function takeIn(
  authoring: PageAuthoring,
  asked: {
    readonly batch: readonly InputLine[];
    readonly types: SectionTypes;
    /** Null writes. */
    readonly rehearsed: Rehearsed | null;
  },
): Promise<BatchReport> {
  const { batch, types, rehearsed } = asked;
  const refused: LineRefusal[] = [];
  const read: ImportLine[] = [];
  for (const input of batch) {
    const line = readImportLine(input);
    if ('problems' in line) refused.push({ line: input.number, problems: line.problems });
    else read.push(line);
  }
  const lines = await withResources(authoring, { read, refused });
  const report =
    rehearsed === null
      ? await importBatch(authoring, { lines, types })
      : await rehearseBatch(authoring, { lines, types, rehearsed });
  const all = [...refused, ...report.refused].sort((left, right) => left.line - right.line);
  return { ...report, refused: all };
}

/** The lines with their resources; those of which there is none are refused. */
async function withResources(
  { store }: PageAuthoring,
  { read, refused }: { readonly read: readonly ImportLine[]; readonly refused: LineRefusal[] },
): Promise<readonly TargetedLine[]> {
  const targets = read.map(({ target }) => target);
  const byId = await readPageResources(
    store,
    targets.filter((target) => typeof target === 'number'),
  );
  const byPlace = await findPageResources(
    store,
    targets.filter((target) => typeof target === 'object'),
  );
  return read.flatMap((line): TargetedLine[] => {
    const { number, target } = line;
    const about = typeof target === 'number' ? byId.get(target) : byPlace.get(placeKey(target));
    if (about) return [{ line, about }];
    refused.push({ line: number, problems: [`there is no ${nameOf(line)}`] });
    return [];
  });
}

function nameOf({ target }: ImportLine): string {
  return typeof target === 'number' ? targetName(target) : `resource with the URI ${targetName(target)}`;
}

async function* batchesOf(lines: AsyncIterable<InputLine>): AsyncGenerator<readonly InputLine[]> {
  let batch: InputLine[] = [];
  let characters = 0;
  for await (const line of lines) {
    if (line.text?.trim() === '') continue;
    batch.push(line);
    characters += line.text?.length ?? 0;
    if (batch.length < most.lines && characters < most.characters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
