/** `hcd migrate [up|down|status]`: the database schema. */
import { choiceValue, textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { inspectStore } from '../src/operations/doctor/inspect-store.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { migrateDown, migrateUp, migrationStatus } from '../src/store/migrations/migrate.js';
import type { Store } from '../src/store/open/open.js';
import { defineCommand, type Result } from './command.js';
import type { Deps } from './deps.js';
import { migrationRun, openExisting, storeOptions } from './open-store.js';
import { writeNote } from './output.js';
import { optional, usageError } from './parameters.js';

export const command = defineCommand({
  description:
    'Applies pending migrations (up), reverts the last migration (down) or lists all migrations (status). On the database of an existing MODX site only tables with the prefix hcd_ are created; its content tables are never created, altered or dropped. Concurrent runs wait for each other.',
  arguments: {
    action: optional(choiceValue(['up', 'down', 'status']), 'Action (default: up)'),
  },
  options: {
    to: optional(textValue(), {
      placeholder: 'NAME',
      description: 'With down: oldest migration to revert (default: the last one)',
    }),
  },
  examples: {
    migrate: 'Apply pending migrations',
    'migrate status --json': 'List all migrations as JSON',
  },
  destructive: { when: { says: 'With down', holds: ({ action }) => action === 'down' } },
  async run({ action = 'up', to }, deps) {
    if (to !== undefined && action !== 'down') throw usageError({ '--to': 'can only be used with down' });
    const target = { ...storeOptions(deps.loadConfig().config), limits: maintenanceLimits };
    const store = await (action === 'up' ? deps.openStore(target) : openExisting(deps, target));
    const run = migrationRun(store);
    if (action === 'status') {
      const steps = await migrationStatus(run);
      return {
        kind: 'list',
        columns: ['name', 'target', 'state', 'applied_at'],
        rows: steps.map(({ name, target, state, appliedAt }) => ({ name, target, state, applied_at: appliedAt })),
        notes: [
          store.kind === 'attached'
            ? 'Attached to the content tables of an existing site.'
            : 'The content tables were created by hcd.',
        ],
      };
    }
    if (action === 'down') {
      await deps.confirm('Revert? This removes the tables of the migration with their data.');
      return changed(await migrateDown(run, to), { word: 'Reverted', nothing: 'No migrations to revert.' });
    }
    await confirmSecondStore(deps, store);
    return changed(await migrateUp(run), { word: 'Applied', nothing: 'The schema is up to date; nothing to do.' });
  },
});

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
