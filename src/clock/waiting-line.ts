/** Work waits here for one of few places: its callers take turns, and what waits too long or is too much is refused. */
import { type Clock, systemClock, type Timer } from './clock.js';
import { type Asker, FairQueue, type Turn } from './fair-queue.js';

interface LineOptions {
  readonly places: number;
  readonly perCaller?: number;
  /** What may wait, in the measure of `expected`. */
  readonly mostWaiting?: number;
  /** Milliseconds; 0 or left out = no limit. */
  readonly wait?: number;
  readonly clock?: Pick<Clock, 'after'>;
  readonly refusal: (why: 'full' | 'late' | 'closed') => Error;
}

/** Ends a turn; a second call does nothing. `took` is in the measure of `expected`. */
type EndTurn = (took?: number) => void;

interface Waiting extends Turn {
  readonly begin: (end: EndTurn) => void;
  readonly refuse: (error: Error) => void;
  timer?: Timer;
}

export const program: Asker = Object.freeze({ api: '', caller: '' });

export class WaitingLine {
  readonly #options: LineOptions;
  readonly #queue: FairQueue<Waiting>;
  #isClosed = false;

  constructor(options: LineOptions) {
    this.#options = options;
    const { places, perCaller = places, mostWaiting: backlog = Number.POSITIVE_INFINITY } = options;
    this.#queue = new FairQueue({ places, perCaller, backlog });
  }

  /** Resolves when the turn begins; throws `refusal`. */
  take({ asker = program, expected = 1 }: Partial<Turn> = {}): Promise<EndTurn> {
    const { wait = 0, clock = systemClock, refusal } = this.#options;
    return new Promise((begin, refuse) => {
      if (this.#isClosed) return refuse(refusal('closed'));
      const turn: Waiting = { asker, expected, begin, refuse };
      const refused = this.#queue.add(turn);
      if (refused !== null) this.#refuse(refused, 'full');
      this.#beginNext();
      if (wait === 0 || !this.#queue.waits(turn)) return;
      turn.timer = clock.after(wait, () => {
        if (this.#queue.remove(turn)) this.#refuse(turn, 'late');
      });
    });
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.take();
    try {
      return await work();
    } finally {
      end();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const turn of this.#queue.waiting) {
      this.#queue.remove(turn);
      this.#refuse(turn, 'closed');
    }
  }

  #refuse({ timer, refuse }: Waiting, why: 'full' | 'late' | 'closed'): void {
    timer?.stop();
    refuse(this.#options.refusal(why));
  }

  #beginNext(): void {
    for (let turn = this.#queue.next(); turn !== null; turn = this.#queue.next()) this.#begin(turn);
  }

  #begin(turn: Waiting): void {
    turn.timer?.stop();
    let isOver = false;
    turn.begin((took = turn.expected) => {
      if (isOver) return;
      isOver = true;
      this.#queue.end(turn, took);
      this.#beginNext();
    });
  }
}
