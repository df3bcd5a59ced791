/** Announces a change of a file, which is no row of the database, as other changes are (docs/changes.md). */
import { AppError } from '../../errors/app-error.js';
import { actionSince, forgetNote, type NotedChange, noteChange, sweepUploads } from '../../files/own-folder.js';
import { type Mutation, mediaObject } from '../live/mutation.js';
import { type ContentWriter, runMutation, type Seal } from './run-mutation.js';

interface Announcing {
  readonly writer: Pick<ContentWriter, 'store' | 'listeners'>;
  readonly folder: string;
}

export async function writeFile<T>({
  writer,
  folder,
  path,
  seal = null,
  isQuiet = false,
  change,
}: Announcing & {
  readonly path: string;
  readonly seal?: Seal<T> | null;
  readonly isQuiet?: boolean;
  readonly change: () => Promise<T>;
}) {
  const { store, listeners } = writer;
  const note = await noteChange(folder, { path, isQuiet });
  let changing: Promise<T> | undefined;
  try {
    const result = await runMutation<T>({
      ...{ store, listeners, seal },
      async work() {
        // A transaction may run again, but a file changes once.
        changing ??= change();
        return { result: await changing, mutation: await mutationSince(note) };
      },
    });
    await forgetNote(note);
    return result;
  } catch (error) {
    // What took effect without its announcement is announced later, but not what another process changed.
    const isRefused = error instanceof AppError && error.code === 'conflict';
    if (isRefused || (await actionSince(note).catch(() => 'updated')) === null) await forgetNote(note);
    throw error;
  }
}

/** What killed processes changed; a change may be announced twice. */
export async function announceLeftChanges({ writer, folder, now }: Announcing & { readonly now: number }) {
  const { store, listeners } = writer;
  for (const note of await sweepUploads(folder, now)) {
    const work = async () => ({ result: null, mutation: await mutationSince(note) });
    await runMutation({ store, listeners, seal: null, work });
    await forgetNote(note);
  }
}

async function mutationSince(note: NotedChange): Promise<Mutation | null> {
  const action = await actionSince(note);
  if (action === null) return null;
  const { path: key, isQuiet } = note;
  const [before, after] = [action === 'created' ? null : {}, action === 'deleted' ? null : {}];
  const rows = [{ object: mediaObject, key, before, after }];
  return {
    ...{ object: mediaObject, action, key, context: null, uri: null, parent: null, rows },
    ...(isQuiet ? { isQuiet } : {}),
  };
}
