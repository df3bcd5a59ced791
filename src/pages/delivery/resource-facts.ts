/** What readers are told of the resource of a page, and the statements that find such resources. */
import { type Decoder, decoderOf } from '../../content/objects/values.js';
import { compileSelect, type SelectSpec } from '../../content/query/compile.js';
import { all, type ColumnRef, fieldRef, type Predicate, type Scalar } from '../../content/query/predicate.js';
import type { RawRow, Statement } from '../../store/base/database.js';
import { type DeliverySite, deliverable } from './deliverable.js';

/** The block `resource` of a page (docs/reference/pages.md#members-of-a-page), in the order of its members. */
export interface ResourceFacts {
  readonly id: number;
  readonly pagetitle: string;
  readonly alias: string;
  readonly uri: string;
  readonly context: string;
  readonly template: number;
}

/** Columns of the statements below, in the order in which `readFacts` takes them. */
const fields = ['id', 'pagetitle', 'alias', 'uri', 'context_key', 'template'] as const;

/** The condition that a field has one of the values. */
export function hasValue(site: DeliverySite, name: (typeof fields)[number], value: Scalar): Predicate {
  return { kind: 'compare', ref: refOf(site, name), comparison: 'eq', value };
}

export function hasId(site: DeliverySite, ids: readonly Scalar[]): Predicate {
  return ids.length === 0 ? { kind: 'nothing' } : { kind: 'in', ref: refOf(site, 'id'), values: ids, negated: false };
}

export function refOf({ registry }: Pick<DeliverySite, 'registry'>, name: (typeof fields)[number]): ColumnRef {
  return fieldRef(registry.resources, name);
}

/** Selects the facts of the resources that meet the conditions. */
export function factsStatement(
  site: DeliverySite,
  where: readonly Predicate[],
  rest: Pick<SelectSpec, 'limit' | 'heavy'> = {},
): Statement {
  return statementOf(site, { where, columns: columnsOf(site, fields), ...rest });
}

/** Selects nothing but ids. */
export function idsStatement(
  site: DeliverySite,
  where: readonly Predicate[],
  rest: Pick<SelectSpec, 'limit' | 'heavy'> = {},
): Statement {
  return statementOf(site, { where, columns: columnsOf(site, ['id']), ...rest });
}

/** Selects ids and contexts. */
export function placesStatement(
  site: DeliverySite,
  where: readonly Predicate[],
  rest: Pick<SelectSpec, 'heavy'> = {},
): Statement {
  return statementOf(site, { where, columns: columnsOf(site, ['id', 'context_key']), ...rest });
}

function statementOf(
  site: DeliverySite,
  {
    where,
    columns,
    ...rest
  }: { readonly where: readonly Predicate[]; readonly columns: readonly string[] } & Pick<
    SelectSpec,
    'limit' | 'heavy'
  >,
): Statement {
  const { reader, registry } = site;
  const key = refOf(site, 'id').column;
  const order = rest.limit === undefined ? [] : ([{ ref: refOf(site, 'id'), direction: 'asc' }] as const);
  const table = reader.table(registry.resources);
  return compileSelect({ table, columns, where: all(where), order, key, ...rest }, reader.dialect);
}

function columnsOf(site: DeliverySite, names: readonly (typeof fields)[number][]): readonly string[] {
  return names.map((name) => refOf(site, name).column);
}

/** The facts in a row of `factsStatement`; other columns may follow them. */
export function readFacts(site: Pick<DeliverySite, 'registry' | 'live'>, row: RawRow): ResourceFacts {
  const [id, pagetitle, alias, uri, context, template] = decodersOf(site).map((decode, at) => decode(row[at]));
  return {
    id: Number(id),
    pagetitle: String(pagetitle),
    alias: String(alias ?? ''),
    uri: String(uri ?? ''),
    context: String(context),
    template: Number(template),
  };
}

const decoders = new WeakMap<object, readonly Decoder[]>();

function decodersOf(site: Pick<DeliverySite, 'registry' | 'live'>): readonly Decoder[] {
  const { definition } = deliverable(site);
  const known = decoders.get(definition);
  if (known) return known;
  const made = fields.map((name): Decoder => {
    const field = definition.fields[name];
    return field ? decoderOf(field) : () => null;
  });
  decoders.set(definition, made);
  return made;
}

/** Whether anonymous visitors may see a resource now, by the rule that decides whether its page is delivered. */
export async function isOpen(site: DeliverySite, resource: number): Promise<boolean> {
  const statement = idsStatement(site, [hasId(site, [resource]), deliverable(site).anywhere], { limit: 1 });
  return (await site.store.content.primary.select(statement)).length > 0;
}
