/** `hcd doctor`: finds problems and how to fix them. Changes nothing. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { LoadedConfig } from '../src/config/load.js';
import { AppError } from '../src/errors/app-error.js';
import { escapeControls } from '../src/log/escape.js';
import { type CheckRow, runChecks } from '../src/operations/doctor/run-checks.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import type { Store } from '../src/store/open/open.js';
import { defineCommand } from './command.js';
import type { Deps } from './deps.js';
import { migrationRun, storeOptions } from './open-store.js';
import { type Paint, paintFor } from './paint.js';
import { countOf } from './terminal-text.js';

export const command = defineCommand({
  description:
    'Checks Node.js, the configuration, the database and its server, the content tables, settings and resources, and prints a row for each finding. Changes nothing: SQL statements that fix a problem are only printed. The exit code is 1 when there are errors, and 0 when there are only warnings. Checks that cannot run, for example while the database is down, are listed too.',
  examples: {
    doctor: 'Check the configured installation',
    'doctor --database mariadb://hcd@db.example/site --json': 'Check another database and print the findings as JSON',
  },
  /** Collects what is known without a check, runs the checks, and renders their rows. */
  async run(_options, deps) {
    const configuration = attempt(() => deps.loadConfig());
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
    const warnings = rows.filter(({ state }) => state === 'warning').length;
    return {
      kind: 'list',
      columns: ['check', 'state', 'detail', 'fix'],
      rows: rows.map((row) => ({ ...row })),
      notes: [...fullTexts(rows, deps), summary({ errors, warnings })],
      exitCode: errors > 0 ? 1 : 0,
    };
  },
});

function attempt(load: () => LoadedConfig): LoadedConfig | AppError {
  try {
    return load();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function findFile({ cwd, flags }: Deps): string | null {
  const path = resolve(cwd, flags.config ?? 'hcd.toml');
  return existsSync(path) ? path : null;
}

/** Makes no file: null when the embedded database does not exist yet. */
async function openExisting(deps: Deps, { config }: LoadedConfig): Promise<Store | AppError | null> {
  if (config.database.startsWith('sqlite:') && !existsSync(config.database.slice('sqlite:'.length))) return null;
  try {
    return await deps.openStore({ ...storeOptions(config), limits: maintenanceLimits, create: false });
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

/** A table on a terminal cuts long texts, so problems are printed in full under it. */
function fullTexts(rows: readonly CheckRow[], { io }: Deps): string[] {
  if (!io.stdout.isTerminal) return [];
  return rows
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, detail, fix }) => {
      const first = `${painted(state, paintFor(io.stderr))} ${check}: ${escapeControls(detail)}`;
      return fix === null ? first : `${first}\n  ${escapeControls(fix)}`;
    });
}

function painted(state: CheckRow['state'], paint: Paint): string {
  return state === 'error' ? paint.red(state) : paint.yellow(state);
}

function summary({ errors, warnings }: { readonly errors: number; readonly warnings: number }): string {
  if (errors === 0 && warnings === 0) return 'No problems found.';
  return `${countOf(errors, 'error')}, ${countOf(warnings, 'warning')}.`;
}
