/** Announces a change of a file, which is no row of the database, as other changes are (docs/changes.md). */
import { mediaObject } from '../live/content-tags.js';
import type { Mutation } from '../live/mutation.js';
import { runMutation, type Seal } from './run-mutation.js';
import type { ContentWriter } from './write-request.js';

interface FileWrite<T> {
  readonly writer: Pick<ContentWriter, 'store' | 'listeners'>;
  readonly path: string;
  readonly seal?: Seal<T> | null;
  readonly change: () => Promise<{ readonly action: Mutation['action']; readonly result: T }>;
}

export function writeFile<T>({ writer, path: key, seal = null, change }: FileWrite<T>): Promise<T> {
  const { store, listeners } = writer;
  let changing: ReturnType<typeof change> | undefined;
  return runMutation<T>({
    ...{ store, listeners, seal },
    async work() {
      // A transaction may run again, but a file changes once.
      changing ??= change();
      const { action, result } = await changing;
      const row = {
        ...{ object: mediaObject, key, before: action === 'created' ? null : {} },
        after: action === 'deleted' ? null : {},
      };
      const place = { context: null, uri: null, parent: null };
      return { mutation: { object: mediaObject, action, key, ...place, rows: [row] }, result };
    },
  });
}
