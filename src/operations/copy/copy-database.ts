/** Copies a store into an empty database, table by table, and verifies each. */

import { randomHex } from '../../crypto/random.js';
import { migrateUp } from '../../store/migrations/migrate.js';
import { claimCopy, endProgress, readFinished, readProgress } from '../copy-tables/progress-rows.js';
import { openSnapshot, type Snapshot } from '../copy-tables/snapshot.js';
import { changedSince, checkTarget, runText } from './check-target.js';
import type { CopyReport, CopyRequest, TableReport } from './copy-request.js';
import { type CopiedTable, compareTable, copyTable, takenOver, writeClaimed } from './copy-table.js';
import { type CopyPlan, planCopy, readKnown, type TablePlan } from './plan-copy.js';

/**
 * Copies everything that was chosen. `refused` when the target is in use or takes a row not. After an interruption the
 * same call goes on after the last batch that was committed; after completion it compares, and changes nothing.
 */
export async function copyDatabase(request: CopyRequest & { readonly targetUrl: string }): Promise<CopyReport> {
  const { source, target, pattern } = request;
  const run = runText(request.sourceName, request);
  const finished = (await readFinished(target.own.primary))?.run ?? null;
  const begin = await checkTarget({ target, pattern, url: request.targetUrl, run });
  if (begin !== 'finished') await migrateUp(request.runOf(target));
  const token = randomHex(16);
  if (begin !== 'finished') {
    const claim = { run, token, isBegun: begin === 'resumed', finished };
    if (!(await target.own.write((tx) => claimCopy(tx, claim)))) throw takenOver();
  }
  const snapshots: Snapshot[] = [];
  try {
    const content = await openSnapshot(source.content);
    snapshots.push(content);
    const own = source.own === source.content ? content : await openSnapshot(source.own);
    if (own !== content) snapshots.push(own);
    const plan = await planCopy({
      choice: request,
      source: { content, own, prefix: source.prefix },
      target: { prefix: target.prefix },
      known: await readKnown(pattern),
    });
    return await (begin === 'finished' ? comparePlanned(request, plan) : copyPlanned(request, { plan, token }));
  } finally {
    for (const snapshot of snapshots) await snapshot.end();
  }
}

/** What copyDatabase would copy; changes nothing. */
export async function planDatabaseCopy(
  request: Pick<CopyRequest, 'source' | 'pattern' | 'tables' | 'include'> & { readonly prefix: string },
): Promise<CopyPlan> {
  const { source, pattern } = request;
  return planCopy({
    choice: request,
    source: { content: source.content.primary, own: source.own.primary, prefix: source.prefix },
    target: { prefix: request.prefix },
    known: await readKnown(pattern),
  });
}

async function copyPlanned(
  request: CopyRequest,
  { plan, token }: { plan: CopyPlan; token: string },
): Promise<CopyReport> {
  const { target, clock } = request;
  const earlier = (await readProgress(target.own.primary))?.tables;
  // Each row is written once and read back once.
  const total = 2 * plan.tables.reduce((sum, { rows }) => sum + rows, 0);
  const tables: TableReport[] = [];
  const changed: string[] = [];
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    request.onProgress?.(Math.min(done, total), total);
  };
  for (const table of plan.tables) {
    const started = clock.elapsed();
    const copied = await copyTable({
      plan: table,
      target: target.own,
      token,
      earlier: earlier?.get(table.name),
      onRows,
    });
    tables.push(reportOf(table, { copied, milliseconds: clock.elapsed() - started }));
    if (copied.changed) changed.push(table.name);
  }
  const complete = tables.every(({ verified }) => verified);
  if (complete) await finish(request, token);
  return {
    tables,
    skipped: plan.skipped,
    notes: [...plan.notes, ...noteTables(tables), ...noteChanged(changed)],
    complete,
  };
}

async function finish({ target }: CopyRequest, token: string): Promise<void> {
  await writeClaimed<true>(
    { target: target.own, token },
    async (tx) => {
      await endProgress(tx);
      return true;
    },
    { outcome: async (tx) => ((await readFinished(tx)) === null ? undefined : true) },
  );
}

/** The report of a complete copy, made again from what it wrote. Throws refused when source or target have changed. */
async function comparePlanned(
  request: CopyRequest & { readonly targetUrl: string },
  plan: CopyPlan,
): Promise<CopyReport> {
  const { target, clock } = request;
  const noted = (await readFinished(target.own.primary))?.tables;
  const tables: TableReport[] = [];
  for (const table of plan.tables) {
    const started = clock.elapsed();
    const copied = await compareTable({ plan: table, target: target.own, noted: noted?.get(table.name) });
    if (copied === null) throw changedSince(request.targetUrl, table.name);
    tables.push(reportOf(table, { copied, milliseconds: clock.elapsed() - started }));
  }
  const notes = [...plan.notes, ...noteTables(tables), 'This copy was completed before: nothing was written.'];
  return { tables, skipped: plan.skipped, notes, complete: true };
}

function reportOf(
  table: TablePlan,
  { copied, milliseconds }: { copied: CopiedTable; milliseconds: number },
): TableReport {
  return {
    table: table.name,
    kind: table.kind,
    source_rows: copied.sourceRows,
    copied: copied.copied,
    verified: copied.verified,
    seconds: Math.round(milliseconds) / 1000,
    resumed_rows: copied.resumedRows,
    duplicates: copied.duplicates,
    nulls_filled: copied.nullsFilled,
    columns_lost: copied.lost,
  };
}

function noteTables(tables: readonly TableReport[]): string[] {
  return tables.flatMap((table) => [
    ...(table.columns_lost.length === 0
      ? []
      : [`${table.table}: the target has no place for the columns ${table.columns_lost.join(', ')}.`]),
    ...(table.duplicates === 0
      ? []
      : [`${table.table}: ${table.duplicates} rows were left out whose unique values an earlier row has.`]),
    ...(table.nulls_filled === 0
      ? []
      : [
          `${table.table}: ${table.nulls_filled} NULLs became the default of their column, which does not accept NULL.`,
        ]),
  ]);
}

function noteChanged(tables: readonly string[]): string[] {
  if (tables.length === 0) return [];
  return [`The source has changed since the interrupted run; copied again: ${tables.join(', ')}.`];
}
