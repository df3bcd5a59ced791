/**
 * Which resources a page may be delivered of (docs/pages.md#what-is-there): published, not deleted, in a context that
 * exists and that anonymous callers may load, and not kept from their view. As conditions of a statement, by the rules
 * of src/access.
 */
import { anonymousPrincipal, contextAllows } from '../../access/acl.js';
import { anonymous } from '../../access/identity.js';
import { accessSwitches, type LiveSnapshot } from '../../content/live/live-state.js';
import type { ObjectDefinition, Registry } from '../../content/objects/definition.js';
import { type Caller, rowPolicy, visible } from '../../content/query/authorize.js';
import { all, type Predicate } from '../../content/query/predicate.js';
import type { ContentReader } from '../../content/reading/select-rows.js';
import type { Store } from '../../store/open/open.js';

export interface DeliverySite {
  readonly store: Store;
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly live: () => LiveSnapshot;
}

export interface Deliverable {
  readonly definition: ObjectDefinition;
  /** In any context. */
  readonly anywhere: Predicate;
  /** In one context; none of another or unknown one. */
  within(context: string): Predicate;
  /** Published and not deleted, also what anonymous callers may not view. */
  readonly published: Predicate;
}

/** Made once for each view of the site. */
const known = new WeakMap<LiveSnapshot, Deliverable>();

/** The conditions for the site as it is now: the same object until something in the live view changes. */
export function deliverable({ live, registry }: Pick<DeliverySite, 'live' | 'registry'>): Deliverable {
  const snapshot = live();
  const made = known.get(snapshot) ?? makeDeliverable(snapshot, registry.resources);
  known.set(snapshot, made);
  return made;
}

function makeDeliverable(snapshot: LiveSnapshot, definition: ObjectDefinition): Deliverable {
  const caller = anonymousCaller(snapshot);
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
    definition,
    anywhere: everywhere.length === 1 ? all(everywhere) : { kind: 'any', of: everywhere },
    within: (context: string) => byContext.get(context) ?? nothing,
    published: visible(definition, { ...unprotected, publishedOnly: true, hideDeleted: true }),
  };
}

/** Readers of pages have the content rights of anonymous callers; their token does not change that. */
function anonymousCaller(snapshot: LiveSnapshot): Caller {
  return {
    identity: anonymous,
    principal: anonymousPrincipal,
    snapshot: snapshot.access,
    sessions: { holds: () => false },
    defaultContext: snapshot.settings.values.gateway_context,
    allowedContexts: [...snapshot.contexts],
    contextExists: (context) => snapshot.contexts.has(context),
    ...accessSwitches(snapshot),
  };
}
