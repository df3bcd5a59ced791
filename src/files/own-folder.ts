/** What is ours in the folder of the files: uploads and variants, and notes of changes that are not announced yet. */
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomId } from '../crypto/primitives.js';
import { AppError, invalidField } from '../errors/app-error.js';
import { codeOf, diskError, folderNotWritable } from '../errors/disk-error.js';
import { findMediaFile } from './media-folder.js';

/** Throws conflict for a file in the way, and for a link, which could lead out of the folder. */
export async function makeFolders(root: string, parts: readonly string[]): Promise<string> {
  let place = root;
  for (const part of parts) {
    place = join(place, part);
    await mkdir(place).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error;
    });
    const found = await lstat(place);
    if (found.isSymbolicLink()) throw invalidField('path', `leads through the symbolic link ${part}`);
    if (!found.isDirectory()) throw new AppError('conflict', { message: `${part} is a file, not a folder` });
  }
  return place;
}

/** Makes it, with a note for Git: what it holds can be made again. */
export async function ownFolder(folder: string, name: 'uploads' | 'variants'): Promise<string> {
  await mkdir(folder, { recursive: true });
  const place = await makeFolders(await realpath(folder), ['.hcd', name]);
  await writeFile(join(dirname(place), '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return place;
}

/** Throws unavailable. */
export async function newUpload(folder: string): Promise<string> {
  try {
    return join(await ownFolder(folder, 'uploads'), randomId());
  } catch (error) {
    // A link in the way is no fault of the caller.
    throw error instanceof AppError ? folderNotWritable(error) : diskError(error);
  }
}

export interface NotedChange {
  readonly folder: string;
  readonly path: string;
  readonly isQuiet: boolean;
  readonly before: string | null;
  readonly place: string;
}

const noteEnding = '.note';

/** On the disk until the change is announced, so that another process announces those of a killed one. */
export async function noteChange(
  folder: string,
  { path, isQuiet }: Pick<NotedChange, 'path' | 'isQuiet'>,
): Promise<NotedChange> {
  const before = (await findMediaFile(folder, path))?.version ?? null;
  const place = `${await newUpload(folder)}${noteEnding}`;
  await writeFile(place, `${before ?? ''}\n${isQuiet ? 'quiet' : ''}\n${path}`, { flag: 'wx', flush: true }).catch(
    (error: unknown) => {
      throw diskError(error);
    },
  );
  return { folder, path, isQuiet, before, place };
}

export function forgetNote({ place }: NotedChange): Promise<void> {
  return rm(place, { force: true });
}

export async function actionSince({ folder, path, before }: NotedChange) {
  const after = (await findMediaFile(folder, path))?.version ?? null;
  if (after === before) return null;
  return after === null ? 'deleted' : before === null ? 'created' : 'updated';
}

/** Milliseconds; no change and no upload takes as long. */
const leftAfter = { note: 60_000, upload: 3_600_000 };

/** Removes uploads of killed processes, on any machine, and gives the changes that they did not announce. */
export async function sweepUploads(folder: string, now: number): Promise<readonly NotedChange[]> {
  const parent = join(folder, '.hcd', 'uploads');
  const notes: NotedChange[] = [];
  for (const name of await readdir(parent).catch(() => [])) {
    const isNote = name.endsWith(noteEnding);
    const place = join(parent, name);
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: now }));
    if (mtimeMs >= now - (isNote ? leftAfter.note : leftAfter.upload)) continue;
    const note = isNote ? await claimNote(place, { folder, now }) : null;
    if (note === null) await rm(place, { force: true });
    else notes.push(note);
  }
  return notes;
}

/** Null for one of another process that sweeps, and a half-written one, before which nothing changed. */
async function claimNote(
  left: string,
  { folder, now }: { readonly folder: string; readonly now: number },
): Promise<NotedChange | null> {
  const place = join(dirname(left), `${randomId()}${noteEnding}`);
  try {
    await utimes(left, now / 1000, now / 1000);
    await rename(left, place);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
  const [before, quiet, path] = (await readFile(place, 'utf8')).split('\n');
  if (path !== undefined) return { folder, place, path, isQuiet: quiet !== '', before: before || null };
  await rm(place);
  return null;
}
