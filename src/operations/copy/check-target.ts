/** Decides whether a target may be written: only an empty one, or an unfinished copy of the same source. */

import { maskDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { hasTable } from '../../store/state/ledger.js';
import { countRows } from '../copy-tables/read-rows.js';
import { readShapes } from '../copy-tables/read-shapes.js';
import { readFinished, readProgress } from '../models/copy-progress.js';
import { mapColumns } from './column-map.js';
import type { CopyChoice } from './copy-request.js';
import { ownPrefix } from './plan-copy.js';
import { digestTable } from './row-digest.js';

interface TargetCheck {
  readonly target: Store;
  readonly pattern: Store;
  readonly url: string;
  readonly run: string;
}

/** `finished`: perhaps by a process that ended before it could report it. Throws refused with what is in the way. */
export async function checkTarget({ target, pattern, url, run }: TargetCheck): Promise<'new' | 'resumed' | 'finished'> {
  const progress = await readProgress(target.own.primary);
  if (progress !== null) {
    if (progress.run === run) return 'resumed';
    throw new AppError('refused', {
      message: `${maskDatabaseUrl(url)} holds an unfinished copy that was started with other options (${describeRun(progress.run)}). Continue it with the same --from, --from-prefix, --tables and --include, or name an empty database.`,
    });
  }
  if ((await readFinished(target.own.primary))?.run === run) return 'finished';
  const used = await findUsed(target, pattern);
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

/** A table with other rows than a newly migrated store has; undefined without one. */
export async function findUsed(target: Store, pattern: Store): Promise<string | undefined> {
  const prefixes = [
    { mine: target.prefix, theirs: pattern.prefix },
    { mine: ownPrefix, theirs: ownPrefix },
  ];
  const stepsOf = async ({ own }: Store) =>
    (await hasTable(own.primary, 'hcd_migrations')) ? countRows(own.primary, 'hcd_migrations') : 0;
  const isMigrated = (await stepsOf(target)) === (await stepsOf(pattern));
  for (const { mine, theirs } of prefixes) {
    const known = await readShapes(pattern.content.primary, theirs);
    for (const table of (await readShapes(target.content.primary, mine)).values()) {
      if (table.name === 'hcd_migrations' || table.name === 'hcd_copy') continue;
      const rows = await countRows(target.content.primary, table.name);
      if (rows === 0) continue;
      const same = known.get(theirs + table.name.slice(mine.length));
      if (same === undefined || rows !== (await countRows(pattern.content.primary, same.name))) return table.name;
      // Steps that a killed copy left may change the rows of the earlier ones.
      if (!isMigrated) continue;
      // Rows of the migrations, perhaps changed since: a changed setting must not be lost.
      const { targetColumns, kinds } = mapColumns(same, table);
      const columns = { columns: targetColumns, kinds };
      const [here, there] = [
        await digestTable(target.content.primary, { table, ...columns }),
        await digestTable(pattern.content.primary, { table: same, ...columns }),
      ];
      if (!here.isSame(there)) return table.name;
    }
  }
  return undefined;
}
