/** Checks of numbers that must not be behind: ids that tables count, numbers of changes, and sums of events. */

import { adDays, referrerDays } from '../../banners/models/events.js';
import { describeSum, keptDays, recountDays } from '../../banners/statistics/find-wrong-sums.js';
import { changes } from '../../content/models/changes.js';
import { readRuntimeSettings } from '../../content/settings/settings.js';
import { siteRevisionKey } from '../../pages/authoring/write-page.js';
import { pages } from '../../pages/models/pages.js';
import { repeatable } from '../../store/base/database.js';
import { contentGenerationKey, readState, writeState } from '../../store/state/state.js';
import { deliveries } from '../../webhooks/models/deliveries.js';
import { type CheckWork, type Found, repairs, type StoreCheck, selectSlowly } from './check.js';

export const numberChecks: readonly StoreCheck[] = [
  {
    name: 'sequences',
    severity: 'error',
    about: 'Tables whose next id may have been given out before',
    fix: repairs,
    find: findLateSequences,
  },
  {
    name: 'generations',
    severity: 'error',
    about: 'Numbers of changes that are lower than those that were given out',
    fix: repairs,
    find: findLateNumbers,
  },
  {
    name: 'banner-sums',
    severity: 'warning',
    about: 'Sums of clicks and impressions that do not match their events',
    fix: repairs,
    find: findWrongSums,
  },
];

/** MariaDB raises its sequences itself. */
async function* findLateSequences(work: CheckWork): AsyncGenerator<Found> {
  const { store, tables, isRepairing } = work;
  for (const database of new Set([store.content, store.own])) {
    if (database.dialect !== 'sqlite') continue;
    const counting = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' ORDER BY name";
    for (const table of (await selectSlowly(work, database, counting)).map(([name]) => String(name))) {
      const columns = [...(tables.get(table)?.columns.values() ?? [])];
      const column = columns.find(({ isCounted }) => isCounted)?.name;
      if (column === undefined || (store.kind === 'attached' && !table.startsWith('hcd_'))) continue;
      const used = `(SELECT COALESCE(MAX(\`${column}\`), 0) FROM \`${table}\`)`;
      const counted = 'COALESCE((SELECT seq FROM sqlite_sequence WHERE name = ?), 0)';
      const [row] = await selectSlowly(work, database, `SELECT ${used}, ${counted}`, [table]);
      const [last, sequence] = (row ?? []).map(Number);
      if (last === undefined || sequence === undefined || sequence >= last) continue;
      if (isRepairing) {
        await database.write(async (tx) => {
          await tx.run({ sql: 'DELETE FROM sqlite_sequence WHERE name = ?', params: [table] });
          await tx.run({ sql: `INSERT INTO sqlite_sequence (name, seq) VALUES (?, ${used})`, params: [table] });
        }, repeatable);
      }
      const detail = `the sequence is at ${sequence}, and the id ${last} is in use`;
      yield { table, key: null, detail, isRepaired: isRepairing };
    }
  }
}

const numbers = [
  { key: contentGenerationKey, rows: changes, attribute: 'generation' },
  { key: contentGenerationKey, rows: deliveries, attribute: 'revision' },
  { key: siteRevisionKey, rows: pages, attribute: 'siteRevision' },
] as const;

async function* findLateNumbers(work: CheckWork): AsyncGenerator<Found> {
  const { own } = work.store;
  for (const { key, rows, attribute } of numbers) {
    const sql = `SELECT MAX(\`${rows.columnOf(attribute)}\`) FROM \`${rows.table}\``;
    const used = Number((await selectSlowly(work, own, sql))[0]?.[0] ?? 0);
    const given = Number((await readState(own.primary, key)) ?? 0);
    if (given >= used) continue;
    if (work.isRepairing) {
      await own.write(async (tx) => {
        const now = Number((await readState(tx, key)) ?? 0);
        if (!(now >= used)) await writeState(tx, key, String(used));
      }, repeatable);
    }
    const detail = `is ${given}, and ${rows.table} holds ${used}`;
    yield { table: 'hcd_state', key, detail, isRepaired: work.isRepairing };
  }
}

async function* findWrongSums({ store, env, clock, isRepairing, onStep }: CheckWork): AsyncGenerator<Found> {
  const { values } = await readRuntimeSettings(store, env);
  const keptFrom = keptDays(values, clock.now());
  const recount = { keptFrom, isLowering: true, isDryRun: !isRepairing, onDay: onStep };
  for await (const sum of recountDays(store.own, recount)) {
    const table = 'ad' in sum ? adDays.table : referrerDays.table;
    const key = 'ad' in sum ? [sum.day, sum.ad, sum.position] : [sum.position, sum.day, sum.referrer];
    yield { table, key: key.join('/'), detail: describeSum(sum), isRepaired: sum.isFixed };
  }
}
