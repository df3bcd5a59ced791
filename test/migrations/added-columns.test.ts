/** A column that is added to a table. */
import { expect, test } from 'vitest';
import { migrations } from '../../migrations/list.js';
import { columnsOf, nullable } from '../../migrations/table.js';
import { migrateDown, migrateUp } from '../../src/store/migrations/migrate.js';
import type { Migration } from '../../src/store/migrations/migration.js';
import { describeEachDatabase } from '../support/databases.js';
import { migratedStore, schemaDump } from './store.js';

/** Its column is there already when the step starts again. */
const later: Migration = {
  name: '2027-01-01T01-own-later',
  target: 'own',
  ...columnsOf('previews', [nullable('more', 'int(10)'), nullable('note', 'text')]),
};

describeEachDatabase('a step that adds columns', (database) => {
  test('completes what an interrupted run began, up and down', async () => {
    const run = await migratedStore(await database.url());
    const before = await schemaDump(run.own);
    const newer = { ...run, migrations: [...migrations, later] };
    await run.own.write((tx) => tx.run({ sql: 'ALTER TABLE hcd_previews ADD COLUMN `more` INTEGER NULL', params: [] }));
    expect(await migrateUp(newer)).toEqual([later.name]);
    expect((await schemaDump(run.own)).hcd_previews).toMatch(/`more`.*`note`/s);
    await run.own.write((tx) => tx.run({ sql: 'ALTER TABLE hcd_previews DROP COLUMN `note`', params: [] }));
    expect(await migrateDown(newer)).toEqual([later.name]);
    expect(await schemaDump(run.own)).toEqual(before);
  });
});
