/** Plans what the tags of texts may show to a caller. */
import type { ObjectDefinition } from '../objects/definition.js';
import type { ShapeIntent } from './ast.js';
import { type Caller, mayUseContext, rowPolicy, tvPolicy, visible } from './authorize.js';
import type { Predicate } from './predicate.js';

export interface TagRules {
  readonly linkTargets: Predicate;
  readonly fields: readonly string[];
  readonly hidden: ReturnType<typeof tvPolicy>;
}

export function planTagRules(
  intent: Pick<ShapeIntent, 'form' | 'preview' | 'includeDeleted'>,
  input: Asked & { readonly readable: readonly string[] },
): TagRules | null {
  if (!intent.form?.resolvesLinks && !intent.form?.resolvesTags) return null;
  const { caller, context, readable } = input;
  return { linkTargets: planLinkTargets(intent, input), fields: readable, hidden: tvPolicy(caller, context) };
}

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
