/** Reads and writes of content through models and by hand, for `npm run bench:models`. */
import { changes, writeChange } from '../src/content/models/changes.js';
import { encodeState, readResources, siteContent, updateResource } from '../src/content/models/resources.js';
import { readTvRows, tvs, tvTemplates, tvValues } from '../src/content/models/template-variables.js';
import { readTables } from '../src/store/base/columns.js';
import type { Database } from '../src/store/base/database.js';
import { nextNumber } from '../src/store/state/state.js';

export interface Case {
  readonly name: string;
  /** The work of one measured step, by the model and by hand. */
  readonly model: () => Promise<unknown>;
  readonly sql: () => Promise<unknown>;
}

const prefix = 'modx_';
const resources = 20;

/** Makes resources with template variables and gives the cases. */
export async function contentCases(db: Database): Promise<Case[]> {
  const table = (await readTables(db, `${prefix}site_content`)).get(`${prefix}site_content`);
  if (table === undefined) throw new Error('there are no resources');
  const ids = Array.from({ length: resources }, (_none, at) => 1000 + at);
  await db.write(async (tx) => {
    for (const one of [siteContent, tvs, tvTemplates, tvValues]) await one.on(tx, prefix).destroy({ where: {} });
    await siteContent
      .on(tx, prefix)
      .bulkCreate(ids.map((id) => ({ id, description: '', template: 1, uri: `page-${id}` })));
    await tvs.on(tx, prefix).bulkCreate([1, 2, 3].map((id) => ({ id, name: `tv${id}` })));
    await tvTemplates.on(tx, prefix).bulkCreate([1, 2, 3].map((tmplvarid) => ({ tmplvarid, templateid: 1 })));
    await tvValues.on(tx, prefix).bulkCreate(ids.map((contentid) => ({ contentid, tmplvarid: 1, value: 'x' })));
  });
  const [first = 0] = ids;
  let at = 0;
  return [
    {
      name: 'read a resource for a change',
      model: () => siteContent.on(db.primary, prefix).findAll({ where: { id: first } }),
      sql: () => readResources(db.primary, table, [first]),
    },
    {
      name: `template variables of ${resources} resources (four finders)`,
      async model() {
        const rows = await siteContent
          .on(db.primary, prefix)
          .findAll({ attributes: ['id', 'template'], where: { id: ids } });
        const links = await tvTemplates.on(db.primary, prefix).findAll({ where: { templateid: [1] } });
        const tmplvarid = links.map((link) => link.tmplvarid);
        const found = await tvs.on(db.primary, prefix).findAll({ where: { id: tmplvarid } });
        const values = await tvValues.on(db.primary, prefix).findAll({ where: { contentid: ids, tmplvarid } });
        return [rows, found, values];
      },
      sql: () => readTvRows(db.primary, prefix, { resources: ids, names: null, withFacts: false }),
    },
    {
      name: 'change a resource in a transaction',
      model: () => db.write((tx) => siteContent.on(tx, prefix).update({ menuindex: ++at }, { where: { id: first } })),
      sql: () => db.write((tx) => updateResource(tx, table, { id: first, values: encodeState({ menuindex: ++at }) })),
    },
    {
      name: 'note a change of content in its transaction',
      model: () =>
        db.write(async (tx) => {
          const generation = await nextNumber(tx, 'bench');
          await changes.on(tx).create({ generation, createdOn: 0, payload: null });
        }),
      sql: () => db.write(async (tx) => writeChange(tx, { generation: await nextNumber(tx, 'bench'), payload: null })),
    },
  ];
}
