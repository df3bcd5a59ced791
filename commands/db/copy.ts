/** `hcd db copy`: opens the databases, copies one to the other, and renders the report. */

import { existsSync } from 'node:fs';
import { databaseUrlValue, parseDatabaseUrl, resolveDatabaseUrl } from '../../src/config/address-values.js';
import { choiceValue, listValue, tablePrefixValue } from '../../src/config/value-type.js';
import {
  checkAddresses,
  checkPlaces,
  checkSource,
  checkTarget,
  runText,
  sourceNameOf,
} from '../../src/operations/copy/check-databases.js';
import { copyDatabase, planDatabaseCopy } from '../../src/operations/copy/copy-database.js';
import {
  type CopyPlan,
  type CopyReport,
  passingTables,
  type SkippedTable,
} from '../../src/operations/copy/plan-copy.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { cellOf, defineCommand, type Result, tabLine } from '../command.js';
import type { Deps } from '../deps.js';
import { migrationRun, migrations } from '../open-store.js';
import { optional, required, toggle, type Values } from '../parameters.js';
import { renderTable } from '../table.js';

const copyOptions = {
  from: required(databaseUrlValue, 'Database to copy from', { placeholder: 'URL' }),
  to: required(databaseUrlValue, 'Empty database to copy to', { placeholder: 'URL' }),
  fromPrefix: optional(
    tablePrefixValue,
    'Prefix of the content tables in the source (default: the configured content prefix)',
    { placeholder: 'PREFIX' },
  ),
  fromOwn: optional(
    databaseUrlValue,
    'Database of the hcd_ tables of the source, when they are not in the content database',
    { placeholder: 'URL' },
  ),
  tables: optional(
    choiceValue(['core', 'all']),
    'Tables to copy: core skips the tables of MODX extras (default: all)',
    { placeholder: 'WHICH' },
  ),
  include: optional(listValue(choiceValue(passingTables)), 'Skipped tables to copy too, separated by commas', {
    placeholder: 'TABLES',
  }),
  repairEncoding: toggle('Repair texts whose UTF-8 bytes were stored as Latin-1'),
  dryRun: toggle('List the tables without copying them'),
};

export type CopyOptions = Values<typeof copyOptions>;

export const command = defineCommand({
  description:
    'Copies everything from one database to another: from a database of hcd or of an existing MODX site (2.8 to 3.1), to SQLite or MariaDB. The source is only read. The target must be empty or contain an interrupted copy of the same source, which continues after its last committed batch. Nothing else is ever overwritten. Ids stay the same, and tables of MODX extras are copied too. Each table is read back and compared with the source; the exit code is 1 when one differs. Rows of the tables session and manager_log are skipped unless --include names them.',
  options: copyOptions,
  examples: {
    'db copy --from mariadb://site:secret@db.example/modx --to sqlite:./hcd.sqlite':
      'Copy an existing site into a SQLite file',
    'db copy --from sqlite:./hcd.sqlite --to mariadb://hcd:secret@db.example/hcd --dry-run':
      'List the tables that a move to a server would copy',
  },
  run: copyStores,
});

async function copyStores(options: CopyOptions, deps: Deps): Promise<Result> {
  const { fromPrefix, fromOwn, tables = 'all', include = [], repairEncoding, dryRun } = options;
  const { content_prefix: prefix } = deps.loadConfig().config;
  const resolve = (url: string): string => resolveDatabaseUrl(url, deps.cwd);
  const addresses = { from: resolve(options.from), to: resolve(options.to) };
  checkAddresses(addresses.from, addresses.to);
  const source = await deps.openStore({
    databaseUrl: addresses.from,
    ...(fromOwn === undefined ? {} : { ownDatabaseUrl: resolve(fromOwn) }),
    ...{ prefix: fromPrefix ?? prefix, create: false, limits: maintenanceLimits },
  });
  await checkSource(source, { url: addresses.from, runOf: migrationRun });
  const choice = { tables, include, repairEncoding: repairEncoding || undefined };
  const sourceName = sourceNameOf(addresses.from, source.prefix);
  const place = parseDatabaseUrl(addresses.to);
  const isThere = place.dialect !== 'sqlite' || existsSync(place.path);
  const to = { databaseUrl: addresses.to, prefix, create: !dryRun, limits: maintenanceLimits };
  const target = isThere || !dryRun ? await deps.openStore(to) : null;
  if (target !== null) await checkPlaces(source.content, target.content, addresses);
  if (target === null || dryRun) {
    if (target !== null)
      await checkTarget({ target, migrations }, { url: addresses.to, run: runText(sourceName, choice) });
    const { dialect } = place;
    return planResult(deps, await planDatabaseCopy({ source, migrations, place: { prefix, dialect }, ...choice }));
  }
  const report = await deps.progress('Copying and reading back rows', ({ update: onProgress }) =>
    copyDatabase({
      ...{ source, target, migrations, ...choice, sourceName, targetUrl: addresses.to },
      ...{ runOf: migrationRun, clock: deps.clock, onProgress },
    }),
  );
  return reportResult(deps, report);
}

const reportColumns = ['table', 'kind', 'source_rows', 'copied', 'seconds', 'verified'];

function reportResult(deps: Deps, report: CopyReport): Result {
  const failed = report.tables.filter(({ verified }) => !verified).map(({ table }) => table);
  const verdict = report.complete
    ? `Copied and verified ${report.tables.length} tables.`
    : `These tables differ in the target: ${failed.join(', ')}. Stop all writes to both databases and run the same command again: it copies these tables again.`;
  return {
    kind: 'text',
    text: tableText(deps, reportColumns, report.tables),
    data: report,
    notes: [...noteSkipped(report.skipped), ...report.notes, verdict],
    exitCode: report.complete ? 0 : 1,
  };
}

function planResult(deps: Deps, plan: CopyPlan): Result {
  const rows = plan.tables.map((table) => {
    return { table: table.name, kind: table.kind, source_table: table.source.name, source_rows: table.rows };
  });
  const notes = [...plan.missing, ...plan.notes];
  return {
    kind: 'text',
    text: tableText(deps, ['table', 'kind', 'source_table', 'source_rows'], rows),
    data: { tables: rows, skipped: plan.skipped, notes, dry_run: true },
    notes: [...noteSkipped(plan.skipped), ...notes, 'Nothing was changed.'],
  };
}

function noteSkipped(skipped: readonly SkippedTable[]): string[] {
  return skipped
    .filter(({ rows }) => rows > 0)
    .map(({ table, rows, reason }) => `Skipped ${table} with ${rows} rows (${reason}).`);
}

function tableText(deps: Deps, columns: readonly string[], rows: readonly object[]): string {
  const { stdout: output } = deps.io;
  if (output.isTerminal) return renderTable({ columns, rows }, { output, now: deps.clock.now() });
  return rows.map((row) => tabLine(columns.map((column) => cellOf(row, column)))).join('');
}
