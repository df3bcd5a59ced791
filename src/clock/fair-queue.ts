/** Time goes round the groups (interfaces), and in a group round its callers, by the time each has taken. Pure. */

export interface Asker {
  readonly group: string;
  readonly caller: string;
}

interface Places {
  readonly places: number;
  readonly perCaller: number;
}

interface FairQueueLimits extends Places {
  readonly groups?: Readonly<Record<string, Places>>;
  /** Expected milliseconds of everything that waits, above which turns are refused. */
  readonly backlog: number;
}

export interface Turn {
  readonly asker: Asker;
  readonly expected: number;
  /** The places that it takes, 1 if left out. A turn that takes more than its caller may have begins alone. */
  readonly places?: number;
}

/** A newcomer's `spent` starts at what the other lanes have spent. */
interface Lane<T> {
  spent: number;
  backlog: number;
  /** Turns that have begun, and the places that they take. */
  running: number;
  places: number;
  readonly waiting: T[];
}

interface Group<T> {
  spent: number;
  /** What the lane that had the last turn had taken before it. */
  reached: number;
  /** Turns that wait or have begun. */
  busy: number;
  places: number;
  readonly lanes: Map<string, Lane<T>>;
  readonly ready: Set<Lane<T>>;
}

interface Place<T> {
  readonly group: Group<T>;
  readonly lane: Lane<T>;
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

  get waiting(): readonly T[] {
    return [...this.#groups.values()].flatMap(({ lanes }) => [...lanes.values()].flatMap((lane) => lane.waiting));
  }

  /** Returns the turn to refuse for it, or null: the newest turn of the caller with the longest line. */
  add(turn: T): T | null {
    const { group, lane } = this.#laneOf(turn.asker);
    lane.waiting.push(turn);
    group.ready.add(lane);
    group.busy += 1;
    this.#expect(lane, turn.expected);
    return this.#backlog > this.#limits.backlog ? this.#dropLast() : null;
  }

  /** `newest` only for a caller with more than half of the backlog, so that a few old turns do not starve. */
  next(which: 'oldest' | 'newest' = 'oldest'): T | null {
    const found = this.#nextLane();
    if (found === null) return null;
    const { group, lane } = found;
    const isNewest = which === 'newest' && lane.backlog > this.#backlog / 2;
    const turn = isNewest ? lane.waiting.pop() : lane.waiting.shift();
    if (turn === undefined) return null;
    if (lane.waiting.length === 0) group.ready.delete(lane);
    this.#expect(lane, -turn.expected);
    this.#reached = Math.max(this.#reached, group.spent);
    group.reached = Math.max(group.reached, lane.spent);
    // Until this turn ends, its expected time counts for the order of others.
    group.spent += turn.expected;
    lane.spent += turn.expected;
    lane.running += 1;
    lane.places += placesOf(turn);
    group.places += placesOf(turn);
    this.#running += 1;
    return turn;
  }

  end(turn: T, milliseconds: number): void {
    const { group, lane } = this.#laneOf(turn.asker);
    group.spent += milliseconds - turn.expected;
    lane.spent += milliseconds - turn.expected;
    lane.running -= 1;
    lane.places -= placesOf(turn);
    group.places -= placesOf(turn);
    group.busy -= 1;
    this.#running -= 1;
    this.#forgetIdle(group);
  }

  /** Of the lanes that may begin something, the one that has taken the least. */
  #nextLane(): Place<T> | null {
    let best: Place<T> | null = null;
    for (const [name, group] of this.#groups) {
      const own = this.#limits.groups?.[name];
      const { places, perCaller } = own ?? this.#limits;
      if ((own === undefined ? this.#running : group.places) >= places) continue;
      if (best !== null && best.group.spent <= group.spent) continue;
      let least: Lane<T> | null = null;
      for (const lane of group.ready) {
        if (mayBegin(lane, perCaller) && (least === null || lane.spent < least.spent)) least = lane;
      }
      if (least !== null) best = { group, lane: least };
    }
    return best;
  }

  get backlog(): number {
    return this.#backlog;
  }

  get running(): number {
    return this.#running;
  }

  /** The waiting turns of the caller with the largest backlog, what has begun included, the oldest first. */
  longest(): readonly T[] {
    let most: Lane<T> | null = null;
    for (const { lanes } of this.#groups.values()) {
      for (const lane of lanes.values()) if (most === null || lengthOf(lane) > lengthOf(most)) most = lane;
    }
    return most?.waiting ?? [];
  }

  waits(turn: T): boolean {
    return this.#groups.get(turn.asker.group)?.lanes.get(turn.asker.caller)?.waiting.includes(turn) ?? false;
  }

  remove(turn: T): boolean {
    const { group, lane } = this.#laneOf(turn.asker);
    const at = lane.waiting.indexOf(turn);
    if (at < 0) return false;
    lane.waiting.splice(at, 1);
    if (lane.waiting.length === 0) group.ready.delete(lane);
    group.busy -= 1;
    this.#expect(lane, -turn.expected);
    this.#forgetIdle(group);
    return true;
  }

  #dropLast(): T | null {
    const turn = this.longest().at(-1) ?? null;
    if (turn !== null) this.remove(turn);
    return turn;
  }

  #expect(lane: Lane<T>, milliseconds: number): void {
    lane.backlog += milliseconds;
    this.#backlog += milliseconds;
  }

  /** An idle lane keeps its debt, and gains nothing by its idle time. */
  #laneOf({ group: name, caller }: Asker): Place<T> {
    let group = this.#groups.get(name);
    if (group === undefined) {
      group = { spent: 0, reached: 0, busy: 0, places: 0, lanes: new Map(), ready: new Set() };
      this.#groups.set(name, group);
    }
    if (group.busy === 0) group.spent = Math.max(group.spent, this.#reached);
    let lane = group.lanes.get(caller);
    if (lane === undefined) {
      lane = { spent: 0, backlog: 0, running: 0, places: 0, waiting: [] };
      group.lanes.set(caller, lane);
    }
    if (isIdle(lane)) lane.spent = Math.max(lane.spent, group.reached);
    return { group, lane };
  }

  #forgetIdle(group: Group<T>): void {
    if (group.lanes.size <= mostIdle + 2 * group.busy) return;
    for (const [caller, lane] of group.lanes) if (isIdle(lane)) group.lanes.delete(caller);
  }
}

function placesOf({ places = 1 }: Turn): number {
  return places;
}

function mayBegin<T extends Turn>({ places, waiting: [next] }: Lane<T>, perCaller: number): boolean {
  return places === 0 || (next !== undefined && places + placesOf(next) <= perCaller);
}

/** Many short turns are a long line too. */
function lengthOf<T>({ backlog, running, waiting }: Lane<T>): number {
  return backlog + running + waiting.length;
}

function isIdle<T>({ running, waiting }: Lane<T>): boolean {
  return running === 0 && waiting.length === 0;
}
