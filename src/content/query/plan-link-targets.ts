/** Plans which resources the links in texts may lead to. */
import type { ObjectDefinition } from '../objects/definition.js';
import type { ShapeIntent } from './ast.js';
import { type Caller, mayUseContext, rowPolicy, visible } from './authorize.js';
import type { Predicate } from './predicate.js';

interface Asked {
  readonly definition: ObjectDefinition;
  readonly caller: Caller;
  readonly context: string;
}

export function planLinkTargets(
  intent: Pick<ShapeIntent, 'preview' | 'includeDeleted'>,
  { definition, caller, context: asked }: Asked,
): Predicate {
  const others = caller.allowedContexts.filter(
    (context) => caller.contextExists(context) && mayUseContext(caller, context),
  );
  const of = [...new Set([asked, ...others])].map((context) =>
    visible(definition, rowPolicy(definition, caller, { ...intent, context, purpose: 'read' })),
  );
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: 'any', of };
}
