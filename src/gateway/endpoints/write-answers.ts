/** The answers of the writing routes: the new record, the changed one, the key of the removed one. */
import { holdsScope } from '../../access/admit.js';
import { type ChangesReading, readChanges } from '../../content/mutations/read-changes.js';
import type { AnsweredWrite, WriteRequest, WrittenRecord } from '../../content/mutations/run-mutation.js';
import type { ObjectDefinition } from '../../content/objects/definition.js';
import {
  type Caller,
  checkContextAccess,
  chooseContext,
  mayPreview,
  maySeeDeleted,
  rowPolicy,
  visible,
} from '../../content/query/authorize.js';
import { planWritten } from '../../content/query/plan.js';
import type { Predicate } from '../../content/query/predicate.js';
import { parseKey } from '../../content/reading/read-record.js';
import type { FoundRow } from '../../content/reading/select-rows.js';
import { createRecord, removeRecord, updateRecord } from '../../content/records/write-records.js';
import { AppError, Problems } from '../../errors/app-error.js';
import { allowsChange, entityTag } from '../../http/answers/representation.js';
import { type Call, jsonType, type Reply, type RequestDoc } from '../../http/interface/endpoint.js';
import { trimEndOf } from '../../values/text.js';
import { callerOf, type GatewayDeps, querySource } from '../http/deps.js';
import { answerOnce, type SealedWork } from '../http/idempotency.js';
import { isYes, parseShape, single } from '../http/query.js';
import { remarksMeta } from '../http/success.js';

export interface AskedRecord {
  readonly definition: ObjectDefinition;
  readonly key: string;
}

export async function answerCreate(deps: GatewayDeps, call: Call, definition: ObjectDefinition): Promise<Reply> {
  const caller = await callerOf(deps, call.identity);
  const write = answeredWrite(deps, { call, caller, definition });
  // An answer that shows unpublished values is not repeated for a caller who may no longer see them.
  const rights = mayPreview(caller) ? 'preview' : '';
  const work: SealedWork = async (seal) => {
    const reading = parseBody(call, { definition, caller });
    if (!reading.ok) throw reading.problem;
    const present = (written: WrittenRecord): Reply => {
      const { gateway_public_url } = deps.settings();
      const location = `${gateway_public_url}${trimEndOf(call.path, '/')}/${encodeURIComponent(written.key)}`;
      return presentWritten(written, { status: 201, headers: { Location: location } });
    };
    return createRecord({ ...write, seal, present }, reading.value);
  };
  return answerOnce(deps, call, { rights, work });
}

export async function answerUpdate(deps: GatewayDeps, call: Call, asked: AskedRecord): Promise<Reply> {
  const { definition } = asked;
  const caller = await callerOf(deps, call.identity);
  const write = answeredWrite(deps, { call, caller, definition });
  const key = parseKey(definition, asked.key);
  const reading = parseBody(call, { definition, caller });
  checkMarking(definition, caller, reading);
  return updateRecord(
    {
      ...write,
      seal: null,
      key,
      precondition: preconditionOf(call),
      present: (written: WrittenRecord): Reply => presentWritten(written, { status: 200, headers: {} }),
    },
    reading,
  );
}

/** Shows only the requested key, even if other records were removed with it. */
export async function answerRemove(deps: GatewayDeps, call: Call, asked: AskedRecord): Promise<Reply> {
  const { definition } = asked;
  const caller = await callerOf(deps, call.identity);
  const problems = new Problems();
  const force = isYes(single(call.query, ['force'], problems));
  problems.throwIfAny();
  const write = contextOfWrite(call, { deps, caller, definition, named: parseShape(querySource(deps, call)).context });
  return removeRecord<Reply>({
    ...write,
    seal: null,
    key: parseKey(definition, asked.key),
    precondition: preconditionOf(call),
    force,
    present: ({ key, permanent }) => ({
      status: 200,
      body: { kind: 'json', value: { data: { id: key, deleted: true, permanent }, meta: {} } },
      caching: { kind: 'never' },
    }),
  });
}

