/** Plans which resources links in texts may lead to. */
import type { ObjectDefinition } from '../objects/definition.js';
import type { ShapeIntent } from './ast.js';
import { type Caller, mayUseContext, rightsText, rowPolicy, visible } from './authorize.js';
import type { Predicate } from './predicate.js';

export interface LinkTargets {
  readonly where: Predicate;
  /** The condition as text: equal for callers who may see the same resources. */
  readonly sight: string;
  readonly isAnonymous: boolean;
}

interface Asked {
  readonly definition: ObjectDefinition;
  readonly caller: Caller;
  readonly context: string;
}

type Flags = Pick<ShapeIntent, 'preview' | 'includeDeleted'>;

/** By the view of settings and rights: queries differ more often than what their callers may see. */
const known = new WeakMap<Caller['snapshot'], Map<string, LinkTargets>>();
/** Callers who see other resources, of one view. */
const most = 100;

/** The resources of any context that the caller could read one by one. */
export function planLinkTargets(intent: Flags, asked: Asked): LinkTargets {
  const { caller, context } = asked;
  const byRights = known.get(caller.snapshot) ?? new Map<string, LinkTargets>();
  known.set(caller.snapshot, byRights);
  const key = `${intent.preview} ${intent.includeDeleted} ${context} ${rightsText(caller)}`;
  const targets = byRights.get(key) ?? makeTargets(intent, asked);
  if (byRights.size >= most) byRights.clear();
  byRights.set(key, targets);
  return targets;
}

function makeTargets(intent: Flags, { definition, caller, context: asked }: Asked): LinkTargets {
  const others = caller.allowedContexts.filter(
    (context) => caller.contextExists(context) && mayUseContext(caller, context),
  );
  const of = [...new Set([asked, ...others])].map((context) =>
    visible(definition, rowPolicy(definition, caller, { ...intent, context, purpose: 'read' })),
  );
  const [only] = of;
  const where: Predicate = of.length === 1 && only !== undefined ? only : { kind: 'any', of };
  return { where, sight: JSON.stringify(where), isAnonymous: caller.identity.kind === 'anonymous' };
}
