/** `npm run bench:models`: processor time of reads and writes through a model, against the same by hand-written SQL. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Op } from 'sequelize';
import { migrations } from '../migrations/list.js';
import { users } from '../src/content/models/access.js';
import { apiKeys } from '../src/identity/models/api-keys.js';
import { findLimitedOauthToken, oauthClients, oauthTokens } from '../src/identity/models/oauth.js';
import { addRateHits } from '../src/identity/models/rate-counters.js';
import { readSlowHashHeads } from '../src/identity/models/users.js';
import type { Database } from '../src/store/base/database.js';
import { migrateUp } from '../src/store/migrations/migrate.js';
import { integer, key, text, time } from '../src/store/models/columns.js';
import { defineModel } from '../src/store/models/model.js';
import { openDatabase } from '../src/store/open/open.js';
import { endOnSignals } from './children.js';
import { type Case, contentCases } from './content-models.js';
import { orderOfRound, ratiosOf, spreadOf } from './figures.js';
import { canStartMariadb } from './mariadb-server.js';
import { readOptions } from './options.js';
import { webhookCases } from './outbox/model-cases.js';
import { pageCases } from './pages/model-cases.js';
import { withServer } from './run.js';

const steps = 400;
const rowCount = 200;
const tokenHash = 'd'.repeat(64);
const clientId = 'bench';
const bucket = 'bench';
const buckets = defineModel('hcd_rate_counters', { bucket: key(text(190)), hits: integer(), endsOn: time() });

endOnSignals();
const options = readOptions(process.argv.slice(2), 'node');
await mkdir(options.folder, { recursive: true });
print('| database | work | by hand, µs | ratio of the model | all rounds |');
print('| --- | --- | --- | --- | --- |');
for (const database of options.databases) {
  if (database === 'mariadb' && !canStartMariadb()) continue;
  await withServer({ database, options }, async (serverUrl) => {
    const url =
      database === 'mariadb' ? `${serverUrl}/mysql` : `sqlite:${join(options.folder, `models-${process.pid}.sqlite`)}`;
    const db = await openDatabase({ url });
    try {
      await migrateUp({ content: db, own: db, kind: 'own', prefix: 'modx_', migrations, version: 'bench' });
      await db.write((tx) => apiKeys.on(tx).destroy({ where: {} }));
      await db.write((tx) => apiKeys.on(tx).bulkCreate(Array.from({ length: rowCount }, (_none, at) => keyOf(at))));
      await db.write(async (tx) => {
        await oauthClients.on(tx).destroy({ where: {} });
        await oauthTokens.on(tx).destroy({ where: {} });
        const made = { createdOn: 0, createdBy: 'bench' };
        const secretHash = 'e'.repeat(64);
        const scopes = ['resources.read'];
        await oauthClients.on(tx).create({ clientId, secretHash, name: clientId, scopes, grants: [], ...made });
        await users.on(tx, 'modx_').destroy({ where: {} });
        await users
          .on(tx, 'modx_')
          .bulkCreate(
            Array.from({ length: rowCount }, (_none, at) => ({ username: `u${at}`, hash: `$2y$10$${'x'.repeat(53)}` })),
          );
        const times = { issuedOn: 0, expiresOn: 2 ** 50 };
        await oauthTokens.on(tx).create({ tokenHash, tokenId: '0'.repeat(16), clientId, scopes, ...times });
      });
      const cases = [
        ...casesOf(db),
        ...(await contentCases(db)),
        ...(await webhookCases(db)),
        ...(await pageCases(db)),
      ];
      for (const one of cases) await measure(database, one);
    } finally {
      await db.close();
    }
  });
}

function keyOf(at: number) {
  const lookupId = at.toString(16).padStart(16, '0');
  return { lookupId, secretHash: 'f'.repeat(64), scopes: ['resources.read'], createdOn: at, createdBy: 'bench' };
}

function casesOf(db: Database): Case[] {
  const names = Object.keys(apiKeys.columns).map((name) => apiKeys.columnOf(name));
  const select = `SELECT ${names.map((name) => `\`${name}\``).join(', ')} FROM hcd_api_keys`;
  let at = 0;
  const next = () => {
    at = (at + 1) % rowCount;
    return keyOf(at).lookupId;
  };
  return [
    {
      name: 'read one row by its key',
      model: () => apiKeys.on(db.primary).findOne({ where: { lookupId: next() } }),
      sql: () => db.primary.select({ sql: `${select} WHERE lookup_id = ?`, params: [next()] }),
    },
    {
      name: 'look one row up by its key',
      model: () => apiKeys.on(db.primary).lookUp({ lookupId: next() }),
      sql: () => db.primary.select({ sql: `${select} WHERE lookup_id = ?`, params: [next()] }),
    },
    {
      name: 'read a token with the limit of its client (two look-ups)',
      model: async () => {
        const token = await oauthTokens.on(db.primary).lookUp({ tokenHash });
        return oauthClients.on(db.primary).lookUp({ clientId: token?.clientId ?? '' });
      },
      sql: () => findLimitedOauthToken(db.primary, tokenHash),
    },
    {
      name: 'count a hit of a bucket (read, then change)',
      model: () =>
        db.write(async (tx) => {
          const row = await buckets.on(tx).lookUp({ bucket });
          const values = { bucket, hits: (row?.hits ?? 0) + 1, endsOn: 2 ** 50 };
          await buckets.on(tx).bulkCreate([values], { updateOnDuplicate: ['hits', 'endsOn'] });
          return buckets.on(tx).lookUp({ bucket });
        }),
      sql: () => db.write((tx) => addRateHits(tx, [{ bucket, windowMs: 2 ** 40, hits: 1 }])),
    },
    {
      name: `read the costs of the hashes of ${rowCount} users`,
      model: async () => {
        const slow = { hash: { [Op.or]: [{ [Op.like]: '$2%' }, { [Op.like]: '$argon2%' }] } };
        const found = await users.on(db.primary, 'modx_').findAll({ attributes: ['hash'], where: slow });
        return new Set(found.map(({ hash }) => hash.slice(0, 6)));
      },
      sql: () => readSlowHashHeads(db.primary, 'modx_'),
    },
    {
      name: `read ${rowCount} rows`,
      model: () => apiKeys.on(db.primary).findAll({ order: ['id'] }),
      sql: () => db.primary.select({ sql: `${select} ORDER BY id`, params: [] }),
    },
    {
      name: 'change one row in a transaction',
      model: () => db.write((tx) => apiKeys.on(tx).update({ lastUsedOn: ++at }, { where: { id: 1 } })),
      sql: () =>
        db.write((tx) => tx.run({ sql: 'UPDATE hcd_api_keys SET last_used_on = ? WHERE id = ?', params: [++at, 1] })),
    },
  ];
}

async function measure(database: string, { name, model, sql }: Case): Promise<void> {
  const costs = { model: [] as number[], sql: [] as number[] };
  for (let round = -1; round < options.rounds; round += 1) {
    for (const way of orderOfRound(['model', 'sql'] as const, Math.abs(round))) {
      const work = way === 'model' ? model : sql;
      const before = process.cpuUsage();
      for (let step = 0; step < steps; step += 1) await work();
      const { user, system } = process.cpuUsage(before);
      // The first round warms up.
      if (round >= 0) costs[way].push((user + system) / steps);
    }
  }
  const ratio = ratiosOf(costs.model, costs.sql);
  const rounds = `${ratio.least.toFixed(1)} to ${ratio.most.toFixed(1)}`;
  print(
    `| ${database} | ${name} | ${spreadOf(costs.sql).median.toFixed(0)} | ${ratio.median.toFixed(1)} | ${rounds} |`,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
