/** Finds rows without their owner, which no request reaches. */
import { Op } from 'sequelize';
import { ads } from '../../banners/models/ads.js';
import { links } from '../../banners/models/links.js';
import { positions } from '../../banners/models/positions.js';
import { documentGroups, memberGroups, users } from '../../content/models/access.js';
import { contextResources, contexts } from '../../content/models/elements.js';
import { siteContent } from '../../content/models/resources.js';
import { contextSettings } from '../../content/models/settings.js';
import { tvAccess, tvs, tvValues } from '../../content/models/template-variables.js';
import { profiles, userSettings } from '../../identity/models/users.js';
import { pageRevisions } from '../../pages/models/page-revisions.js';
import { pages } from '../../pages/models/pages.js';
import { type RawRow, repeatable } from '../../store/base/database.js';
import type { Model } from '../../store/models/finders.js';
import { attempts, deliveries, isOpen } from '../../webhooks/models/deliveries.js';
import { subscriptions } from '../../webhooks/models/subscriptions.js';
import { cancelOpen } from '../../webhooks/queue/outbox.js';
import { batchSize, type CheckWork, type Found, keyOf, repairs, type StoreCheck, selectSlowly } from './check.js';

type Named = Pick<Model, 'table' | 'columnOf'>;

interface Belonging {
  readonly rows: Named;
  readonly by: string;
  readonly owner: Named;
  readonly key: string;
  readonly called: string;
  readonly where?: string;
  readonly mend?: (work: CheckWork, owners: readonly number[]) => Promise<void>;
}

/** Only content that no request reaches: other rows still decide something, such as rules of a group without a name. */
const ofContent: readonly Belonging[] = [
  { rows: tvValues, by: 'contentid', owner: siteContent, key: 'id', called: 'resource' },
  { rows: tvValues, by: 'tmplvarid', owner: tvs, key: 'id', called: 'template variable' },
  { rows: tvAccess, by: 'tmplvarid', owner: tvs, key: 'id', called: 'template variable' },
  { rows: documentGroups, by: 'document', owner: siteContent, key: 'id', called: 'resource' },
  { rows: contextResources, by: 'resource', owner: siteContent, key: 'id', called: 'resource' },
  { rows: contextResources, by: 'contextKey', owner: contexts, key: 'key', called: 'context' },
  { rows: contextSettings, by: 'contextKey', owner: contexts, key: 'key', called: 'context' },
  { rows: memberGroups, by: 'member', owner: users, key: 'id', called: 'user' },
  { rows: profiles, by: 'userId', owner: users, key: 'id', called: 'user' },
  { rows: userSettings, by: 'user', owner: users, key: 'id', called: 'user' },
];

const ofHcd: readonly Belonging[] = [
  { rows: links, by: 'ad', owner: ads, key: 'id', called: 'banner' },
  { rows: links, by: 'position', owner: positions, key: 'id', called: 'position' },
  { rows: attempts, by: 'deliveryId', owner: deliveries, key: 'id', called: 'delivery' },
  { rows: pageRevisions, by: 'resource', owner: pages, key: 'resource', called: 'page' },
  {
    ...{ rows: deliveries, by: 'subscriptionId', owner: subscriptions, key: 'id', called: 'subscription' },
    // Finished deliveries are history.
    where: isOpen,
    async mend({ store: { own } }, owners) {
      for (const subscriptionId of owners) {
        await cancelOpen(own, { subscriptionId, reason: 'The subscription was removed' });
      }
    },
  },
];

const common = { name: 'orphans', severity: 'warning', about: 'Rows whose owner is gone', fix: repairs } as const;

export const orphanChecks: readonly StoreCheck[] = [
  ...ofContent.map((belonging) => checkOf(belonging, true)),
  ...ofHcd.map((belonging) => checkOf(belonging, false)),
  { ...common, find: findOrphanPages },
];

function checkOf(belonging: Belonging, isOfOwnStore: boolean): StoreCheck {
  return { ...common, isOfOwnStore, find: (work) => findOrphans(work, belonging, isOfOwnStore) };
}

