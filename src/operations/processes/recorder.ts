/** Writes the counts and refusals of a process by a timer, so that no request waits; what comes too late is dropped. */
import { hostname } from 'node:os';
import type { Clock } from '../../clock/clock.js';
import { randomId } from '../../crypto/primitives.js';
import { type Log, type Observation, type RequestFinished, reportFailure } from '../../log/observation.js';
import { type Database, type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/columns.js';
import type { NewRow } from '../../store/models/finders.js';
import { batchesOf } from '../../values/batches.js';
import { minuteMs } from '../../values/dates.js';
import {
  type Counts,
  type InterfaceName,
  processes,
  readAlive,
  removeEndedProcesses,
  sumOfRequests,
  writeEveryMs,
} from '../models/processes.js';
import { refusals, removeOldRefusals } from '../models/refusals.js';
import { refusalOf } from './refusal.js';

interface RecorderDeps {
  readonly own: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly role: 'server' | 'worker';
  readonly version: string;
  readonly apis: readonly string[];
}

type ServingPlace = { readonly url: string; readonly cache: () => Counts['cache'] };

const lookMs = 1000;
const mostWaiting = 2000;
const minutes = 5;

type WaitingRefusal = Omit<NewRow<typeof refusals.columns>, 'createdOn'> & { readonly at: number };

export function openRecorder({ own, clock, log, role, version, apis }: RecorderDeps) {
  const id = randomId();
  const startedAt = clock.elapsed();
  const counted = new MinuteCounts();
  let waiting: WaitingRefusal[] = [];
  let place: ServingPlace | undefined;
  let passedAt: number | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let prunedAt = Number.NEGATIVE_INFINITY;
  let isFailing = false;

  const ageOf = (at: number): number => Math.round(at - clock.elapsed());
  const writeRow = async (tx: Tx, isOver: boolean): Promise<void> => {
    if (isOver && passedAt === null) {
      await processes.on(tx).destroy({ where: { id } });
      return;
    }
    const changing = {
      seenOn: isOver ? 0 : fromNow(tx),
      rssBytes: process.memoryUsage.rss(),
      counts: counted.sums(place?.cache()),
      lastPassOn: passedAt === null ? null : fromNow(tx, ageOf(passedAt)),
    };
    const fixed = { id, host: recordedHost(), pid: process.pid, role, version: version.slice(0, 64) };
    const row = { ...fixed, url: place?.url ?? '', apis, startedOn: fromNow(tx, ageOf(startedAt)), ...changing };
    await processes.on(tx).bulkCreate([row], {
      updateOnDuplicate: ['seenOn', 'rssBytes', 'counts', 'lastPassOn'],
    });
  };
  const write = async (isOver: boolean): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const isRowDue = isOver || clock.elapsed() - writtenAt >= writeEveryMs;
    const isPruneDue = !isOver && clock.elapsed() - prunedAt >= minuteMs;
    if (batch.length === 0 && !isRowDue) return;
    try {
      await own.write(
        async (tx) => {
          if (isRowDue) await writeRow(tx, isOver);
          for (const rows of batchesOf(batch)) {
            await refusals
              .on(tx)
              .bulkCreate(rows.map(({ at: when, ...row }) => ({ ...row, createdOn: fromNow(tx, ageOf(when)) })));
          }
          if (!isPruneDue) return;
          await removeEndedProcesses(tx);
          await removeOldRefusals(tx);
        },
        // A loss of power may undo it: nothing is worth a wait for the disk.
        { ...repeatable, mayBeUndone: true },
      );
      if (isRowDue) writtenAt = clock.elapsed();
      if (isPruneDue) prunedAt = clock.elapsed();
      isFailing = false;
    } catch (error) {
      // The batch is dropped: it must not grow while the database does not answer. A lasting failure is reported once.
      if (!isFailing) reportFailure(log, { during: 'writing the state of this process', error });
      isFailing = true;
    }
  };

  let writing = Promise.resolve();
  const flush = (isOver = false): Promise<void> => {
    writing = writing.then(() => write(isOver));
    return writing;
  };
  let timer: { stop(): void } | undefined;
  const note = (fact: RequestFinished): void => {
    counted.add(fact);
    if (fact.status < 400 || fact.status >= 500) return;
    waiting.push({ ...refusalOf(fact), at: clock.elapsed() });
    if (waiting.length > mostWaiting) waiting.shift();
  };
  return {
    log(fact: Observation): void {
      if (fact.kind === 'request_finished') note(fact);
      log(fact);
    },
    /** Resolves after the first write; never rejects. */
    async started(given?: ServingPlace): Promise<void> {
      place = given;
      let rotatedAt = clock.elapsed();
      timer = clock.every({
        intervalMs: lookMs,
        async work() {
          if (clock.elapsed() - rotatedAt >= minuteMs) {
            rotatedAt = clock.elapsed();
            counted.rotate(place?.cache());
          }
          await flush();
        },
        onError: () => undefined,
      });
      await flush();
    },
    /** A worker has sent the deliveries that were due. */
    passed(): void {
      passedAt = clock.elapsed();
    },
    /** Never rejects. */
    async close(): Promise<void> {
      timer?.stop();
      await flush(true);
    },
  };
}

const interfaceOf: Readonly<Record<string, InterfaceName>> = {
  gateway: 'gateway',
  pages: 'pages',
  'pages-public': 'pages',
  banners: 'banners',
  slots: 'banners',
  'banner clicks': 'banners',
  'banner impressions': 'banners',
};

const noAnswers = { hits: 0, misses: 0 };

class MinuteCounts {
  #current = newMinute(noAnswers);
  #minutes = [this.#current];

  add({ api, status }: Pick<RequestFinished, 'api' | 'status'>): void {
    const name = interfaceOf[api];
    if (name === undefined) return;
    const count = this.#current.requests[name];
    count.requests += 1;
    if (status >= 500) count.errors += 1;
    if (status === 429) count.limited += 1;
  }

  rotate(cache: Counts['cache'] = noAnswers): void {
    this.#current = newMinute({ hits: cache.hits, misses: cache.misses });
    this.#minutes = [...this.#minutes, this.#current].slice(-minutes - 1);
  }

  sums(cache: Counts['cache'] = noAnswers): Counts {
    const before = this.#minutes[0]?.cache ?? noAnswers;
    return {
      requests: sumOfRequests(this.#minutes),
      cache: { hits: cache.hits - before.hits, misses: cache.misses - before.misses },
    };
  }
}

function newMinute(cache: Counts['cache']): Counts {
  return { requests: sumOfRequests([]), cache };
}

type RunningServers = (name: InterfaceName) => string | undefined;

/** A server at the configured address comes first, then the one that started last: older ones may have been killed. */
export async function readRunningServers(reader: Reader, configured: string): Promise<RunningServers> {
  const here = recordedHost();
  const servers = (await readAlive(reader)).filter(({ role, host }) => role === 'server' && host === here).toReversed();
  return (name) => {
    const serving = servers.filter(({ apis }) => apis.includes(name));
    return (serving.find(({ url }) => url === configured) ?? serving[0])?.url;
  };
}

/** The name of this machine as rows have it. */
function recordedHost(): string {
  return hostname().slice(0, 190);
}
