/** Reads of pages through their model, against the statements that requests wait for. */
import { col, fn, Op, where } from 'sequelize';
import { readPageChanges } from '../../src/pages/delivery/page-feed.js';
import { readResourceWithPage } from '../../src/pages/delivery/page-reads.js';
import { pages } from '../../src/pages/models/pages.js';
import type { Database } from '../../src/store/base/database.js';
import type { Case } from '../content-models.js';

const rowCount = 200;

function pageOf(resource: number) {
  const times = { createdOn: 0, editedOn: 0, publishedOn: 0 };
  const numbers = { revision: 1, lastPublished: 1, publishedDraft: 1, siteRevision: resource };
  const states = { isPublished: true, isDelivered: true, deliveredContext: 'web' };
  return { resource, draft: '{}', ...times, ...numbers, ...states, editedBy: 'bench' };
}

/** The statement makes up the resource: what counts is the join with its page. */
export async function pageCases(db: Database): Promise<Case[]> {
  await db.write(async (tx) => {
    await pages.on(tx).destroy({ where: {} });
    await pages.on(tx).bulkCreate(Array.from({ length: rowCount }, (_none, at) => pageOf(at + 1)));
  });
  const resource = { sql: 'SELECT id FROM (SELECT ? AS id) AS r', params: [7] };
  const question = { since: 100, context: 'web', limit: 20 };
  const { since, context, limit } = question;
  return [
    {
      name: 'find a resource with its page (two look-ups)',
      model: async () => {
        await db.primary.select(resource);
        return pages.on(db.primary).lookUp({ resource: 7 });
      },
      sql: () => readResourceWithPage(db.primary, resource),
    },
    {
      name: `read ${limit} changes of pages`,
      model: () => {
        const wasThere = where(fn('INSTR', col('earlier_contexts'), `,${context},`), { [Op.gt]: 0 });
        const isHere = { [Op.or]: [{ deliveredContext: context }, wasThere] };
        const asked = { [Op.and]: [{ siteRevision: { [Op.gt]: since } }, isHere] };
        const states = ['isPublished', 'isDelivered', 'deliveredContext', 'earlierContexts'] as const;
        const attributes = ['resource', 'lastPublished', 'siteRevision', ...states] as const;
        return pages.on(db.primary).findAll({ attributes, where: asked, order: ['siteRevision'], limit });
      },
      sql: () => readPageChanges(db.primary, question),
    },
  ];
}
