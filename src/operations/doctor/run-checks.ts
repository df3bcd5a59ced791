/** Runs every check of `hcd doctor` in order. A check that cannot run says so; none ends the others. */
import { AppError } from '../../errors/app-error.js';
import { hasTable } from '../../store/state/ledger.js';
import { type Check, type Facts, type Finding, ok, type StoreFacts, warning } from './check.js';
import { bannerChecks, contentChecks, pageChecks } from './content-checks.js';
import { credentialChecks } from './credential-checks.js';
import { fileChecks, processChecks } from './process-checks.js';
import { serverChecks } from './server-checks.js';
import { settingChecks } from './setting-checks.js';
import { tableChecks } from './table-checks.js';
import { webhookChecks } from './webhook-checks.js';

export interface CheckRow extends Finding {
  readonly check: string;
}

/** All checks in the order in which their findings are shown. */
export const checks: readonly Check[] = [
  ...processChecks,
  ...serverChecks,
  ...fileChecks,
  ...tableChecks,
  ...settingChecks,
  ...contentChecks,
  ...credentialChecks,
  ...pageChecks,
  ...bannerChecks,
  ...webhookChecks,
];

/** One row per finding. */
export async function runChecks(facts: Facts): Promise<readonly CheckRow[]> {
  const rows: CheckRow[] = [];
  for (const check of checks) {
    for (const finding of await findingsOf(check, facts)) rows.push({ check: check.name, ...finding });
  }
  return rows;
}

async function findingsOf(check: Check, facts: Facts): Promise<readonly Finding[]> {
  try {
    const found = await run(check, facts);
    return 'state' in found ? [found] : found;
  } catch (cause) {
    // A fault of the program is not a finding.
    if (!(cause instanceof AppError) || cause.kind === 'internal') throw cause;
    return [{ state: 'error', detail: `could not be checked: ${cause.message}`, fix: null }];
  }
}

async function run(check: Check, facts: Facts): Promise<Awaited<ReturnType<Check['run']>>> {
  if (check.needs === 'nothing') return check.run(facts);
  const { configuration, store } = facts;
  if (configuration instanceof AppError) return warning('not checked: the configuration is not usable', null);
  if (check.needs === 'configuration') return check.run({ ...facts, configuration });
  if (store === null || store instanceof AppError) return warning('not checked: the database cannot be opened', null);
  const opened: StoreFacts = { ...facts, configuration, store };
  if (check.needs === 'content' && store.kind === 'empty') {
    return warning('not checked: there are no content tables', null);
  }
  if (check.table !== undefined && !(await hasTable(store.own.primary, check.table))) {
    return ok(`there is no table ${check.table} yet`);
  }
  return check.run(opened);
}