async function* findOrphans(work: CheckWork, belonging: Belonging, isContent: boolean): AsyncGenerator<Found> {
  const { store, tables, isRepairing } = work;
  const { rows: child, by, owner, key: ownerKey, called, where = '1 = 1', mend } = belonging;
  const [database, prefix] = isContent ? [store.content, store.prefix] : [store.own, ''];
  const name = prefix + child.table;
  const column = `\`${name}\`.\`${child.columnOf(by)}\``;
  const isOrphan = `${where} AND NOT EXISTS (SELECT 1 FROM \`${prefix}${owner.table}\` AS o
    WHERE o.\`${owner.columnOf(ownerKey)}\` = ${column})`;
  const key = [...(tables.get(name)?.columns.values() ?? [])].flatMap(({ name: one, isPrimary }) =>
    isPrimary ? `\`${one}\`` : [],
  );
  const list = key.join(', ');
  for (let after: RawRow | null = null; ; ) {
    const rest: string = after === null ? '' : ` AND (${list}) > (${key.map(() => '?').join(', ')})`;
    const found: readonly RawRow[] = await selectSlowly(
      work,
      database,
      `SELECT ${list}, ${column} FROM \`${name}\` WHERE ${isOrphan}${rest} ORDER BY ${list} LIMIT ${batchSize}`,
      after ?? [],
    );
    const keys = found.map((row) => row.slice(0, key.length));
    if (isRepairing && mend !== undefined) await mend(work, [...new Set(found.map((row) => Number(row.at(-1))))]);
    else if (isRepairing && found.length > 0) {
      const same = `(${key.map((one) => `${one} = ?`).join(' AND ')})`;
      // An owner may have come meanwhile.
      const sql = `DELETE FROM \`${name}\` WHERE (${keys.map(() => same).join(' OR ')}) AND ${isOrphan}`;
      await database.write((tx) => tx.run({ sql, params: keys.flat() }), repeatable);
    }
    for (const row of found) {
      const detail = `belongs to the ${called} ${row.at(-1)}, which does not exist`;
      yield { table: name, key: keyOf(row.slice(0, key.length)), detail, isRepaired: isRepairing };
    }
    if (found.length < batchSize) return;
    after = keys.at(-1) ?? null;
  }
}

/** The row of a page that was delivered stays: the change feed reports with it that the page is gone. */
async function* findOrphanPages({ store, isRepairing, onStep }: CheckWork): AsyncGenerator<Found> {
  const { own, content, prefix } = store;
  for (let after = -1; ; ) {
    const attributes = ['resource', 'siteRevision'] as const;
    const where = { resource: { [Op.gt]: after } };
    const part = await pages.on(own.primary).findAll({ attributes, where, order: ['resource'], limit: batchSize });
    const ids = part.map(({ resource }) => resource);
    const known = await siteContent.on(content.primary, prefix).lookUpAll({ id: ids }, { attributes: ['id'] });
    onStep();
    const existing = new Set(known.map(({ id }) => id));
    for (const { resource, siteRevision } of part.filter((row) => !existing.has(row.resource))) {
      const isNeeded = siteRevision > 0;
      const drafts = await pages.on(own.primary).count({ where: { resource, draft: { [Op.ne]: null } } });
      const documents = drafts + (await pageRevisions.on(own.primary).count({ where: { resource } }));
      if (isNeeded && documents === 0) continue;
      if (isRepairing) {
        await own.write(async (tx) => {
          await pageRevisions.on(tx).destroy({ where: { resource } });
          const empty = { draft: null, isPublished: false, publishOn: null, unpublishOn: null };
          if (isNeeded) await pages.on(tx).update(empty, { where: { resource } });
          else await pages.on(tx).destroy({ where: { resource } });
        }, repeatable);
      }
      const detail = `belongs to the resource ${resource}, which does not exist`;
      yield { table: pages.table, key: resource, detail, isRepaired: isRepairing };
    }
    if (part.length < batchSize) return;
    after = ids.at(-1) ?? after;
  }
}
