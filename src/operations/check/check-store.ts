/** Runs every check of `hcd db check`, and keeps a bounded number of findings. */
import { AppError } from '../../errors/app-error.js';
import { readTables } from '../../store/base/columns.js';
import type { Store } from '../../store/open/open.js';
import type { CheckWork, Found, StoreCheck } from './check.js';
import { engineChecks } from './engine-checks.js';
import { numberChecks } from './number-checks.js';
import { orphanChecks } from './orphans.js';
import { outboxChecks } from './outbox-checks.js';
import { treeChecks } from './tree-checks.js';

export const storeChecks: readonly StoreCheck[] = [
  ...engineChecks,
  ...orphanChecks,
  ...treeChecks,
  ...numberChecks,
  ...outboxChecks,
];

export interface Finding extends Required<Omit<Found, 'isRepaired'>> {
  readonly check: string;
  readonly severity: StoreCheck['severity'];
  readonly repaired: boolean;
}

interface CheckRequest extends Omit<CheckWork, 'tables' | 'onStep'> {
  readonly onProgress: (done: number, total: number) => void;
}

const mostListed = 100;

/** With `isRepairing` it repairs in short transactions, while servers and workers run. */
export async function checkStore({ onProgress, ...request }: CheckRequest): Promise<Finding[]> {
  const { store } = request;
  const tables = await readStoreTables(store);
  const all: Finding[] = [];
  for (const [at, check] of storeChecks.entries()) {
    if (check.isOfOwnStore === true && store.kind !== 'own') continue;
    const onStep = (): void => onProgress(at, storeChecks.length);
    // A missing table is one finding, not one more for each check that reads it.
    const lacksTables = all.some(({ check: name }) => name === 'tables');
    const found = await runCheck(check, { work: { ...request, tables, onStep }, lacksTables });
    all.push(...found);
    if (check.isGate === true && found.length > 0) break;
  }
  return all;
}

async function readStoreTables({ content, own, prefix }: Store): Promise<CheckWork['tables']> {
  return new Map([...(await readTables(content.primary, prefix)), ...(await readTables(own.primary, 'hcd_'))]);
}

async function runCheck(
  check: StoreCheck,
  { work, lacksTables }: { readonly work: CheckWork; readonly lacksTables: boolean },
): Promise<Finding[]> {
  const { name, severity, fix } = check;
  const listed: Finding[] = [];
  const counts = new Map<string | null, { number: number; repaired: number }>();
  const add = ({ isRepaired = false, ...found }: Found): void => {
    const count = counts.get(found.table) ?? { number: 0, repaired: 0 };
    counts.set(found.table, { number: count.number + 1, repaired: count.repaired + Number(isRepaired) });
    if (count.number < mostListed) listed.push({ check: name, severity, fix, ...found, repaired: isRepaired });
  };
  try {
    for await (const found of check.find(work)) add(found);
  } catch (error) {
    // A fault of the program is not a finding.
    if (!(error instanceof AppError) || error.kind === 'internal') throw error;
    if (!lacksTables || error.code !== 'database_not_ready')
      add({ table: null, key: null, detail: `could not be checked: ${error.message}` });
  }
  for (const [table, { number, repaired }] of counts) {
    const more = number - mostListed;
    if (more <= 0) continue;
    const detail = `and ${more} more`;
    listed.push({ check: name, severity, table, key: null, detail, fix, repaired: repaired === number });
  }
  return listed;
}
