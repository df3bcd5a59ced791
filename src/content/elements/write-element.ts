/** Creates and changes elements, with the rows of other tables that belong to them (docs/writing.md#elements). */

import { insertRow, updateRows } from '../../store/models/model.js';
import type { FieldValues } from '../live/mutation.js';
import { categoryClosure, contextRules, policies } from '../models/access.js';
import { spellClass } from '../models/elements.js';
import { siteContent } from '../models/resources.js';
import { tvTemplates } from '../models/template-variables.js';
import type { JsonValue } from '../objects/values.js';
import { rulesOfContext } from '../resources/resource-write.js';
import { checkElement, joinedIds, pathTo, readParents } from './check-element.js';
import type { ElementKind } from './element-kinds.js';
import {
  columnsOf,
  type ElementChange,
  type ElementKey,
  type ElementWork,
  type ElementWrite,
  loadElement,
  mutationOf,
  startElement,
} from './element-work.js';

/** Throws validation_failed with every problem. */
export async function createElement(
  write: ElementWrite,
  kind: ElementKind,
  given: FieldValues,
): Promise<ElementChange> {
  const work = startElement(write, kind);
  await checkElement(work, { values: given, before: null });
  const values = { ...firstValues(work), ...given };
  const { tx, table } = work;
  const lastId = await insertRow(tx, table.name, columnsOf(work, values));
  const key = kind.definition.primaryKey === 'id' ? lastId : String(values[kind.definition.primaryKey]);
  if (kind.object === 'categories') await writeClosure(work, lastId);
  if (kind.object === 'contexts') await openContext(work, String(key));
  await writeJoins(work, lastId, values);
  return { mutation: mutationOf(work, 'created', key), resources: await joinedResources(work, lastId) };
}

function firstValues(work: ElementWork): FieldValues {
  const { kind, table } = work;
  const values: Record<string, JsonValue> = {};
  for (const [name, { type, nullable, column }] of Object.entries(kind.written.fields)) {
    if (name === kind.join || name === kind.definition.primaryKey || !table.columns.has(column)) continue;
    values[name] = nullable ? null : type === 'string' ? '' : type === 'boolean' ? false : 0;
  }
  const ofSource = kind.object === 'media_sources' ? { class_key: spelled(work, 'Sources\\modFileMediaSource') } : {};
  return { ...values, ...kind.initial, ...ofSource };
}

interface Change {
  readonly kind: ElementKind;
  readonly key: ElementKey;
  readonly values: FieldValues;
}

/** Throws not_found, validation_failed with every problem. Other fields stay. */
export async function updateElement(write: ElementWrite, { kind, key, values }: Change): Promise<ElementChange> {
  const work = startElement(write, kind);
  const before = await loadElement(work, key);
  const { primaryKey } = kind.definition;
  // Resources, settings and access rules name a context by its key.
  if ((values[primaryKey] ?? key) !== key) work.problems.add(primaryKey, 'cannot be changed');
  await checkElement(work, { values, before });
  const id = Number(key);
  const resources = await joinedResources(work, id);
  await updateRows(work.tx, { table: work.table.name, where: { [primaryKey]: key } }, columnsOf(work, values));
  if (kind.object === 'categories' && values['parent'] !== undefined) await writeClosure(work, id);
  await writeJoins(work, id, values);
  const after = await joinedResources(work, id);
  return { mutation: mutationOf(work, 'updated', key), resources: [...new Set([...resources, ...after])] };
}

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
async function openContext(work: ElementWork, key: string): Promise<void> {
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

function spelled({ writer }: ElementWork, name: string): string {
  return spellClass(name, rulesOfContext(writer.live(), ''));
}

/** Values of template variables stay when their template loses them, as in the CMS. */
async function writeJoins(work: ElementWork, id: number, values: FieldValues): Promise<void> {
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

export async function joinedResources(work: ElementWork, id: number): Promise<readonly number[]> {
  const { tx, prefix, kind } = work;
  if (kind.join === null) return [];
  const joined = kind.join === 'tvs' ? [] : await tvTemplates.on(tx, prefix).lookUpAll({ tmplvarid: id });
  const template = kind.join === 'tvs' ? [id] : joined.map(({ templateid }) => templateid);
  const rows = await siteContent.on(tx, prefix).lookUpAll({ template }, { attributes: ['id'] });
  return rows.map((row) => row.id);
}
