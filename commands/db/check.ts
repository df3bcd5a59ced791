/** `hcd db check`: checks the whole store, and repairs what can be repaired. */

import { checkStore, type Finding, storeChecks } from '../../src/operations/check/check-store.js';
import { withPattern } from '../../src/operations/copy/plan-copy.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { countOf, escapeControls } from '../../src/values/text.js';
import { defineCommand, tabLine } from '../command.js';
import type { Deps } from '../deps.js';
import { migrationRun, openExisting, storeOptions } from '../open-store.js';
import { type Paint, paintFor } from '../paint.js';
import { toggle } from '../parameters.js';
import { proseWidth, wrapNote } from '../terminal-text.js';

export const command = defineCommand({
  description:
    'Checks the whole store: the integrity of the database engine, the schema, rows whose owner is gone, the tree and its addresses, ids and numbers that are counted, totals of the statistics, deliveries, encrypted secrets and published pages. Prints each finding with its fix; the exit code is 1 while findings remain. Servers and workers can run meanwhile.\n\n--repair removes rows that nothing reaches any longer, rebuilds the table of ancestors of categories, the totals and the counters, and cancels deliveries whose subscription was removed. It never changes addresses and parents, and never writes tables of a CMS.',
  options: { repair: toggle('Repair what can be repaired without loss') },
  examples: {
    'db check': 'Check the configured database',
    'db check --repair --json': 'Repair what can be repaired and print the findings as JSON',
  },
  async run({ repair }, deps) {
    const findings = await check(deps, repair);
    const left = findings.filter(({ repaired }) => !repaired);
    const { stdout } = deps.io;
    return {
      kind: 'text',
      text: stdout.isTerminal ? textOf(findings, deps) : findings.map(lineOf).join(''),
      data: { findings },
      notes: [summary(findings, left)],
      exitCode: left.length > 0 ? 1 : 0,
    };
  },
});

async function check(deps: Deps, isRepairing: boolean): Promise<Finding[]> {
  const { config } = deps.loadConfig();
  const options = { ...storeOptions(config), readUrls: [], repairEncoding: false, limits: maintenanceLimits };
  const store = await openExisting(deps, options);
  const run = migrationRun(store);
  const { env, clock } = deps;
  return deps.progress('Checking', ({ update: onProgress }) =>
    withPattern({ steps: run.migrations, prefix: store.prefix }, (pattern) =>
      checkStore({ store, pattern, run, secret: config.secret, env, clock, isRepairing, onProgress }),
    ),
  );
}

function lineOf({ check: name, severity, table, key, detail, fix, repaired }: Finding): string {
  return tabLine([name, severity, table, key, detail, fix, repaired]);
}

function textOf(findings: readonly Finding[], { io: { stdout } }: Deps): string {
  const paint = paintFor(stdout);
  const width = proseWidth(stdout);
  const names = [...new Set(findings.map((finding) => finding.check))];
  const groups = names.map((name) => {
    const found = findings.filter((finding) => finding.check === name);
    const about = storeChecks.find((one) => one.name === name)?.about ?? name;
    const fixes = [...new Set(found.filter(({ repaired }) => !repaired).map(({ fix }) => fix))];
    const lines = [
      `${headOf(found, paint)} ${paint.bold(name)}: ${about}`,
      ...found.map((finding) => `  ${rowOf(finding, paint)}`),
      ...fixes.map((fix) => `  ${paint.bold('Fix:')} ${fix}`),
    ];
    return lines.map((line) => `${wrapNote(line, width)}\n`).join('');
  });
  return groups.join('\n');
}

function headOf(found: readonly Finding[], paint: Paint): string {
  if (found.every(({ repaired }) => repaired)) return paint.green('repaired');
  return found[0]?.severity === 'error' ? paint.red('error') : paint.yellow('warning');
}

function rowOf({ table, key, detail, repaired }: Finding, paint: Paint): string {
  const place = [table, key].filter((part) => part !== null).join(' ');
  const text = escapeControls(`${place === '' ? '' : `${place}: `}${detail}`);
  return `${text}${repaired ? paint.dim(' (repaired)') : ''}`;
}

function summary(findings: readonly Finding[], left: readonly Finding[]): string {
  if (findings.length === 0) return 'No problems found.';
  const repaired = findings.length - left.length;
  const errors = left.filter(({ severity }) => severity === 'error').length;
  const open = `${countOf(errors, 'error')}, ${countOf(left.length - errors, 'warning')}`;
  return repaired === 0 ? `${open}.` : `${open} left, ${repaired} repaired.`;
}
