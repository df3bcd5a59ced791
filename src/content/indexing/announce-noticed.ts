/** Announces what other programs changed like the same changes by this program (docs/webhooks.md#what-raises-events). */
import type { Clock } from '../../clock/clock.js';
import type { Tx } from '../../store/base/database.js';
import { readState, writeState } from '../../store/state/state.js';
import { groupBy } from '../../values/batches.js';
import { isJsonObject, parseJson } from '../../values/json.js';
import { enqueueAll } from '../../webhooks/queue/enqueue.js';
import type { EventAction, EventFacts } from '../../webhooks/rules/events.js';
import { unknownChange } from '../live/content-change.js';
import { contextTag, type Mutation, mutationOf, objectTag, type RowChange, tagsOfRow } from '../live/mutation.js';
import { readContextKeys } from '../models/elements.js';
import { eventFacts } from '../mutations/run-mutation.js';
import { resources } from '../objects/core-objects.js';
import type { IndexStore } from './content-index.js';
import { mostSingly, type OnNoticed } from './notice.js';

const object = resources.name;

/** Milliseconds without a change after which a burst is over. */
const pause = 10_000;
/** Of changes that follow one another without this pause. */
const mostInARow = 100;
const burstKey = 'noticed_burst';

/** More changes at once, or one soon after the other, are announced together. */
export function announceNoticed({
  content,
  prefix,
  isOn,
  clock,
}: Pick<IndexStore, 'content' | 'prefix'> & {
  readonly isOn: () => boolean;
  readonly clock: Pick<Clock, 'now'>;
}): OnNoticed {
  const eventsOf = async (...[tx, changes, { total, dependent = [] }]: Parameters<OnNoticed>) => {
    // Every answer may depend on elements, such as templates and chunks.
    if (changes === 'elements') return [changedIn((await readContextKeys(content.primary, prefix)).map(contextTag))];
    if (await countBurst(tx, clock.now(), total)) return [burstOf(changes, total)];
    const following = dependent.map((key) => unknownChange(object, key));
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
function burstOf(changes: readonly RowChange[], count: number): EventFacts {
  const tags = changes.flatMap(tagsOfRow);
  const isAll = count <= changes.length;
  return { ...changedIn(isAll ? tags : tags.filter((tag) => tag.startsWith(contextTag('')))), count };
}

function changedIn(tags: readonly string[]): EventFacts {
  const revalidate = [objectTag(object), `${objectTag(object)}:list`, ...tags];
  const nowhere = { key: 0, context: null, uri: null, parent: null };
  return { object, action: 'changed', ...nowhere, revalidate, source: 'cms' };
}

/** One for each changed resource, except those whose address, context or deletion follows from one above. */
function mutationsOf(changes: readonly RowChange[]): readonly Mutation[] {
  const byId = new Map(changes.map((change) => [Number(change.key), change]));
  return [...groupBy(changes, (change) => headOf(change, byId))].map(([head, members]) => ({
    ...mutationOf(resources, actionOf(head), head),
    rows: [head, ...members.filter((change) => change !== head)],
  }));
}

function headOf(change: RowChange, byId: ReadonlyMap<number, RowChange>): RowChange {
  const met = new Set([change]);
  for (let head = change; ; ) {
    const above = follows(head) ? byId.get(Number(head.after?.['parent'])) : undefined;
    if (above === undefined || !hasOther(above, ...inheritedFields) || met.has(above)) return head;
    met.add(above);
    head = above;
  }
}

const inheritedFields = ['uri', 'context_key', 'deleted'];

function follows(change: RowChange): boolean {
  return hasOther(change, ...inheritedFields) && !hasOther(change, 'parent', 'published');
}

function hasOther({ before, after }: RowChange, ...names: readonly string[]): boolean {
  return before !== null && after !== null && names.some((name) => before[name] !== after[name]);
}

function actionOf({ before, after }: RowChange): EventAction {
  if (before === null) return 'created';
  return after === null || (after['deleted'] === true && before['deleted'] !== true) ? 'deleted' : 'updated';
}
