/** `hcd doctor`: finds problems and how to fix them. Changes nothing. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LoadedConfig } from '../src/config/load.js';
import { AppError } from '../src/errors/app-error.js';
import { type CheckRow, groupRows, notChecked, runChecks } from '../src/operations/doctor/run-checks.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import type { Store } from '../src/store/open/open.js';
import { countOf, escapeControls } from '../src/values/text.js';
import { defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { migrationRun, storeOptions } from './open-store.js';
import { type Paint, paintFor } from './paint.js';
import { toggle } from './parameters.js';
import type { Output } from './streams.js';
import { proseWidth, wrapNote, wrapText, wrapWords } from './terminal-text.js';

export const command = defineCommand({
  description:
    'Checks Node.js, the configuration, the database and its server, the content tables, settings and resources, and prints what it finds, by subject, and how to fix it. --all also lists the checks that found nothing; JSON always has all of them. Changes nothing: SQL statements that fix a problem are only printed. The exit code is 1 when there are errors, and 0 when there are only warnings. Checks that cannot run, for example while the database is down, are counted; --all and JSON list them.',
  options: { all: toggle('Also list the checks that found nothing') },
  examples: {
    doctor: 'Check the configured installation',
    'doctor --all': 'List every check with its result',
    'doctor --database mariadb://hcd@db.example/site --json': 'Check another database and print the findings as JSON',
  },
  async run({ all }, deps) {
    const configuration = await Promise.resolve()
      .then(() => deps.loadConfig())
      .catch(orRefusal);
    const rows = await runChecks({
      nodeVersion: process.versions.node,
      env: deps.env,
      clock: deps.clock,
      configFile: findFile(deps),
      configuration,
      store: configuration instanceof AppError ? null : await openExisting(deps, configuration),
      migrationRun,
    });
    const errors = rows.filter(({ state }) => state === 'error').length;
    const warnings = rows.filter((row) => row.state === 'warning' && !isNotChecked(row)).length;
    const shown = all || deps.flags.json ? rows : rows.filter(({ state }) => state !== 'ok');
    const outcome = { notes: [summary({ errors, warnings })], exitCode: errors > 0 ? 1 : 0 } as const;
    if (deps.io.stdout.isTerminal && !deps.flags.json) {
      return { kind: 'text', text: textOf(shown, { output: deps.io.stdout, all }), data: null, ...outcome };
    }
    const columns = ['check', 'state', 'detail', 'fix'];
    if (all || deps.flags.json) return { kind: 'list', columns, rows: shown, ...outcome };
    const found = shown.filter((row) => !isNotChecked(row));
    return { kind: 'list', columns, rows: found, ...outcome, notes: [...notRun(shown), ...outcome.notes] };
  },
});

function orRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function findFile({ cwd, flags }: Deps): string | null {
  const path = resolve(cwd, flags.config ?? 'hcd.toml');
  return existsSync(path) ? path : null;
}

/** Null when the embedded database does not exist yet, so that no file is made. */
async function openExisting(deps: Deps, { config }: LoadedConfig): Promise<Store | AppError | null> {
  if (config.database.startsWith('sqlite:') && !existsSync(config.database.slice('sqlite:'.length))) return null;
  const options = { ...storeOptions(config), repairEncoding: false, limits: maintenanceLimits };
  return deps.openStore({ ...options, create: false }).catch(orRefusal);
}

/** Checks that could not run for one reason are one line. */
function textOf(
  rows: readonly CheckRow[],
  { output, all }: { readonly output: Output; readonly all: boolean },
): string {
  const width = proseWidth(output);
  const paint = paintFor(output);
  const parts = groupRows(all ? rows : rows.filter((row) => !isNotChecked(row))).map(([title, own]) =>
    [paint.bold(title), ...own.flatMap((row) => linesOf(row, { width, paint }))].join('\n'),
  );
  const skipped = all ? [] : notRun(rows).map((line) => wrapNote(line, width));
  return [...parts, ...skipped].map((part) => `${part}\n`).join('\n');
}

function isNotChecked({ detail }: CheckRow): boolean {
  return detail.startsWith(notChecked);
}

function notRun(rows: readonly CheckRow[]): string[] {
  const reasons = new Map<string, number>();
  for (const { detail } of rows.filter(isNotChecked)) reasons.set(detail, (reasons.get(detail) ?? 0) + 1);
  return [...reasons].map(([detail, times]) => {
    return `${countOf(times, 'check')} could not run: ${detail.slice(notChecked.length)}.`;
  });
}

function linesOf(
  { check, state, detail, fix }: CheckRow,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const [first = '', ...others] = wrapWords(escapeControls(`${state} ${check}: ${detail}`), width - 4);
  const colour = { ok: paint.green, warning: paint.yellow, error: paint.red }[state];
  return [
    `  ${colour(state)}${first.slice(state.length)}`,
    ...others.map((line) => `    ${line}`),
    ...(fix === null ? [] : [wrapText(`Fix: ${escapeControls(fix)}`, { indent: 4, width })]),
  ];
}

function summary({ errors, warnings }: { readonly errors: number; readonly warnings: number }): string {
  if (errors === 0 && warnings === 0) return 'No problems found.';
  return `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}.`;
}
