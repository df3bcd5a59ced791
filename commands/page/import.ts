/** `hcd page import FILE`: imports pages from an NDJSON file. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { type ImportReport, importPages, readLines } from '../../src/pages/authoring/import-pages.js';
import { countOf } from '../../src/values/text.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { required, toggle } from '../parameters.js';
import { authoringOf } from './shared.js';

const mostProblems = 5;

export const command = defineCommand({
  description:
    'Reads one page per line (NDJSON): {"resource": 42, "document": {"schemaVersion": 1, "sections": [...]}, "publish": true}. The resource is an id, or {"context": "web", "uri": "about.html"}. The document becomes the draft; with "publish": true it is also published.\n\nEach line is imported on its own. An invalid line (unknown resource, unknown section type, a missing required value in a page to publish) does not change its page. The other lines are imported, the invalid lines are reported with their numbers, and the exit code is 1. The import stops after 100 invalid lines. Lines are written in transactions of up to 100; when the import is interrupted, committed lines are kept.\n\nThe same file can be imported again: pages that already match do not change and get no new revision. Sections without an id keep the id that they have on the page.',
  arguments: {
    file: required(fileValue, 'NDJSON file, or - for standard input'),
  },
  options: { dryRun: toggle('Check every line without importing it') },
  examples: {
    'page import pages.ndjson --dry-run': 'Check a file before importing it',
    'page import - --json': 'Import pages from standard input',
  },
  async run({ file, dryRun }, deps) {
    const source = await openSource(file, deps);
    const authoring = authoringOf(await deps.openSite());
    let bytes = 0;
    const lines = readLines(source.chunks, (count) => {
      bytes += count;
    });
    const label = dryRun ? 'Checking pages, bytes' : 'Importing pages, bytes';
    const report = await deps.progress(label, ({ update }) =>
      importPages(authoring, { lines, dryRun, onBatch: () => update(bytes, source.size) }),
    );
    if (report.refused.length > 0) throw refusalOf(report, dryRun);
    const { lines: total, saved, published, unchanged } = report;
    const data = { lines: total, saved, published, unchanged, dry_run: dryRun };
    return { kind: 'done', message: `${summary(report, dryRun)}.`, data };
  },
});

async function openSource(file: string, { io, cwd }: Deps) {
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
  const read = `${dryRun ? 'Checked' : 'Read'} ${countOf(lines, 'page')}`;
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
  const number = countOf(refused.length, 'line was refused', 'lines were refused');
  const rest = isCutShort ? ', and the rest of the file was not read' : '';
  return new AppError('refused', {
    message: `${summary(report, dryRun)}; ${number}${rest}`,
    details: { fields: Object.fromEntries(fields) },
  });
}
