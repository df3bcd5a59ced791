/** Runs every check of `hcd doctor` in order. A check that cannot run says so; none ends the others. */
import { AppError } from '../../errors/app-error.js';
import { hasTable } from '../../store/base/columns.js';
import { backupChecks } from './backup-checks.js';
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

const groups: Readonly<Record<string, readonly Check[]>> = {
  'This machine': processChecks,
  Database: [...serverChecks, ...fileChecks],
  'Content tables': tableChecks,
  Settings: settingChecks,
  Content: contentChecks,
  'Credentials and secrets': credentialChecks,
  Pages: pageChecks,
  Banners: bannerChecks,
  'Webhooks and the worker': webhookChecks,
  Backups: backupChecks,
};

export const checks: readonly Check[] = Object.values(groups).flat();

export function groupRows(rows: readonly CheckRow[]): readonly [title: string, rows: readonly CheckRow[]][] {
  return Object.entries(groups).flatMap(([title, group]): [string, CheckRow[]][] => {
    const own = rows.filter(({ check }) => group.some(({ name }) => name === check));
    return own.length === 0 ? [] : [[title, own]];
  });
}

export const notChecked = 'not checked: ';

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
  if (configuration instanceof AppError) return warning(`${notChecked}the configuration is not usable`, null);
  if (check.needs === 'configuration') return check.run({ ...facts, configuration });
  if (store === null || store instanceof AppError) return warning(`${notChecked}the database cannot be opened`, null);
  const opened: StoreFacts = { ...facts, configuration, store };
  if (check.needs === 'content' && store.kind === 'empty') {
    return warning(`${notChecked}there are no content tables`, null);
  }
  if (check.table !== undefined && !(await hasTable(store.own.primary, check.table))) {
    return ok(`there is no table ${check.table} yet`);
  }
  return check.run(opened);
}
