/** Imports pages for `hcd page import`: reads the file as it is needed and shows how far it is. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from '../../src/errors/app-error.js';
import { type ImportReport, importPages } from '../../src/pages/authoring/import-pages.js';
import { readLines } from '../../src/pages/authoring/read-lines.js';
import type { Deps } from '../deps.js';
import type { DoneResult } from '../result.js';
import { openReady } from '../store/open-ready.js';
import { authoringOf } from './page-authoring.js';

export interface ImportOptions {
  readonly file: string;
  readonly dryRun: boolean;
}

interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  /** Bytes, null when nobody knows. */
  readonly size: number | null;
}

/** Problems of one line that are told. */
const mostProblems = 5;

export async function runImport({ file, dryRun }: ImportOptions, deps: Deps): Promise<DoneResult> {
  const source = await openSource(file, deps);
  const authoring = authoringOf(await openReady(deps), deps);
  const progress = deps.progress({
    label: dryRun ? 'Checking pages, bytes' : 'Importing pages, bytes',
    total: source.size,
  });
  let bytes = 0;
  const lines = readLines(source.chunks, (count) => {
    bytes += count;
  });
  try {
    const report = await importPages(authoring, { lines, dryRun, onBatch: () => progress.update(bytes) });
    if (report.refused.length > 0) throw refusalOf(report, dryRun);
    const { lines: total, saved, published, unchanged } = report;
    const data = { lines: total, saved, published, unchanged, dry_run: dryRun };
    return { kind: 'done', message: `${summary(report, dryRun)}.`, data };
  } finally {
    progress.finish();
  }
}

async function openSource(file: string, { io, cwd }: Deps): Promise<Source> {
  if (file === '-') return { chunks: io.stdin.stream, size: null };
  const path = resolve(cwd, file);
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new AppError('refused', { message: `${path} is a folder` });
    return { chunks: createReadStream(path), size: found.size };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('refused', { message: `${path} cannot be read`, cause: error });
  }
}

function summary({ lines, saved, published, unchanged }: ImportReport, dryRun: boolean): string {
  const read = `${dryRun ? 'Checked' : 'Read'} ${lines} ${lines === 1 ? 'page' : 'pages'}`;
  const would = dryRun ? 'would be ' : '';
  return `${read}: ${saved} ${would}saved, ${published} ${would}published, ${unchanged} unchanged`;
}

function refusalOf(report: ImportReport, dryRun: boolean): AppError {
  const { refused, isCutShort } = report;
  const fields = refused.map(({ line, problems }): [string, readonly string[]] => {
    const more = problems.length - mostProblems;
    const told = problems.slice(0, mostProblems);
    return [`line ${line}`, more > 0 ? [...told, `and ${more} more`] : told];
  });
  const number = refused.length === 1 ? 'one line was refused' : `${refused.length} lines were refused`;
  const rest = isCutShort ? ', and the rest of the file was not read' : '';
  return new AppError('refused', {
    message: `${summary(report, dryRun)}; ${number}${rest}`,
    details: { fields: Object.fromEntries(fields) },
  });
}
