/** `hcd migrate [up|down|status]`: the database schema. */
import { choiceValue, textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { inspectStore } from '../src/operations/doctor/inspect-store.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import {
  type Direction,
  type MigrationRun,
  migrateDown,
  migrateUp,
  migrationStatus,
  stepsToDo,
} from '../src/store/migrations/migrate.js';
import type { Store } from '../src/store/open/open.js';
import { countOf } from '../src/values/text.js';
import { defineCommand, type Result } from './command.js';
import type { Deps } from './deps.js';
import { migrationRun, openExisting, storeOptions } from './open-store.js';
import { writeNote } from './output.js';
import { optional, toggle, usageError } from './parameters.js';

export const command = defineCommand({
  description:
    'Applies pending migrations (up), reverts the last migration (down) or lists all migrations (status). On the database of an existing MODX site only tables with the prefix hcd_ are created; its content tables are never created, altered or dropped. Concurrent runs wait for each other.',
  arguments: {
    action: optional(choiceValue(['up', 'down', 'status']), 'Action (default: up)'),
  },
  options: {
    to: optional(textValue(), 'With down: oldest migration to revert (default: the last one)', { placeholder: 'NAME' }),
    dryRun: toggle('With up or down: print the SQL statements and change nothing'),
  },
  examples: {
    migrate: 'Apply pending migrations',
    'migrate --dry-run': 'Print the SQL statements of the pending migrations',
    'migrate status --json': 'List all migrations as JSON, pending ones with their SQL statements',
  },
  destructive: { when: { says: 'With down', holds: ({ action, dryRun }) => action === 'down' && !dryRun } },
  async run({ action = 'up', to, dryRun }, deps) {
    if (to !== undefined && action !== 'down') throw usageError({ '--to': 'can only be used with down' });
    if (dryRun && action === 'status') throw usageError({ '--dry-run': 'can only be used with up or down' });
    const target = { ...storeOptions(deps.loadConfig().config), limits: maintenanceLimits };
    const store = await (action === 'up' && !dryRun ? deps.openStore(target) : openExisting(deps, target));
    const run = migrationRun(store);
    if (action === 'status') return listSteps(run);
    if (dryRun) return printSql(run, action, to);
    if (action === 'down') {
      await deps.confirm('Revert? This removes the tables of the migration with their data.');
      return changed(await migrateDown(run, to), { word: 'Reverted', nothing: 'No migrations to revert.' });
    }
    await confirmSecondStore(deps, store);
    return changed(await migrateUp(run), { word: 'Applied', nothing: 'The schema is up to date; nothing to do.' });
  },
});

async function listSteps(run: MigrationRun): Promise<Result> {
  const steps = await migrationStatus(run);
  const rows = await Promise.all(
    steps.map(async ({ name, target, state, appliedAt, writtenBy }) => {
      const sql = state === 'pending' ? await sqlOf(run, { name, direction: 'up' }) : [];
      return { name, target, state, applied_at: appliedAt, written_by: writtenBy, sql };
    }),
  );
  const isPending = steps.some(({ state }) => state === 'pending');
  return {
    kind: 'list',
    columns: ['name', 'target', 'state', 'applied_at'],
    rows,
    notes: [
      run.kind === 'attached'
        ? 'Attached to the content tables of an existing site.'
        : 'The content tables were created by hcd.',
      isPending && 'hcd migrate --dry-run prints the SQL of the pending migrations.',
    ],
  };
}

/** The ledger of the program is not part of a step. */
async function printSql(run: MigrationRun, direction: Direction, to: string | undefined): Promise<Result> {
  const steps = await stepsToDo(run, direction, to);
  const planned = await Promise.all(
    steps.map(async ({ name, target }) => ({ name, target, sql: await sqlOf(run, { name, direction }) })),
  );
  return {
    kind: 'text',
    text: planned.map(({ name, target, sql }) => `-- ${name} (${target})\n${sql.map(ended).join('')}`).join('\n'),
    data: { dry_run: true, migrations: steps.map(({ name }) => name), steps: planned },
    notes: [
      `${countOf(steps.length, 'migration')} would be ${direction === 'up' ? 'applied' : 'reverted'}. Nothing was changed.`,
      steps.length > 0 && 'hcd migrate also records each migration in the table hcd_migrations.',
    ],
  };
}

async function sqlOf(
  run: MigrationRun,
  { name, direction }: { readonly name: string; readonly direction: Direction },
): Promise<string[]> {
  const step = run.migrations.find((one) => one.name === name);
  return step === undefined ? [] : (await import('../src/store/migrations/step-sql.js')).stepSql(run, step, direction);
}

function ended(sql: string): string {
  return `${sql.replace(/;\s*$/, '')};\n`;
}

/** A wrong prefix would create an empty site next to the intended one. */
async function confirmSecondStore(deps: Deps, store: Store): Promise<void> {
  if (store.kind !== 'empty') return;
  const { otherPrefixes } = await inspectStore(store);
  if (otherPrefixes.length === 0) return;
  const found = otherPrefixes.map((prefix) => (prefix === '' ? '(none)' : prefix)).join(', ');
  writeNote(
    deps.io.stderr,
    `The database contains a site with the table prefix ${found}. To serve that site, set HCD_CONTENT_PREFIX.`,
  );
  const question = {
    message: `Create a second, empty site with the prefix ${store.prefix} in the same database?`,
    flag: '--yes',
  };
  if (!(await deps.prompt.confirm(question))) throw new AppError('refused', { message: 'Nothing was changed' });
}

function changed(names: readonly string[], texts: { readonly word: string; readonly nothing: string }): Result {
  const message = names.length === 0 ? texts.nothing : `${texts.word} ${names.length}: ${names.join(', ')}`;
  return { kind: 'done', message, data: { migrations: [...names] } };
}
