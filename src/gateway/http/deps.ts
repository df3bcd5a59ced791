/** The dependencies of the gateway's handlers, and the per-call views made from them. */
import { anonymousPrincipal, type Principal } from '../../access/acl.js';
import type { SessionPermissions } from '../../access/admit.js';
import type { Identity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { Settings } from '../../config/settings.js';
import type { ChangeFeed } from '../../content/live/change-feed.js';
import { callerAs, type LiveSnapshot } from '../../content/live/live-state.js';
import type { ContentWriter } from '../../content/mutations/run-mutation.js';
import type { ObjectDefinition, Registry } from '../../content/objects/definition.js';
import type { Paging, TreeIntent } from '../../content/query/ast.js';
import { type Caller, rightsText } from '../../content/query/authorize.js';
import type { ListPlan, RowPlan } from '../../content/query/plan.js';
import type { ContentReader } from '../../content/reading/select-rows.js';
import type { Call } from '../../http/interface/endpoint.js';
import type { OauthService } from '../../identity/oauth/oauth-service.js';
import type { SessionService } from '../../identity/sessions/session-service.js';
import type { LogIn } from '../../identity/users/log-in.js';
import type { Traces } from '../../traces/traces.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { CountCaller } from './checks.js';
import type { QuerySource } from './query.js';

export interface GatewayDeps {
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  readonly live: () => LiveSnapshot;
  readonly settings: () => Settings;
  readonly principal: (userId: number) => Promise<Principal | null>;
  readonly sessions: SessionPermissions;
  readonly sessionService: SessionService;
  readonly logIn: LogIn;
  readonly oauth: OauthService;
  /** Throws unavailable. */
  readonly ping: () => Promise<void>;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  readonly version: string;
  readonly base: () => string;
  readonly memos: ReturnType<typeof newPlanMemos>;
  readonly feed: ChangeFeed;
  readonly clock: Pick<Clock, 'after'>;
  readonly countCaller: CountCaller;
  readonly audit: (entry: AuditEntry) => void;
  /** Of its page document; null without a draft. */
  readonly draftRevision: (resource: number) => Promise<number | null>;
  readonly otherDocuments: () => readonly OtherDocument[];
  /** Null where the CMS has them. */
  readonly files: { readonly folder: string } | null;
}

export interface OtherDocument {
  readonly name: 'pages' | 'banners';
  readonly document: Readonly<Record<string, unknown>>;
}

/** An unknown user has the rights of anonymous callers. */
export async function callerOf(deps: GatewayDeps, identity: Identity): Promise<Caller> {
  const live = deps.live();
  let principal = identity.kind === 'session' ? identity.principal : anonymousPrincipal;
  // Anonymous callers and sessions wait for nothing here.
  const userId = identity.kind === 'session' ? 0 : (identity.userId ?? 0);
  if (userId !== 0) principal = (await deps.principal(userId)) ?? anonymousPrincipal;
  const { gateway_context, gateway_allowed_contexts } = live.settings.values;
  return {
    ...callerAs(live, { identity, principal }),
    sessions: deps.sessions,
    defaultContext: identity.kind === 'preview' ? identity.context : gateway_context,
    allowedContexts: gateway_allowed_contexts,
  };
}

export function querySource(deps: GatewayDeps, call: Call): QuerySource {
  return { query: call.query, contextHeader: call.header('x-context'), limits: deps.settings() };
}

const capacity = 1000;
/** Longer queries are rare and would only fill the memory. */
const longestKey = 1000;

export interface Question {
  readonly call: Call;
  readonly caller: Caller;
  readonly definition: ObjectDefinition;
}

export class PlanMemo<T> {
  #view: object | null = null;
  readonly #plans = new Map<string, T>();
  readonly #traces: Pick<Traces, 'step'> | undefined;

  constructor(traces?: Pick<Traces, 'step'>) {
    this.#traces = traces;
  }

  get(question: Question, make: () => T): T {
    // The view that the caller's rights are from may not be the newest.
    const view = question.caller.snapshot;
    if (view !== this.#view || this.#plans.size >= capacity) {
      this.#plans.clear();
      this.#view = view;
    }
    const key = keyOf(question);
    if (key.length > longestKey) return this.#make(question, make);
    const made = this.#plans.get(key);
    if (made !== undefined) return made;
    const plan = this.#make(question, make);
    this.#plans.set(key, plan);
    return plan;
  }

  #make({ definition }: Question, make: () => T): T {
    return this.#traces === undefined ? make() : this.#traces.step('plan', { 'hcd.object': definition.name }, make);
  }
}

/** A session's rights follow from its user's groups and the view, not from the user's id. */
function keyOf({ call, caller, definition }: Question): string {
  const { identity, principal } = caller;
  const { query } = call;
  const context = call.header('x-context') ?? '';
  // Most keys have this form. The others begin with a bracket, which no name does.
  if (identity.kind === 'anonymous' && principal.userId === 0 && context === '' && query.length === 0) {
    return definition.name;
  }
  return JSON.stringify([definition.name, rightsText(caller), context, query]);
}

export function newPlanMemos(traces?: Pick<Traces, 'step'>) {
  return {
    lists: new PlanMemo<{ readonly plan: ListPlan; readonly paging: Paging }>(traces),
    shapes: new PlanMemo<RowPlan>(traces),
    trees: new PlanMemo<{ readonly plan: RowPlan; readonly intent: TreeIntent }>(traces),
  };
}
