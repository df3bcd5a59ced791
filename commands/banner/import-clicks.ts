/** `hcd banner import-clicks FILE`: clicks or impressions from a file. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import {
  type EventImport,
  type ImportCounts,
  type ImportedEvent,
  openEventImport,
} from '../../src/banners/tracking/import-events.js';
import { choiceValue, fileValue } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { dayMs, isoTimeOfMs } from '../../src/values/dates.js';
import { countOf } from '../../src/values/text.js';
import { defineCommand } from '../command.js';
import type { Deps } from '../deps.js';
import { required, toggle } from '../parameters.js';
import { type EventType, eventTypes, readEventCsv } from './import/read-event-csv.js';

interface Batch {
  readonly lines: readonly number[];
  readonly events: readonly ImportedEvent[];
}

const together = 1000;

interface Source {
  readonly path: string;
  readonly type: EventType;
  readonly zone: string;
}

interface Pass {
  readonly deps: Deps;
  readonly label: string;
  readonly total: number | null;
  readonly work: (batch: Batch) => Promise<void>;
  /** Absent in the second pass, when the file is known to be right. */
  readonly problems?: LineProblems;
}

export const command = defineCommand({
  description:
    'Imports events from a CSV file into the statistics. The columns are those of GET /stats/export for the type, in any order. ad_id, position_id and the time are required; names are ignored. Times are ISO 8601 or Unix seconds; those without Z or an offset are in banners_timezone. Values are separated by commas, semicolons or tabs, as the header or a first line such as sep=; says.\n\nThe whole file is checked first. An unknown banner or position, an invalid value or a time in the future is reported with its line, and nothing is imported. Each visitor counts once per banner, position and day: events that exist are counted and skipped, so the same file can be imported again. Visitors are identified by their complete address; without one, each row is a visitor. Ids in the file are kept; an empty id is generated.',
  arguments: { file: required(fileValue, 'CSV file in UTF-8') },
  options: {
    type: required(choiceValue(eventTypes), 'Type of the events'),
    dryRun: toggle('Check the file and count the events without importing them'),
  },
  examples: {
    'banner import-clicks clicks.csv --type clicks --dry-run': 'Check a file before importing it',
    'banner import-clicks shown.csv --type impressions --json': 'Import impressions and print the counts as JSON',
  },
  async run({ file, type, dryRun }, deps) {
    const { config } = deps.loadConfig();
    const { store, settings } = await deps.openSite();
    const path = resolve(deps.cwd, file);
    const into = await openEventImport(store, { kind: type, env: deps.env, secret: config.secret });
    const source = { path, type, zone: (await settings('banners')).banners_timezone };
    const { rows, ...moments } = await checkFile(source, { into, deps });
    let counts: ImportCounts = { added: 0, known: 0, taken: 0 };
    const work = async ({ events }: Batch): Promise<void> => {
      counts = sumOf(counts, await (dryRun ? into.preview(events) : into.write(events)));
    };
    await eachBatch(source, { deps, label: dryRun ? 'Counting' : 'Importing', total: rows, work });
    return {
      kind: 'record',
      record: { type, rows, ...counts, ...moments, dry_run: dryRun },
      notes: [
        dryRun && 'Nothing was changed.',
        counts.known > 0 && 'known: the event exists, or another one of the same visitor, banner, position and day.',
        counts.taken > 0 && 'taken: another event has the id. Leave the id column empty to import such rows.',
      ],
    };
  },
});

/** Throws refused with the first problems, each with its line. */
async function checkFile(source: Source, { into, deps }: { readonly into: EventImport; readonly deps: Deps }) {
  const problems = problemList();
  const latest = deps.clock.now() + dayMs;
  let [rows, first, last] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const work = (batch: Batch): Promise<void> => {
    rows += batch.events.length;
    for (const { at } of batch.events) [first, last] = [Math.min(first, at), Math.max(last, at)];
    return checkBatch(batch, { into, problems, latest });
  };
  await eachBatch(source, { deps, label: 'Checking', total: null, work, problems });
  problems.throwIfAny();
  return { rows, from: rows === 0 ? null : isoTimeOfMs(first), to: rows === 0 ? null : isoTimeOfMs(last) };
}

/** Events after `latest` (Unix milliseconds) are a mistake. */
async function checkBatch(
  { lines, events }: Batch,
  { into, problems, latest }: { readonly into: EventImport; readonly problems: LineProblems; readonly latest: number },
): Promise<void> {
  const ads = await into.unknown('ad', [...new Set(events.map(({ ad }) => ad))]);
  const positions = await into.unknown('position', [...new Set(events.map(({ position }) => position))]);
  events.forEach(({ ad, position, at }, index) => {
    const found = [
      ...(ads.has(ad) ? [`banner ${ad} does not exist`] : []),
      ...(positions.has(position) ? [`position ${position} does not exist`] : []),
      ...(at > latest ? [`the time ${isoTimeOfMs(at)} is in the future`] : []),
    ];
    if (found.length > 0) problems.add(lines[index] ?? 0, found);
  });
}

async function eachBatch({ path, ...form }: Source, { deps, label, total, work, problems }: Pass): Promise<void> {
  let done = 0;
  let lines: number[] = [];
  let events: ImportedEvent[] = [];
  return deps.progress(label, async ({ update }) => {
    const flush = async (): Promise<void> => {
      if (events.length > 0) await work({ lines, events });
      done += events.length;
      update(done, total);
      [lines, events] = [[], []];
    };
    for await (const row of readEventCsv(readFile(path), form)) {
      if ('problems' in row) problems?.add(row.line, row.problems);
      else {
        lines.push(row.line);
        events.push(row.event);
      }
      if (events.length >= together) await flush();
    }
    await flush();
  });
}

async function* readFile(path: string): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path);
  try {
    for await (const chunk of stream) yield chunk;
  } catch (cause) {
    throw new AppError('refused', { message: `${path} cannot be read`, cause });
  }
}

function sumOf(one: ImportCounts, other: ImportCounts): ImportCounts {
  return { added: one.added + other.added, known: one.known + other.known, taken: one.taken + other.taken };
}

type LineProblems = ReturnType<typeof problemList>;

const shown = 20;

function problemList() {
  const first = new Map<number, readonly string[]>();
  let lines = 0;
  return {
    add(line: number, problems: readonly string[]): void {
      lines += 1;
      if (first.size < shown) first.set(line, problems);
    },
    throwIfAny(): void {
      if (lines === 0) return;
      const more = lines > first.size ? ` The first ${first.size}:` : '';
      const fields = [...first].sort(([a], [b]) => a - b).map(([line, problems]) => [`line ${line}`, problems]);
      throw new AppError('refused', {
        message: `${countOf(lines, 'row is', 'rows are')} invalid; nothing was imported.${more}`,
        details: { fields: Object.fromEntries(fields) },
      });
    },
  };
}
