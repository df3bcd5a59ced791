/** GET /changes (docs/changes.md): reports changed tags as a stream of events, or in JSON after the next change. */
import type { Identity } from '../../access/identity.js';
import type { Step } from '../../content/live/change-feed.js';
import { visibleTags } from '../../content/live/visible-changes.js';
import { rightsText } from '../../content/query/authorize.js';
import { AppError, invalidField, Problems, retrySeconds } from '../../errors/app-error.js';
import { jsonReply } from '../../http/answers/representation.js';
import { type Call, type Endpoint, jsonType, objectSchema, type Reply, text } from '../../http/interface/endpoint.js';
import { clientBlock } from '../../http/interface/request-headers.js';
import { perObject } from '../../values/kept-values.js';
import { callerOf, type GatewayDeps } from '../http/deps.js';
import { single } from '../http/query.js';

const retryMs = 2000;
const longestPollMs = 25_000;
const mostOfNetwork = 100;

const eventStream = 'text/event-stream';
const path = '/changes';

const event = objectSchema({
  id: { ...text, description: 'Names the state after the change' },
  event: { ...text, enum: ['change', 'reset'], description: 'reset: anything may have changed' },
  tags: { type: 'array', items: text, description: 'As in Cache-Tag' },
  meta: objectSchema(
    {},
    { source: { ...text, enum: ['hcd', 'cms'], description: 'Who made the change; absent where it is not known' } },
  ),
});

interface Told {
  readonly id: string;
  readonly event: 'change' | 'reset';
  readonly tags: readonly string[];
  readonly meta: Pick<Step, 'source'>;
}

export interface ChangesDeps extends GatewayDeps {
  /** Credentials may end while their stream is open. */
  readonly identify: (call: Call) => Promise<Identity | null>;
}

export function changesEndpoints(deps: ChangesDeps): Endpoint[] {
  const listeners = new Map<string, number>();
  const tell = makeTell(deps);
  return [
    {
      name: 'changes.list',
      method: 'GET',
      path,
      access: { kind: 'public_read', scope: 'resources.read', showsDrafts: false },
      summary: 'Hear of changes as they happen',
      tags: ['Changes'],
      parameters: [
        {
          name: 'after',
          in: 'query',
          description: 'Id of the last known change: everything later is told first. Without it a stream begins now.',
          schema: { ...text, pattern: '^[0-9]+$' },
        },
        { name: 'Last-Event-ID', in: 'header', description: 'The same; browsers send it on their own', schema: text },
      ],
      produces: [eventStream, jsonType],
      isNeverKept: true,
      response: {
        status: 200,
        description: 'In JSON: the changes since `after`, waited for up to 25 seconds; without `after` none, at once',
        schema: objectSchema({
          data: { type: 'array', items: event },
          meta: objectSchema({ next: { ...text, description: 'Value of `after` for the next request' } }),
        }),
      },
      handler(call) {
        const after = readAfter(call);
        const listening = { deps, call, tell, join: () => takePlace(deps, { call, listeners, after }) };
        if (call.mediaType !== jsonType) return streamReply(() => events(listening, after));
        return after === null ? pollReply([], deps.feed.id) : poll(listening);
      },
    },
  ];
}

/** Throws validation_failed for an invalid parameter; an invalid header means an unknown state. */
function readAfter(call: Call): string | null {
  const problems = new Problems();
  const after = single(call.query, ['after'], problems);
  problems.throwIfAny();
  if (after !== null && !/^\d{1,15}$/.test(after)) {
    throw invalidField('after', 'must be the id of a change');
  }
  return call.header('last-event-id') ?? after;
}

function streamReply(open: () => AsyncIterable<string>): Reply {
  return {
    status: 200,
    // nginx would collect the events.
    headers: { 'X-Accel-Buffering': 'no' },
    body: { kind: 'stream', type: `${eventStream}; charset=utf-8`, open },
    caching: { kind: 'never' },
  };
}

const withCredential = 'credential';

/** A tenth of all places per credential, and a tenth for anonymous callers. Throws unavailable and rate_limited. */
function enter({ feed, settings }: GatewayDeps, call: Call, listeners: Map<string, number>): () => void {
  const { identity, clientIp } = call;
  const { gateway_changes_max_listeners: most } = settings();
  const isAnonymous = identity.kind === 'anonymous';
  const names = isAnonymous ? [clientBlock(clientIp)] : [`${identity.kind}:${identity.id}`, withCredential];
  const [own = 0, all = 0] = names.map((name) => listeners.get(name));
  const share = Math.floor(most / 10);
  const isFull = feed.size >= most || (!isAnonymous && (own >= Math.max(1, share) || all >= most - share));
  if (isFull) throw new AppError('unavailable', { details: { retryAfter: retrySeconds, isLoad: true } });
  if (isAnonymous && own >= mostOfNetwork) {
    const message = `A network may have ${mostOfNetwork} listeners without a credential; use a key`;
    throw new AppError('rate_limited', { message, details: { retryAfter: retrySeconds } });
  }
  const add = (one: number): void => {
    for (const name of names) {
      const left = (listeners.get(name) ?? 0) + one;
      if (left > 0) listeners.set(name, left);
      else listeners.delete(name);
    }
  };
  add(1);
  return () => add(-1);
}

