/**
 * Follows the time zone of the banners: puts events that are under the day of an earlier zone, and their sums, under the
 * day that the zone has now. It goes through the events by time in small steps and can be ended between any two; sums
 * whose events are removed already stay where they are.
 */

import { sha256Hex } from '../../crypto/hash.js';
import type { Database } from '../../store/base/database.js';
import { moveEvents, readMisplaced } from '../rows/ad-day-moves.js';
import type { EventKind } from '../rows/ad-events.js';
import { readEventTimes } from '../rows/ad-statistics.js';
import { addDays, dayStart, localDay } from '../rules/local-time.js';
import {
  beginDaysZone,
  type DaysZone,
  readDaysZone,
  writeDaysZone,
  type ZoneBeginning,
  zoneLagMs,
} from './days-zone.js';

export interface DaysMove {
  readonly zone: string;
  /** Unix milliseconds. */
  readonly now: number;
  /** Ends it between two steps. */
  readonly stop?: AbortSignal;
}

/** One look at the rows of so long a time. */
const stepMs = 3_600_000;
/** Rows of one transaction. */
const together = 200;
/** Looks without a move until it is written down how far it came. */
const stepsBetweenNotes = 500;

/** Gives how many events were moved. Harmless to repeat and to run in several processes at once. */
export async function moveDays(own: Database, { zone, now, stop }: DaysMove): Promise<number> {
  const times = await readEventTimes(own.primary);
  const last = Math.max(times?.last ?? 0, now);
  let standing = await begin(own, { zone, now, last });
  // What was recorded in the last minutes may have come late; it is looked at again.
  let at = Math.max(standing.done - zoneLagMs, times?.first ?? now);
  let moved = 0;
  let steps = 0;
  while (at <= last && stop?.aborted !== true) {
    const day = localDay(at, zone);
    const to = Math.min(at + stepMs, dayStart(addDays(day, 1), zone), last + 1);
    const count = await moveStep(own, { from: at, to, day, standing });
    moved += count;
    steps += 1;
    at = to;
    standing = { ...standing, done: Math.max(at, standing.done), moved: standing.moved + count };
    if (steps % stepsBetweenNotes === 0) await note(own, standing);
  }
  await note(own, standing);
  return moved;
}

/** What is written down for this zone, or a new beginning. */
async function begin(own: Database, beginning: ZoneBeginning): Promise<DaysZone> {
  const known = await readDaysZone(own.primary);
  if (known?.zone === beginning.zone) return known;
  return own.write((tx) => beginDaysZone(tx, beginning));
}

/** Another process may have gone further, or the zone may have changed again: then that one's word counts. */
async function note(own: Database, standing: DaysZone): Promise<void> {
  await own.write(async (tx) => {
    const known = await readDaysZone(tx);
    if (known === null || known.zone !== standing.zone) return;
    const done = Math.max(known.done, standing.done);
    await writeDaysZone(tx, { ...known, done, moved: Math.max(known.moved, standing.moved) });
  });
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly day: number;
  readonly standing: DaysZone;
}

async function moveStep(own: Database, { from, to, day, standing }: Step): Promise<number> {
  let moved = 0;
  for (const kind of ['clicks', 'impressions'] as const) {
    for (;;) {
      const misplaced = await readMisplaced(own.primary, { kind, from, to, day, limit: together });
      if (misplaced.length === 0) break;
      const count = await moveBatch(own, { kind, ids: misplaced.map(({ id }) => id), day, standing });
      moved += count;
      // None: another process was quicker, or the zone changed again.
      if (misplaced.length < together || count === 0) break;
    }
  }
  return moved;
}

interface Batch {
  readonly kind: EventKind;
  readonly ids: readonly number[];
  readonly day: number;
  readonly standing: DaysZone;
}

/** Events, sums and the note that sums changed, in one transaction. */
function moveBatch(own: Database, { kind, ids, day, standing }: Batch): Promise<number> {
  return own.write(async (tx) => {
    const known = await readDaysZone(tx);
    // The zone changed again meanwhile: the day is no longer the right one.
    if (known === null || known.zone !== standing.zone) return 0;
    const count = await moveEvents(tx, { kind, ids, day, substitute: substituteOf(kind) });
    await writeDaysZone(tx, { ...known, moved: known.moved + count });
    return count;
  });
}

function substituteOf(kind: EventKind): (id: number) => string {
  return (id) => sha256Hex(`moved ${kind} ${id}`).slice(0, 16);
}
