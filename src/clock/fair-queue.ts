/**
 * The order in which long reads get their turn: time goes round the interfaces, and within an interface round its
 * callers, by the time that each of them has taken. Pure: it knows no clock and starts nothing.
 */

/** The asker: the interface, and the caller within it. */
export interface Asker {
  readonly api: string;
  readonly caller: string;
}

export interface FairQueueLimits {
  /** Turns at a time. */
  readonly places: number;
  /** Turns that one caller may have at a time. */
  readonly perCaller: number;
  /** Expected milliseconds of everything that waits, above which turns are refused. */
  readonly backlog: number;
}

export interface Turn {
  readonly asker: Asker;
  /** Milliseconds that it will probably take. */
  readonly expected: number;
}

/** The used time and the waiting turns of one side of the queue. */
interface Share {
  /** Milliseconds; it starts at what the others have taken, so that a newcomer is not ahead of everything. */
  spent: number;
  /** Expected milliseconds of what waits. */
  backlog: number;
}

interface Lane<T> extends Share {
  running: number;
  readonly waiting: T[];
}

interface Group<T> extends Share {
  /** What the lane that had the last turn had taken before it. */
  reached: number;
  /** Turns that wait or have begun. */
  busy: number;
  readonly lanes: Map<string, Lane<T>>;
}

/** Lanes above this number that have nothing to do are forgotten. */
const mostIdle = 100;

export class FairQueue<T extends Turn> {
  readonly #limits: FairQueueLimits;
  readonly #groups = new Map<string, Group<T>>();
  #reached = 0;
  #backlog = 0;
  #running = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Turns that wait. */
  get waiting(): readonly T[] {
    return [...this.#groups.values()].flatMap(({ lanes }) => [...lanes.values()].flatMap((lane) => lane.waiting));
  }

  /**
   * Puts the turn in line. Gives the turn that has to be refused for it, or null: the newest one of the caller who
   * waits for most, which may be the one that was just added.
   */
  add(turn: T): T | null {
    const { group, lane } = this.#laneOf(turn.asker);
    lane.waiting.push(turn);
    group.busy += 1;
    this.#expect(group, lane, turn.expected);
    return this.#backlog > this.#limits.backlog ? this.#dropLast() : null;
  }

  /** The turn that begins now; null when all places are taken or nothing may begin. */
  next(): T | null {
    if (this.#running >= this.#limits.places) return null;
    const mayRun = (lane: Lane<T>) => lane.waiting.length > 0 && lane.running < this.#limits.perCaller;
    const open = [...this.#groups.values()].filter(({ lanes }) => [...lanes.values()].some(mayRun));
    const group = least(open);
    const lane = group && least([...group.lanes.values()].filter(mayRun));
    const turn = lane?.waiting.shift();
    if (group === undefined || lane === undefined || turn === undefined) return null;
    this.#expect(group, lane, -turn.expected);
    this.#reached = Math.max(this.#reached, group.spent);
    group.reached = Math.max(group.reached, lane.spent);
    // Until this turn ends, its expected time counts for the order of others.
    group.spent += turn.expected;
    lane.spent += turn.expected;
    lane.running += 1;
    this.#running += 1;
    return turn;
  }

  /** A turn that `next` gave has ended after so many milliseconds. */
  end(turn: T, milliseconds: number): void {
    const { group, lane } = this.#laneOf(turn.asker);
    group.spent += milliseconds - turn.expected;
    lane.spent += milliseconds - turn.expected;
    lane.running -= 1;
    group.busy -= 1;
    this.#running -= 1;
    this.#forgetIdle(group);
  }

  /** Whether the turn is in the line. */
  waits(turn: T): boolean {
    return this.#groups.get(turn.asker.api)?.lanes.get(turn.asker.caller)?.waiting.includes(turn) ?? false;
  }

  /** Takes a turn out of the line; false when it is not in it. */
  remove(turn: T): boolean {
    const { group, lane } = this.#laneOf(turn.asker);
    const at = lane.waiting.indexOf(turn);
    if (at < 0) return false;
    lane.waiting.splice(at, 1);
    group.busy -= 1;
    this.#expect(group, lane, -turn.expected);
    this.#forgetIdle(group);
    return true;
  }

  #dropLast(): T | null {
    const lane = most([...(most([...this.#groups.values()])?.lanes.values() ?? [])]);
    const turn = lane?.waiting.at(-1) ?? null;
    if (turn !== null) this.remove(turn);
    return turn;
  }

  #expect(group: Group<T>, lane: Lane<T>, milliseconds: number): void {
    lane.backlog += milliseconds;
    group.backlog += milliseconds;
    this.#backlog += milliseconds;
  }

  /** An idle lane keeps its debt, and gains nothing by its idle time. */
  #laneOf({ api, caller }: Asker): { readonly group: Group<T>; readonly lane: Lane<T> } {
    const group = this.#groups.get(api) ?? { spent: 0, backlog: 0, reached: 0, busy: 0, lanes: new Map() };
    this.#groups.set(api, group);
    if (group.busy === 0) group.spent = Math.max(group.spent, this.#reached);
    const lane: Lane<T> = group.lanes.get(caller) ?? { spent: 0, backlog: 0, running: 0, waiting: [] };
    group.lanes.set(caller, lane);
    if (isIdle(lane)) lane.spent = Math.max(lane.spent, group.reached);
    return { group, lane };
  }

  #forgetIdle(group: Group<T>): void {
    if (group.lanes.size <= mostIdle) return;
    for (const [caller, lane] of group.lanes) if (isIdle(lane)) group.lanes.delete(caller);
  }
}

function isIdle<T>({ running, waiting }: Lane<T>): boolean {
  return running === 0 && waiting.length === 0;
}

function least<S extends Share>(shares: readonly S[]): S | undefined {
  return shares.reduce<S | undefined>(
    (best, one) => (best === undefined || one.spent < best.spent ? one : best),
    undefined,
  );
}

function most<S extends Share>(shares: readonly S[]): S | undefined {
  return shares.reduce<S | undefined>(
    (best, one) => (best === undefined || one.backlog > best.backlog ? one : best),
    undefined,
  );
}
