/** Conditions for resources whose pages may be delivered (docs/pages.md#what-is-there), by the rules of src/access. */
import { anonymousPrincipal, contextAllows } from '../../access/acl.js';
import { anonymous } from '../../access/identity.js';
import { callerAs, type LiveSnapshot } from '../../content/live/live-state.js';
import type { Registry } from '../../content/objects/definition.js';
import { type Decoder, decoderOf } from '../../content/objects/values.js';
import { rowPolicy, visible } from '../../content/query/authorize.js';
import { compileSelect, type SelectSpec } from '../../content/query/compile.js';
import { all, type ColumnRef, fieldRef, oneOf, type Predicate, type Scalar } from '../../content/query/predicate.js';
import type { ContentReader } from '../../content/reading/select-rows.js';
import type { RawRow, Statement } from '../../store/base/database.js';
import type { Store } from '../../store/open/open.js';
import { perObject } from '../../values/kept-values.js';

export interface DeliverySite {
  readonly store: Store;
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
}

/** In the order of its members (docs/pages.md#one-page). */
export interface ResourceFacts {
  readonly id: number;
  readonly pagetitle: string;
  readonly alias: string;
  readonly uri: string;
  readonly context: string;
  readonly template: number;
}

const factFields = ['id', 'pagetitle', 'alias', 'uri', 'context_key', 'template'] as const;
type Field = (typeof factFields)[number];

export interface Deliverable {
  readonly anywhere: Predicate;
  within(context: string): Predicate;
  /** Also what anonymous callers may not view. */
  readonly published: Predicate;
  readonly decoders: readonly Decoder[];
}

/** Made once for each view of the site. */
const conditionsOf = perObject((registry: Registry) =>
  perObject((snapshot: LiveSnapshot) => makeDeliverable(snapshot, registry)),
);

/** The same object until something in the live view changes. */
export function deliverable({ live, registry }: Pick<DeliverySite, 'live' | 'registry'>): Deliverable {
  return conditionsOf(registry)(live());
}

function makeDeliverable(snapshot: LiveSnapshot, { resources: definition }: Registry): Deliverable {
  // Readers of pages have the content rights of anonymous callers; their token does not change that.
  const caller = callerAs(snapshot, { identity: anonymous, principal: anonymousPrincipal });
  const open = [...snapshot.contexts].filter((context) =>
    contextAllows(snapshot.access, anonymousPrincipal, { context, permissions: ['load'] }),
  );
  const asked = { preview: false, includeDeleted: false, purpose: 'read' } as const;
  const byContext = new Map(
    open.map((context) => [context, visible(definition, rowPolicy(definition, caller, { ...asked, context }))]),
  );
  const nothing: Predicate = { kind: 'nothing' };
  const everywhere = [...byContext.values()];
  const unprotected = {
    context: null,
    groups: { protecting: [], granting: [] },
    onlyContexts: null,
    hiddenCategories: new Set<number>(),
  };
  return {
    anywhere: everywhere.length === 1 ? all(everywhere) : { kind: 'any', of: everywhere },
    within: (context) => byContext.get(context) ?? nothing,
    published: visible(definition, { ...unprotected, publishedOnly: true, previewed: null, hideDeleted: true }),
    decoders: factFields.map((name) => {
      const field = definition.fields[name];
      return field ? decoderOf(field) : () => null;
    }),
  };
}

export function hasValue(site: DeliverySite, name: Field, value: Scalar): Predicate {
  return { kind: 'compare', ref: refOf(site, name), comparison: 'eq', value };
}

export function hasId(site: DeliverySite, ids: readonly Scalar[]): Predicate {
  return oneOf(refOf(site, 'id'), ids);
}

export function refOf({ registry }: Pick<DeliverySite, 'registry'>, name: Field): ColumnRef {
  return fieldRef(registry.resources, name);
}

type Options = Pick<SelectSpec, 'limit' | 'heavy'> & { readonly fields?: readonly Field[] };

/** With a limit, the first by id. */
export function factsStatement(
  site: DeliverySite,
  where: readonly Predicate[],
  { fields = factFields, ...rest }: Options = {},
): Statement {
  const { reader, registry } = site;
  const id = refOf(site, 'id');
  const order = rest.limit === undefined ? [] : ([{ ref: id, direction: 'asc' }] as const);
  const columns = fields.map((name) => refOf(site, name).column);
  const table = reader.table(registry.resources);
  return compileSelect({ table, columns, where: all(where), order, key: id.column, ...rest }, reader.dialect);
}

export function idsStatement(site: DeliverySite, where: readonly Predicate[], options: Options = {}): Statement {
  return factsStatement(site, where, { ...options, fields: ['id'] });
}

export function readFacts(site: Pick<DeliverySite, 'registry' | 'live'>, row: RawRow): ResourceFacts {
  const decoded = deliverable(site).decoders.map((decode, at) => decode(row[at]));
  const [id, pagetitle, alias, uri, context, template] = decoded;
  return {
    id: Number(id),
    pagetitle: String(pagetitle),
    alias: String(alias ?? ''),
    uri: String(uri ?? ''),
    context: String(context),
    template: Number(template),
  };
}

export async function exists(site: DeliverySite, where: readonly Predicate[]): Promise<boolean> {
  return (await site.store.content.primary.select(idsStatement(site, where, { limit: 1 }))).length > 0;
}

/** By the rule that decides whether the page is delivered. */
export function isOpen(site: DeliverySite, resource: number): Promise<boolean> {
  return exists(site, [hasId(site, [resource]), deliverable(site).anywhere]);
}
