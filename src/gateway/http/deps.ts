/** What the gateway's handlers work with, and the per-call views made from it. */
import { anonymousPrincipal, type Principal } from '../../access/acl.js';
import { contentUserId, type Identity } from '../../access/identity.js';
import type { SessionPermissions } from '../../access/scope.js';
import { accessSwitches, type LiveSnapshot } from '../../content/live/live-state.js';
import type { ContentWriter } from '../../content/mutations/write-request.js';
import type { Registry } from '../../content/objects/definition.js';
import type { Caller } from '../../content/query/authorize.js';
import type { ContentReader } from '../../content/reading/select-rows.js';
import type { Call } from '../../http/interface/endpoint.js';
import type { RateCounter } from '../../identity/limits/counter.js';
import type { OauthService } from '../../identity/oauth/oauth-service.js';
import type { SessionService } from '../../identity/sessions/session-service.js';
import type { LogIn } from '../../identity/users/log-in.js';
import type { AuditEntry } from '../audit/audit-log.js';
import type { AnswerMemory } from '../idempotency/answer-memory.js';
import type { PlanMemos } from './plan-memo.js';
import type { QueryLimits, QuerySource } from './query.js';

export interface GatewayDeps {
  readonly registry: Registry;
  readonly reader: ContentReader;
  readonly writer: ContentWriter;
  readonly live: () => LiveSnapshot;
  /** The user's groups and roles; null when there is no such user. */
  readonly principal: (userId: number) => Promise<Principal | null>;
  readonly sessions: SessionPermissions;
  readonly sessionService: SessionService;
  readonly logIn: LogIn;
  readonly oauth: OauthService;
  /** Digest of which entity tags are made: the one of the HTTP server. */
  readonly sha256: (body: string | Uint8Array) => string;
  /** Resolves when the database answers, else throws unavailable. */
  readonly ping: () => Promise<void>;
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  readonly version: string;
  /** Public base of the gateway, for example `/api/v1`. */
  readonly base: () => string;
  readonly memos: PlanMemos;
  /** Counts requests for the rate limit. */
  readonly counter: RateCounter;
  /** Takes a row of the audit log; never throws. */
  readonly audit: (entry: AuditEntry) => void;
  /** What was answered to requests with an Idempotency-Key. */
  readonly answers: AnswerMemory;
}

/** The caller of one request as the access rules see it. A user who is gone has the rights of anonymous. */
export async function callerOf(deps: GatewayDeps, identity: Identity): Promise<Caller> {
  const live = deps.live();
  const known = principalOf(deps, identity);
  const principal = known instanceof Promise ? await known : known;
  const { gateway_context, gateway_allowed_contexts } = live.settings.values;
  return {
    identity,
    principal,
    snapshot: live.access,
    sessions: deps.sessions,
    defaultContext: gateway_context,
    allowedContexts: gateway_allowed_contexts,
    contextExists: (context) => live.contexts.has(context),
    ...accessSwitches(live),
  };
}

function principalOf(deps: GatewayDeps, identity: Identity): Principal | Promise<Principal> {
  if (identity.kind === 'session') return identity.principal;
  const userId = contentUserId(identity);
  return userId === 0 ? anonymousPrincipal : deps.principal(userId).then((found) => found ?? anonymousPrincipal);
}

/** The query of a call with the limits that the settings give. */
export function querySource(deps: GatewayDeps, call: Call): QuerySource {
  return { query: call.query, contextHeader: call.header('x-context'), limits: queryLimits(deps.live()) };
}

function queryLimits({ settings }: LiveSnapshot): QueryLimits {
  const values = settings.values;
  return {
    maxLimit: values.gateway_max_limit,
    maxOffset: values.gateway_max_offset,
    maxFields: values.gateway_max_fields,
    maxIncludeRelations: values.gateway_max_include_relations,
    maxIncludeDepth: values.gateway_max_include_depth,
  };
}
