/** The content of a real site moves into an empty database of another kind, and is exported from there as it was. */
import { expect, it } from 'vitest';
import type { Store } from '../../../src/store/open/open.js';
import { freshSqliteUrl } from '../../support/databases.js';
import { describeWithFixture, loadFixture } from '../../support/fixture.js';
import { openMigrated } from '../../support/migrate.js';
import { patientLimits } from '../../support/patient-limits.js';
import { exportText, importText, migratedStore } from './transfer-store.js';

describeWithFixture('a real site', () => {
  it('is exported, imported into an empty SQLite database, and exported the same', async () => {
    const attached: Store = await openMigrated({
      databaseUrl: await loadFixture(),
      prefix: 'modx_',
      limits: patientLimits,
    });
    const empty = await migratedStore(await freshSqliteUrl());
    try {
      // The types of a new store, some of which the site lacks.
      await empty.content.write((tx) => tx.run({ sql: 'DELETE FROM `modx_content_type`', params: [] }));
      const text = await exportText(attached);
      const counts = await importText(empty, text);
      expect(counts.created + counts.updated + counts.unchanged).toBe(text.split('\n').length - 2);
      expect(await exportText(empty)).toBe(text);
      expect(await importText(attached, text)).toMatchObject({ created: 0, updated: 0 });
    } finally {
      await attached.close();
      await empty.close();
    }
  });
});
