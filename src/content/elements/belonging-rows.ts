/** Rows of other tables that belong to an element (docs/writing.md#elements). */
import type { FieldValues } from '../live/mutation.js';
import { categoryClosure, contextRules, policies } from '../models/access.js';
import { siteContent } from '../models/resources.js';
import { insertRow } from '../models/rows.js';
import { tvTemplates } from '../models/template-variables.js';
import { contextRules as rulesOfContext } from '../resources/resource-write.js';
import { joinedIds, pathTo, readParents } from './check-element.js';
import type { ElementWork } from './element-work.js';

/** Each category has itself, every category above it, and the root 0. */
export async function writeClosure(work: ElementWork, id: number): Promise<void> {
  const { tx, prefix, writer } = work;
  // Older releases lack the table.
  if (!writer.store.tables.has(prefix + categoryClosure.table)) return;
  const parents = await readParents(work);
  const branch = [...parents.keys()].filter((one) => pathTo(parents, one).includes(id));
  for (const descendant of branch) {
    await categoryClosure.on(tx, prefix).destroy({ where: { descendant } });
    for (const [depth, ancestor] of [...pathTo(parents, descendant), 0].entries()) {
      await insertRow(tx, prefix + categoryClosure.table, { ancestor, descendant, depth });
    }
  }
}

const administrators = 1;
const weakest = 9999;

/** Administrators manage the context, and everybody may load it. Returns the names of policies that the site lacks. */
export async function openContext(work: ElementWork, key: string): Promise<void> {
  const { tx, prefix } = work;
  const named = await policies.on(tx, prefix).lookUpAll({}, { attributes: ['id', 'name'] });
  const principalClass = spelled(work, 'modUserGroup');
  for (const [group, name] of [
    [administrators, 'Context'],
    [0, 'Load Only'],
  ] as const) {
    const policy = named.find((one) => one.name === name);
    if (policy === undefined) continue;
    const rule = { target: key, principalClass, group, authority: weakest, policy: policy.id };
    await contextRules.on(tx, prefix).create(rule);
  }
}

/** Class names have a namespace since version 3. */
export function spelled({ writer }: ElementWork, name: string, space = ''): string {
  const { shortClassNames } = rulesOfContext(writer.live(), '');
  return shortClassNames ? `${space.toLowerCase().replace('\\', '.')}${name}` : `MODX\\Revolution\\${space}${name}`;
}

/** Values of template variables stay when their template loses them, as in the CMS. */
export async function writeJoins(work: ElementWork, id: number, values: FieldValues): Promise<void> {
  const { tx, prefix, kind } = work;
  const asked = joinedIds(kind, values);
  if (asked === null) return;
  const isTemplate = kind.join === 'tvs';
  const joins = tvTemplates.on(tx, prefix);
  const own = isTemplate ? { templateid: id } : { tmplvarid: id };
  const stored = await joins.lookUpAll(own);
  const otherOf = ({ tmplvarid, templateid }: (typeof stored)[number]) => (isTemplate ? tmplvarid : templateid);
  const rankOf = (other: unknown, at: number) =>
    isTemplate ? at : (stored.find((row) => otherOf(row) === other)?.rank ?? 0);
  await joins.destroy({ where: own });
  for (const [at, other] of asked.map(Number).entries()) {
    const pair = isTemplate ? { ...own, tmplvarid: other } : { ...own, templateid: other };
    await insertRow(tx, prefix + tvTemplates.table, { ...pair, rank: rankOf(other, at) });
  }
}

/** Resources whose template shows the variables of the element. */
export async function joinedResources(work: ElementWork, id: number): Promise<readonly number[]> {
  const { tx, prefix, kind } = work;
  if (kind.join === null) return [];
  const joined = kind.join === 'tvs' ? [] : await tvTemplates.on(tx, prefix).lookUpAll({ tmplvarid: id });
  const template = kind.join === 'tvs' ? [id] : joined.map(({ templateid }) => templateid);
  const rows = await siteContent.on(tx, prefix).lookUpAll({ template }, { attributes: ['id'] });
  return rows.map((row) => row.id);
}
