/** Applies, takes back or lists migrations of the configured store. */
import { AppError } from '../../src/errors/app-error.js';
import { inspectStore } from '../../src/operations/doctor/inspect-store.js';
import { maintenanceLimits } from '../../src/store/base/limits.js';
import { migrateDown, migrateUp, migrationStatus } from '../../src/store/migrations/migrate.js';
import type { Store } from '../../src/store/open/open.js';
import { confirmChange } from '../confirm.js';
import { type Deps, storeOptions } from '../deps.js';
import { writeNote } from '../output.js';
import type { Result } from '../result.js';
import { openExisting } from '../store/open-ready.js';
import { usageError } from '../usage-error.js';
import { migrationRun } from './migration-run.js';

export interface MigrateOptions {
  readonly action: 'up' | 'down' | 'status' | undefined;
  readonly to: string | undefined;
}

export async function runMigrate({ action = 'up', to }: MigrateOptions, deps: Deps): Promise<Result> {
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
}

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
