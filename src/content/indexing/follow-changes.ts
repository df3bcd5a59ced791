/** Builds new indexes of content when a server starts, and follows what the CMS's manager logs. */
import type { Log } from '../../log/observation.js';
import { reportFailure } from '../../log/report-failure.js';
import type { Store } from '../../store/open/open.js';
import type { RowChange } from '../live/mutation.js';
import { buildIndexes, indexNow, sweepNext } from './keep-indexes.js';

interface FollowDeps {
  readonly store: Store;
  readonly log: Log;
  readonly onContentChange: (listener: (rows: readonly RowChange[] | 'everything') => void) => void;
}

export function followChanges({ store, log, onContentChange }: FollowDeps): () => Promise<void> {
  const stop = new AbortController();
  const waiting = new Set<number>();
  let isEverything = false;
  let work: Promise<void> = run('making the indexes of content', () => buildIndexes(store, stop.signal));
  let isBusy = false;

  async function run(during: string, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      // The worker's sweep repeats it.
      if (!stop.signal.aborted) reportFailure(log, { during, error });
    }
  }

  async function catchUp(): Promise<void> {
    while ((isEverything || waiting.size > 0) && !stop.signal.aborted) {
      const ids = [...waiting];
      waiting.clear();
      await indexNow(store, ids);
      if (!isEverything) continue;
      isEverything = false;
      for (let place: number | null = 0; place !== null && !stop.signal.aborted; )
        place = await sweepNext(store, place);
    }
  }

  // In an own store every change has come through this program, which indexed it.
  if (store.kind === 'attached') {
    onContentChange((rows) => {
      if (rows === 'everything') isEverything = true;
      else for (const { object, key } of rows) if (object === 'resources') waiting.add(Number(key));
      if (isBusy) return;
      isBusy = true;
      work = work
        .then(() => run('indexing changed resources', catchUp))
        .finally(() => {
          isBusy = false;
        });
    });
  }
  return async () => {
    stop.abort();
    await work;
  };
}
