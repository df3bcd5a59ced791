/** Corrects daily sums by a recount, one day per transaction. A sum above its rows is lowered only on request. */

import type { Database, Tx } from '../../store/base/database.js';
import { addToDays, changeReferrerDays, type DayIncrement, type ReferrerIncrement } from './add-to-days.js';
import { countedSums, keyOf, kindOf, type SumName, storedSums } from './day-sums.js';
import { checkDays, type IsComplete, type SumsCheck, type WrongSum } from './find-wrong-sums.js';

export interface Recount extends SumsCheck {
  readonly isLowering: boolean;
  readonly isDryRun: boolean;
  readonly onDay?: (done: number) => void;
}

export type RecountedSum = WrongSum & { readonly isFixed: boolean };

export async function* recountDays(own: Database, recount: Recount): AsyncGenerator<RecountedSum> {
  const { isLowering, isDryRun, onDay } = recount;
  let done = 0;
  for await (const { day, wrong, isComplete } of checkDays(own.primary, recount)) {
    const isRecounted = wrong.length > 0 && !isDryRun;
    const fixed = isRecounted ? await recountDay(own, { day, wrong, isLowering, isComplete }) : new Set<string>();
    yield* wrong.map((sum) => ({ ...sum, isFixed: fixed.has(keyOf(sum)) }));
    done += 1;
    onDay?.(done);
  }
}

interface DayRecount {
  readonly day: number;
  readonly wrong: readonly WrongSum[];
  readonly isLowering: boolean;
  readonly isComplete: IsComplete;
}

async function recountDay(own: Database, recount: DayRecount): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  await own.write(
    async (tx) => {
      for (const { name } of await putRight(tx, recount)) changed.add(keyOf(name));
    },
    // If the first attempt took effect, nothing is left to change.
    { outcome: async () => undefined },
  );
  return changed;
}

interface Change {
  readonly name: SumName;
  readonly by: number;
}

/** A sum that appears during the count belongs to a writer that has just finished, and is left unchanged. */
async function putRight(tx: Tx, { day, wrong, isLowering, isComplete }: DayRecount): Promise<readonly Change[]> {
  const locked = { day, positions: wrong.map(({ position }) => position), lock: true };
  const held = await storedSums(tx, locked);
  const counted = await countedSums(tx, day);
  const stored = await storedSums(tx, locked);
  const changes: Change[] = [];
  for (const name of wrong) {
    const key = keyOf(name);
    if (stored.has(key) !== held.has(key)) continue;
    const by = (counted.get(key)?.value ?? 0) - (stored.get(key)?.value ?? 0);
    if (by > 0 || (by < 0 && isLowering && isComplete(kindOf(name), day))) changes.push({ name, by });
  }
  await addToDays(
    tx,
    changes.flatMap((change) => dayIncrement(day, change)),
  );
  await changeReferrerDays(
    tx,
    changes.flatMap((change) => referrerIncrement(day, change)),
  );
  return changes;
}

function dayIncrement(day: number, { name, by }: Change): DayIncrement[] {
  if (name.figure === 'clicks by referrer') return [];
  const { ad, position, figure } = name;
  return [{ day, ad, position, clicks: 0, impressions: 0, conversions: 0, [figure]: by }];
}

function referrerIncrement(day: number, { name, by }: Change): ReferrerIncrement[] {
  return name.figure === 'clicks by referrer'
    ? [{ day, position: name.position, referrer: name.referrer, clicks: by }]
    : [];
}
