/** Decides whether a target may be written: only an empty one, or an unfinished copy of the same source. */

import { maskDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import { readSteps } from '../../store/migrations/former-steps.js';
import type { Migration } from '../../store/migrations/migration.js';
import type { Store } from '../../store/open/open.js';
import { countRows } from '../copy-tables/read-rows.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { readFinished, readProgress } from '../models/copy-progress.js';
import { mapColumns } from './column-map.js';
import type { CopyChoice } from './copy-request.js';
import { ownPrefix, withPattern } from './pattern.js';
import { digestTable } from './row-digest.js';

interface TargetCheck {
  readonly target: Store;
  readonly migrations: readonly Migration[];
  readonly url: string;
  readonly run: string;
}

/** `finished`: perhaps by a process that ended before it could report it. Throws refused with what is in the way. */
export async function checkTarget({
  target,
  migrations,
  url,
  run,
}: TargetCheck): Promise<'new' | 'resumed' | 'finished'> {
  const progress = await readProgress(target.own.primary);
  if (progress !== null) {
    if (progress.run === run) return 'resumed';
    throw new AppError('refused', {
      message: `${maskDatabaseUrl(url)} holds an unfinished copy that was started with other options (${describeRun(progress.run)}). Continue it with the same --from, --from-prefix, --tables and --include, or name an empty database.`,
    });
  }
  if ((await readFinished(target.own.primary))?.run === run) return 'finished';
  const used = await findUsed(target, migrations);
  if (used === undefined) return 'new';
  throw new AppError('refused', {
    message: `${maskDatabaseUrl(url)} is not empty: the table ${used} holds rows that did not come from this copy. Name an empty database, or drop and create this one.`,
  });
}

export function changedSince(url: string, table: string): AppError {
  return new AppError('refused', {
    message: `${maskDatabaseUrl(url)} is not empty: a copy of this source was completed there, and the table ${table} has changed since in one of them. Name an empty database, or drop and create this one.`,
  });
}

export function runText(sourceName: string, { tables, include, repairEncoding }: CopyChoice): string {
  return JSON.stringify({ source: sourceName, tables, include: [...include].sort(), repairEncoding });
}

function describeRun(text: string): string {
  const run: unknown = JSON.parse(text);
  if (typeof run !== 'object' || run === null) return text;
  return Object.entries(run)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(',') || 'nothing' : String(value)}`)
    .join(', ');
}

/** A table with other rows than the migrations of the target have put there; undefined without one. */
export async function findUsed(target: Store, migrations: readonly Migration[]): Promise<string | undefined> {
  const applied = (await readSteps(target.own.primary, { migrations })).flatMap(({ name, appliedAt }) =>
    appliedAt === null ? [] : name,
  );
  const steps = migrations.filter(({ name }) => applied.includes(name));
  const { content, prefix } = target;
  return withPattern({ steps, prefix }, async (pattern) => {
    for (const tables of [prefix, ownPrefix]) {
      const known = await readShapes(pattern.content.primary, tables);
      for (const table of (await readShapes(content.primary, tables)).values()) {
        if (table.name === 'hcd_migrations' || table.name === 'hcd_copy') continue;
        const rows = await countRows(content.primary, table.name);
        if (rows === 0) continue;
        const same = known.get(table.name);
        if (same === undefined || rows !== (await countRows(pattern.content.primary, same.name))) return table.name;
        // A changed setting must not be lost.
        const { targetColumns: columns, kinds } = mapColumns(same, table);
        const here = await digestTable(content.primary, { table, columns, kinds });
        if (!here.isSame(await digestTable(pattern.content.primary, { table: same, columns, kinds })))
          return table.name;
      }
    }
    return undefined;
  });
}
