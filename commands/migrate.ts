/** `hcd migrate [up|down|status]`: the schema of the store. */
import { choiceValue, textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import { inspectStore } from '../src/operations/doctor/inspect-store.js';
import { maintenanceLimits } from '../src/store/base/limits.js';
import { migrateDown, migrateUp, migrationStatus } from '../src/store/migrations/migrate.js';
import type { Store } from '../src/store/open/open.js';
import { defineCommand } from './command.js';
import { confirmChange } from './confirm.js';
import { type Deps, storeOptions } from './deps.js';
import { migrationRun } from './migrate/migration-run.js';
import { writeNote } from './output.js';
import { optional } from './parameters.js';
import type { Result } from './result.js';
import { openExisting } from './store/open-ready.js';
import { usageError } from './usage-error.js';

export const command = defineCommand({
  path: 'migrate',
  summary: 'Bring the schema of the database up to date',
  description:
    'Applies what is pending (up, the default), takes back the last step (down) or lists every step (status). On the database of an existing MODX site only the tables with the prefix hcd_ are made; its content tables are never created, altered or dropped. Several runs at once wait for each other.',
  arguments: {
    action: optional(choiceValue(['up', 'down', 'status']), {
      placeholder: 'ACTION',
      description: 'What to do; up when left out',
    }),
  },
  options: {
    to: optional(textValue(), {
      placeholder: 'NAME',
      description: 'With down: take back all steps down to and including this one',
    }),
  },
  examples: [
    { line: 'migrate', does: 'Apply what is pending' },
    { line: 'migrate status --json', does: 'List the steps for a script' },
  ],
  destructive: { when: { says: 'Down removes tables with their data:', holds: ({ action }) => action === 'down' } },
  async run({ action = 'up', to }, deps) {
    if (to !== undefined && action !== 'down') throw usageError({ '--to': 'is for down only' });
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
            : 'The content tables are our own.',
        ],
      };
    }
    if (action === 'down') {
      await confirmChange(deps, 'Taking back a step removes its tables with their data. Go on?');
      return changed(await migrateDown(run, to), { word: 'Took back', nothing: 'Nothing to take back.' });
    }
    await confirmSecondStore(deps, store);
    return changed(await migrateUp(run), { word: 'Applied', nothing: 'Nothing to do: the schema is up to date.' });
  },
});

/** A wrong prefix would make an empty store beside the site that was meant. */
async function confirmSecondStore(deps: Deps, store: Store): Promise<void> {
  if (store.kind !== 'empty') return;
  const { otherPrefixes } = await inspectStore(store);
  if (otherPrefixes.length === 0) return;
  const found = otherPrefixes.map((prefix) => (prefix === '' ? '(none)' : prefix)).join(', ');
  writeNote(
    deps.io.stderr,
    `The database holds a site whose tables have the prefix ${found}. To serve it, set HCD_CONTENT_PREFIX.`,
  );
  const question = { message: `Make a second, empty store with the prefix ${store.prefix} beside it?`, flag: '--yes' };
  if (!(await deps.prompt.confirm(question))) throw new AppError('refused', { message: 'Nothing was changed' });
}

function changed(names: readonly string[], texts: { readonly word: string; readonly nothing: string }): Result {
  const message = names.length === 0 ? texts.nothing : `${texts.word} ${names.length}: ${names.join(', ')}`;
  return { kind: 'done', message, data: { migrations: [...names] } };
}