function answeredWrite(
  deps: GatewayDeps,
  asked: { readonly call: Call; readonly caller: Caller; readonly definition: ObjectDefinition },
): Omit<AnsweredWrite<Reply>, 'seal' | 'present'> {
  const { call, caller, definition } = asked;
  const intent = parseShape(querySource(deps, call));
  const write = contextOfWrite(call, { deps, caller, definition, named: intent.context });
  // Relations show what a read without parameters shows of them.
  const shape = { ...intent, preview: false, includeDeleted: false };
  const planIn = (context: string) => planWritten(shape, { definition, registry: deps.registry, caller, context });
  // An impossible include is refused before anything is written.
  const usual = planIn(write.context);
  return { ...write, plan: (context) => (context === write.context ? usual : planIn(context)) };
}

/** A named context must be open to the caller; changes find their record in any other. */
function contextOfWrite(
  { method }: Call,
  asked: {
    readonly deps: GatewayDeps;
    readonly caller: Caller;
    readonly definition: ObjectDefinition;
    readonly named: string | null;
  },
): Omit<WriteRequest<Reply>, 'seal'> {
  const { deps, caller, definition, named } = asked;
  const context = chooseContext(caller, named);
  if (named !== null || method === 'POST') checkContextAccess(caller, context);
  const readable = readableRows(deps, { caller, definition });
  return { writer: deps.writer, caller, definition, context, namesContext: named !== null, readable };
}

/** Marking a record as deleted is a removal, which needs its own right too. */
function checkMarking(definition: ObjectDefinition, caller: Caller, reading: ChangesReading): void {
  const { deleted } = definition.visibility;
  const mark = deleted === undefined || !reading.ok ? undefined : reading.value.values[deleted];
  if (mark !== true && (typeof mark !== 'number' || mark === 0)) return;
  const scope = `${definition.name}.delete`;
  if (definition.deletable && holdsScope(caller.identity, scope, caller.sessions)) return;
  throw new AppError('scope_denied', {
    message: `Insufficient permissions: to set ${deleted} this request needs the scope ${scope}`,
  });
}

/** docs/reference/gateway.md#entity-tags-of-writes; null without the header. */
function preconditionOf(call: Call): ((current: FoundRow | null) => void) | null {
  const header = call.header('if-match');
  if (header === undefined) return null;
  return (current) => {
    if (!allowsChange(header, current && tagOf(current))) throw new AppError('precondition_failed');
  };
}

function tagOf({ record }: FoundRow): string {
  return entityTag({ body: { kind: 'json', value: { data: record, meta: {} } } });
}

function presentWritten(
  { record, bare, ...remarks }: WrittenRecord,
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
): Reply {
  return {
    status,
    // The tag depends on every field: to a caller who may not read them it would confirm guesses.
    headers: { ...headers, ...(bare === null ? {} : { ETag: tagOf(bare) }) },
    body: { kind: 'json', value: { data: record, meta: remarksMeta(remarks) } },
    caching: { kind: 'never' },
  };
}

function readableRows(
  { registry }: GatewayDeps,
  { caller, definition }: { readonly caller: Caller; readonly definition: ObjectDefinition },
): (context: string) => Predicate {
  const { identity, sessions } = caller;
  // Sessions read resources without a scope, as anonymous callers do.
  const isOpen = definition === registry.resources && identity.kind === 'session';
  const mayRead = definition.readable && (isOpen || holdsScope(identity, `${definition.name}.read`, sessions));
  if (!mayRead) return () => ({ kind: 'nothing' });
  const shown = { preview: mayPreview(caller), includeDeleted: maySeeDeleted(caller), purpose: 'read' as const };
  return (context) => visible(definition, rowPolicy(definition, caller, { ...shown, context }));
}

/** Callers without credentials may send such a body. */
export const credentialBodyBytes = 16_384;

/** JSON only: a form-encoded body is 415. */
export const recordBody: RequestDoc = Object.freeze({ types: [jsonType], required: true });

function parseBody(
  { body, method, query }: Pick<Call, 'body' | 'method' | 'query'>,
  { definition, caller }: { readonly definition: ObjectDefinition; readonly caller: Caller },
): ChangesReading {
  return readChanges(body?.kind === 'json' ? body.value : undefined, {
    definition,
    caller,
    purpose: method === 'POST' ? 'create' : method === 'PUT' ? 'replace' : 'update',
    tvsAreTyped: query.some(([name, value]) => name === 'tv_format' && value === 'typed'),
  });
}
