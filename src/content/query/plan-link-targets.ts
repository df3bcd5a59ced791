/** Plans which resources the links in texts may lead to. */
import type { ObjectDefinition } from '../objects/definition.js';
import type { ShapeIntent } from './ast.js';
import { type Caller, mayUseContext, rightsText, rowPolicy, visible } from './authorize.js';
import type { Predicate } from './predicate.js';

export interface LinkSight {
  readonly where: Predicate;
  /** Equal for callers that may see the same resources. */
  readonly sight: string;
  readonly isAnonymous: boolean;
}

interface Asked {
  readonly definition: ObjectDefinition;
  readonly caller: Caller;
  readonly context: string;
}

type Flags = Pick<ShapeIntent, 'preview' | 'includeDeleted'>;

interface Known {
  readonly view: Caller['snapshot'];
  readonly byRights: Map<string, LinkSight>;
}

/** For the newest settings and rights only: queries differ more often than what their callers may see. */
const known = new WeakMap<ObjectDefinition, Known>();
const most = 100;

export function planLinkTargets(intent: Flags, asked: Asked): LinkSight {
  const { byRights } = knownOf(asked);
  const { allowedContexts } = asked.caller;
  const flags = [intent.preview, intent.includeDeleted];
  const key = JSON.stringify([flags, asked.context, allowedContexts, rightsText(asked.caller)]);
  const found = byRights.get(key);
  if (found !== undefined) return found;
  const made = makeTargets(intent, asked);
  if (byRights.size >= most) byRights.clear();
  byRights.set(key, made);
  return made;
}

function knownOf({ definition, caller: { snapshot: view } }: Asked): Known {
  const found = known.get(definition);
  if (found?.view === view) return found;
  const made = { view, byRights: new Map<string, LinkSight>() };
  known.set(definition, made);
  return made;
}

function makeTargets(intent: Flags, { definition, caller, context: asked }: Asked): LinkSight {
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
