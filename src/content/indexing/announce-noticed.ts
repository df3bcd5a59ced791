/** Announces what other programs changed like the same changes by this program (docs/webhooks.md#what-raises-events). */
import type { Clock } from '../../clock/clock.js';
import type { Tx } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';
import { groupBy } from '../../values/batches.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import { enqueueAll } from '../../webhooks/queue/enqueue.js';
import type { EventAction, EventFacts } from '../../webhooks/rules/events.js';
import { contextTag, objectTag, tagsOfRow } from '../live/content-tags.js';
import type { FieldValues, Mutation, RowChange } from '../live/mutation.js';
import { readContextKeys } from '../models/elements.js';
import type { KnownResource } from '../models/known-resources.js';
import { eventFacts } from '../mutations/run-mutation.js';
import type { IndexStore } from './content-index.js';
import type { SeenChange } from './known.js';
import { mostSingly, type OnNoticed } from './notice.js';

const object = 'resources';

/** Milliseconds without a change after which a burst is over. */
const pause = 10_000;
/** Of changes that follow one another without this pause. */
const mostInARow = 100;
const burstKey = 'noticed_burst';

interface AnnounceDeps extends Pick<IndexStore, 'content' | 'prefix'> {
  readonly isOn: () => boolean;
  readonly clock: Pick<Clock, 'now'>;
}

/** More changes at once, or one soon after the other, are announced together. */
export function announceNoticed({ content, prefix, isOn, clock }: AnnounceDeps): OnNoticed {
  const eventsOf = async (...[tx, changes, { total, dependent = [] }]: Parameters<OnNoticed>) => {
    // Every answer may depend on elements, such as templates and chunks.
    if (changes === 'elements') return [changedIn(await readContextKeys(content.primary, prefix), [])];
    if (await countBurst(tx, clock.now(), total)) return [burstOf(changes, total)];
    const following = dependent.map((key): RowChange => ({ object, key, before: {}, after: {} }));
    return mutationsOf(changes).map((one) => eventFacts({ ...one, rows: [...one.rows, ...following] }, 'cms'));
  };
  return async (...noticing) => {
    if (!isOn()) return;
    const [tx, , { generation }] = noticing;
    await enqueueAll(tx, await eventsOf(...noticing), { revision: async () => generation });
  };
}

/** In the database, because any process of the site may notice the next change. */
async function countBurst(tx: Tx, now: number, total: number): Promise<boolean> {
  const stored = parseJson((await readState(tx, burstKey)) ?? '');
  const [count, until] = isJsonObject(stored) ? [Number(stored['count']), Number(stored['until'])] : [0, 0];
  const before = now < until && until <= now + pause ? count : 0;
  const isBurst = total > mostSingly || (before > 0 && before + total > mostInARow);
  const end = before === 0 || isBurst ? now + pause : until;
  await writeState(tx, burstKey, JSON.stringify({ count: before + total, until: end }));
  return isBurst;
}

/** Names the resources only if these are all. */
function burstOf(changes: readonly SeenChange[], count: number): EventFacts {
  const places = changes.flatMap(({ before, after }) => [before, after]);
  const contexts = new Set(places.flatMap((place) => place?.context_key || []));
  const named = count > changes.length ? [] : changes.flatMap((change) => tagsOfRow(rowOf(change)));
  return { ...changedIn([...contexts], named), count };
}

function changedIn(contexts: readonly string[], named: readonly string[]): EventFacts {
  const revalidate = [objectTag(object), `${objectTag(object)}:list`, ...contexts.map(contextTag), ...named];
  const nowhere = { key: 0, context: null, uri: null, parent: null };
  return { object, action: 'changed', ...nowhere, revalidate, source: 'cms' };
}

/** One for each changed resource, except those whose address, context or deletion follows from one above. */
function mutationsOf(changes: readonly SeenChange[]): readonly Mutation[] {
  const byId = new Map(changes.map((change) => [change.id, change]));
  const families = groupBy(changes, (change) => headOf(change, byId));
  return [...families].map(([head, members]) =>
    mutationOf(
      head,
      members.filter((change) => change !== head),
    ),
  );
}

function headOf(change: SeenChange, byId: ReadonlyMap<number, SeenChange>): SeenChange {
  const met = new Set([change]);
  for (let head = change; ; ) {
    const above = follows(head) ? byId.get(head.after?.parent ?? 0) : undefined;
    if (above === undefined || !hasMoved(above) || met.has(above)) return head;
    met.add(above);
    head = above;
  }
}

function follows(change: SeenChange): boolean {
  const { before, after } = change;
  return hasMoved(change) && before?.parent === after?.parent && before?.published === after?.published;
}

function hasMoved({ before, after }: SeenChange): boolean {
  if (before === null || after === null) return false;
  return before.uri !== after.uri || before.context_key !== after.context_key || before.deleted !== after.deleted;
}

function mutationOf(change: SeenChange, followers: readonly SeenChange[]): Mutation {
  const { id: key, before, after } = change;
  const place = after ?? before;
  return {
    object,
    action: actionOf(change),
    key,
    context: place?.context_key ?? null,
    uri: place?.uri ?? null,
    parent: place?.parent ?? null,
    rows: [change, ...followers].map(rowOf),
  };
}

function actionOf({ before, after }: SeenChange): EventAction {
  if (before === null) return 'created';
  return after === null || (after.deleted && !before.deleted) ? 'deleted' : 'updated';
}

function rowOf({ id: key, before, after }: SeenChange): RowChange {
  return { object, key, before: before && valuesOf(before), after: after && valuesOf(after) };
}

function valuesOf({ context_key, uri, parent, published, deleted }: KnownResource): FieldValues {
  return { context_key, uri, parent, published, deleted };
}