interface Place extends Awaited<ReturnType<ChangesDeps['feed']['join']>> {
  readonly leave: () => void;
}

async function takePlace(
  deps: ChangesDeps,
  {
    call,
    listeners,
    after,
  }: { readonly call: Call; readonly listeners: Map<string, number>; readonly after: string | null },
): Promise<Place> {
  const leavePlace = enter(deps, call, listeners);
  try {
    const joined = await deps.feed.join(after);
    const end = (): void => joined.listener.leave();
    if (call.signal.aborted) end();
    call.signal.addEventListener('abort', end, { once: true });
    const leave = (): void => {
      call.signal.removeEventListener('abort', end);
      end();
      leavePlace();
    };
    return { ...joined, leave };
  } catch (error) {
    leavePlace();
    throw error;
  }
}

interface Listening {
  readonly deps: ChangesDeps;
  readonly call: Call;
  readonly tell: Tell;
  readonly join: () => Promise<Place>;
}

/** `told` is null when the credential has ended or has another owner. `id` names the state after these changes. */
async function* tellings({ deps, call, tell }: Listening, { listener, missed, id: start }: Place) {
  yield { told: await tell(call, missed), id: start, isTick: missed.length > 0 };
  for (let why = await listener.wait(); why !== 'end'; why = await listener.wait()) {
    const { id } = deps.feed;
    const steps = listener.take();
    const isKnown = await isStillKnown(deps, call);
    const told = isKnown ? await tell(call, steps === 'everything' ? [{ id, changed: steps }] : steps) : null;
    yield { told, id, isTick: why === 'tick' };
  }
}

async function* events(listening: Listening, after: string | null): AsyncGenerator<string> {
  const place = await listening.join();
  try {
    yield `retry: ${retryMs}\n${after === null ? `id: ${place.id}\n` : ''}\n`;
    for await (const { told, id, isTick } of tellings(listening, place)) {
      if (told === null) return;
      // The id follows with a comment, so that the client does not ask for changes that it may not see.
      if (told.length > 0) yield told.map(eventText).join('');
      else if (isTick) yield `: nothing new\nid: ${id}\n\n`;
    }
  } finally {
    place.leave();
  }
}

function eventText({ id, event: name, tags, meta }: Told): string {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify({ tags, meta })}\n\n`;
}

async function isStillKnown({ identify }: ChangesDeps, call: Call): Promise<boolean> {
  const { identity: before } = call;
  if (before.kind === 'anonymous') return true;
  const now = await identify(call).catch(() => null);
  return now?.kind === before.kind && now.id === before.id;
}

async function poll(listening: Listening): Promise<Reply> {
  const { deps, call, join } = listening;
  const place = await join();
  call.extendDeadline(longestPollMs);
  const patience = deps.clock.after(longestPollMs, () => place.listener.leave());
  let next = place.id;
  try {
    for await (const { told, id } of tellings(listening, place)) {
      if (told === null) throw new AppError('invalid_token');
      next = id;
      if (told.length > 0) return pollReply(told, next);
    }
    return pollReply([], next);
  } finally {
    patience.stop();
    place.leave();
  }
}

function pollReply(data: readonly Told[], next: string): Reply {
  return jsonReply({ data, meta: { next } }, { kind: 'never' });
}

/** Steps without a visible tag are left out. */
type Tell = (call: Call, steps: readonly Step[]) => Promise<readonly Told[]>;

function makeTell(deps: ChangesDeps): Tell {
  const found = perObject<Step, Map<string, ReturnType<typeof visibleTags>>>(() => new Map());
  return async (call, steps) => {
    const told: Told[] = [];
    for (const step of steps) {
      const { id, changed, source } = step;
      const meta = source === undefined ? {} : { source };
      if (changed === 'everything') {
        told.push({ id, event: 'reset', tags: [], meta });
        continue;
      }
      const caller = await callerOf(deps, call.identity);
      const byRights = found(step);
      const rights = rightsText(caller);
      const finding = byRights.get(rights) ?? visibleTags({ reader: deps.reader, caller }, changed);
      byRights.set(rights, finding);
      const tags = await finding;
      if (tags === 'everything') told.push({ id, event: 'reset', tags: [], meta });
      else if (tags.length > 0) told.push({ id, event: 'change', tags, meta });
    }
    return told;
  };
}
