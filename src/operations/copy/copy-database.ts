/** Copies a store into an empty database, table by table, and verifies each. */

import type { Clock } from '../../clock/clock.js';
import { randomHex } from '../../crypto/primitives.js';
import type { Reader } from '../../store/base/database.js';
import { migrateUp } from '../../store/migrations/migrate.js';
import { openSnapshots } from '../copy-tables/snapshot.js';
import { claimCopy, endProgress, readFinished, readProgress } from '../models/copy-progress.js';
import { changedSince, checkTarget, runText } from './check-databases.js';
import { compareTable, copyTable, takenOver, writeClaimed } from './copy-table.js';
import {
  type CopyChoice,
  type CopyPlan,
  type CopyReport,
  type CopyRequest,
  knownTables,
  noteTables,
  planCopy,
  type TableReport,
} from './plan-copy.js';

/** Continues an interrupted copy; after completion it only compares. Throws refused. */
export async function copyDatabase(request: CopyRequest & { readonly targetUrl: string }): Promise<CopyReport> {
  const { source, target } = request;
  const run = runText(request.sourceName, request);
  const finished = (await readFinished(target.own.primary))?.run ?? null;
  const begin = await checkTarget(request, { url: request.targetUrl, run });
  if (begin !== 'finished') await migrateUp(request.runOf(target));
  const token = randomHex(16);
  if (begin !== 'finished') {
    const claim = { run, token, isBegun: begin === 'resumed', finished };
    if (!(await target.own.write((tx) => claimCopy(tx, claim)))) throw takenOver();
  }
  const { readers, end } = await openSnapshots(source);
  try {
    const place = { prefix: target.prefix, dialect: target.content.dialect };
    const plan = await planFrom({ ...request, place }, readers);
    return await (begin === 'finished' ? comparePlanned(request, plan) : copyPlanned(request, { plan, token }));
  } finally {
    await end();
  }
}

type PlanRequest = CopyChoice &
  Pick<CopyRequest, 'source' | 'migrations'> & { readonly place: Parameters<typeof planCopy>[0]['target'] };

export function planDatabaseCopy(request: PlanRequest): Promise<CopyPlan> {
  const { content, own } = request.source;
  return planFrom(request, { content: content.primary, own: own.primary });
}

async function planFrom(choice: PlanRequest, readers: { readonly content: Reader; readonly own: Reader }) {
  const { source, migrations, place: target } = choice;
  const known = await knownTables(migrations);
  return planCopy({ choice, source: { ...readers, prefix: source.prefix }, target, known });
}

async function copyPlanned(
  request: CopyRequest,
  { plan, token }: { plan: CopyPlan; token: string },
): Promise<CopyReport> {
  const { target, clock } = request;
  const earlier = (await readProgress(target.own.primary))?.tables;
  const total = 2 * plan.tables.reduce((sum, { rows }) => sum + rows, 0);
  const tables: TableReport[] = [];
  let done = 0;
  const onRows = (rows: number): void => {
    done += rows;
    request.onProgress?.(Math.min(done, total), total);
  };
  for (const table of plan.tables) {
    const started = clock.elapsed();
    const begun = { target: target.own, token, earlier: earlier?.get(table.name), onRows };
    tables.push({ ...(await copyTable({ plan: table, ...begun })), seconds: secondsSince(started, clock) });
  }
  const complete = tables.every(({ verified }) => verified);
  if (complete) await finish(request, token);
  const changed = tables.filter(
    ({ table, resumed_rows }) => (earlier?.get(table)?.position ?? null) !== null && resumed_rows === 0,
  );
  const notes = [...plan.missing, ...plan.notes, ...noteTables(tables), ...noteChanged(changed)];
  return { tables, skipped: plan.skipped, notes, complete };
}

function secondsSince(started: number, clock: Clock): number {
  return Math.round(clock.elapsed() - started) / 1000;
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

/** Made again from what the copy wrote. Throws refused when source or target have changed. */
async function comparePlanned(
  request: CopyRequest & { readonly targetUrl: string },
  plan: CopyPlan,
): Promise<CopyReport> {
  const { target, clock } = request;
  const noted = (await readFinished(target.own.primary))?.tables;
  const tables: TableReport[] = [];
  for (const table of plan.tables) {
    const started = clock.elapsed();
    const copied = await compareTable({ plan: table, target: target.own }, noted?.get(table.name));
    if (copied === null) throw changedSince(request.targetUrl, table.name);
    tables.push({ ...copied, seconds: secondsSince(started, clock) });
  }
  const done = 'This copy was completed before: nothing was written.';
  const notes = [...plan.missing, ...plan.notes, ...noteTables(tables), done];
  return { tables, skipped: plan.skipped, notes, complete: true };
}

function noteChanged(tables: readonly TableReport[]): string[] {
  if (tables.length === 0) return [];
  return [
    `The source has changed since the interrupted run; copied again: ${tables.map(({ table }) => table).join(', ')}.`,
  ];
}
