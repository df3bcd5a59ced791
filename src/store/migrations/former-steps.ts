/** Steps from before version 0.1.0, which were merged into those of one day. They made the same tables. */
import { AppError } from '../../errors/app-error.js';
import type { Reader, Tx } from '../base/database.js';
import { type LedgerRow, readLedger, recordApplied, removeRecord } from './ledger.js';
import type { Migration } from './migration.js';

type Steps = readonly Pick<Migration, 'name' | 'target'>[];

const mergedOn = '2026-11-28T';
const lastFormer = ['2026-11-26T01-own-preview-log-ins', '2026-11-28T01-content-alias-slashes'];
const lastMerged = '2026-11-28T12-own-search';

/** The ledger under the present names. Throws database_not_ready unless all former steps were applied. */
export async function readSteps(reader: Reader, { migrations }: { readonly migrations: Steps }): Promise<LedgerRow[]> {
  const ledger = await readLedger(reader);
  const applied = ledger.filter(({ appliedAt }) => appliedAt !== null).map(({ name }) => name);
  const present = presentNames(applied, migrations);
  if (present === applied) return ledger;
  const { appliedAt = null, writtenBy = null } = ledger.at(-1) ?? {};
  return present.map((name) => ({ name, appliedAt, writtenBy }));
}

export async function renameSteps(
  tx: Tx,
  run: { readonly migrations: Steps; readonly version: string },
): Promise<LedgerRow[]> {
  const ledger = await readLedger(tx);
  const steps = await readSteps(tx, run);
  const former = ledger.filter(({ name }) => !steps.some((step) => step.name === name));
  if (former.length === 0) return steps;
  for (const { name } of former) await removeRecord(tx, name);
  for (const { name } of steps) await recordApplied(tx, { name, version: run.version });
  return steps;
}

/** The present names of the applied steps. Throws database_not_ready unless all former steps were applied. */
function presentNames(applied: readonly string[], migrations: Steps): readonly string[] {
  const former = applied.filter((name) => name < mergedOn || lastFormer.includes(name));
  if (former.length === 0) return applied;
  const hasContent = former.some((name) => name.includes('-content-'));
  if (!lastFormer.slice(0, hasContent ? 2 : 1).every((name) => former.includes(name))) {
    throw new AppError('database_not_ready', {
      message: `Migration ${former.at(-1)} is of an unreleased version of hcd, and later ones of it are missing. Run hcd migrate of the last version before they were merged, then this one.`,
    });
  }
  return migrations
    .filter(({ name, target }) => name <= lastMerged && (target === 'own' || hasContent))
    .map(({ name }) => name);
}
