/** Files as people manage them: put, show, list, remove. A file is there complete or not at all. */
import type { Dirent } from 'node:fs';
import { link, mkdir, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Settings } from '../config/setting-definitions.js';
import { randomId } from '../crypto/random.js';
import { AppError, invalidField } from '../errors/app-error.js';
import { checkFileType, typeOfName } from './file-type.js';
import { codeOf, findMediaFile, type MediaFile } from './media-folder.js';
import { readMediaPath } from './media-path.js';
import { checkPicture } from './pictures.js';

const hidden = 'a part that begins with a dot or ends with a dot or space';
const pathAccepts = `must be a path such as products/lamp.jpg: parts of at most 200 bytes joined by slashes, without \\ : * ? " < > |, control characters, and ${hidden}`;

/** Throws validation_failed. With a slash at the end, or empty, the file keeps its own name. */
export function targetPath(given: string, ownName: string): string {
  const name = ownName.slice(Math.max(ownName.lastIndexOf('/'), ownName.lastIndexOf('\\')) + 1);
  const text = given === '' || given.endsWith('/') ? `${given}${name}` : given;
  const path = readMediaPath(text);
  if (path === null) throw invalidField('path', pathAccepts);
  return path;
}

export interface PutFile {
  readonly folder: string;
  /** In `uploads` of the folder; taken from there. */
  readonly place: string;
  readonly path: string;
  readonly overwrite: boolean;
  readonly limits: Pick<Settings, 'media_types' | 'media_max_pixels' | 'media_max_bytes'>;
}

/** Throws conflict when the name is taken, unsupported_media_type, validation_failed. */
export async function putFile({ folder, place, path, overwrite, limits }: PutFile): Promise<MediaFile> {
  const { size } = await stat(place);
  if (size === 0) throw invalidField('file', 'is empty');
  if (size > limits.media_max_bytes) {
    const message = `The file is larger than ${limits.media_max_bytes} bytes (media_max_bytes)`;
    throw new AppError('payload_too_large', { message });
  }
  await checkFileType(place, { path, types: limits.media_types });
  await checkPicture(place, { type: typeOfName(path) ?? '', most: limits.media_max_pixels });
  const target = join(await realpath(folder), path);
  const parent = dirname(target);
  try {
    await mkdir(parent, { recursive: true });
    if ((await realpath(parent)) !== parent) throw invalidField('path', 'leads through a symbolic link');
    await (overwrite ? rename(place, target) : moveNew(place, target));
  } catch (error) {
    if (taken.has(codeOf(error))) throw takenName(path);
    if (codeOf(error) === 'ENOTDIR')
      throw new AppError('conflict', { message: `A part of ${path} is a file, not a folder` });
    throw error;
  }
  await syncFolder(parent);
  return loadFile(folder, path);
}

const taken: ReadonlySet<string> = new Set(['EEXIST', 'EISDIR', 'ENOTEMPTY']);
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function takenName(path: string): AppError {
  return new AppError('conflict', { message: `There is a file or folder ${path} already; overwrite replaces a file` });
}

/** Throws EEXIST. A link never replaces a file; where the file system has none, an empty file takes the name first. */
async function moveNew(place: string, target: string): Promise<void> {
  try {
    await link(place, target);
    await rm(place);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error))) throw error;
    await writeFile(target, '', { flag: 'wx' });
    await rename(place, target);
  }
}

/** A name is safe from a loss of power when its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } catch (error) {
    // Windows and some network file systems have no such thing.
    if (!['EPERM', 'EINVAL', 'EISDIR', 'ENOTSUP'].includes(codeOf(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Throws not_found. */
export async function loadFile(folder: string, path: string): Promise<MediaFile> {
  const file = await findMediaFile(folder, path);
  if (file === null) throw new AppError('not_found', { message: `There is no file ${path}` });
  return file;
}

/** Throws not_found. Folders stay. */
export async function removeFile(folder: string, path: string): Promise<void> {
  const { place } = await loadFile(folder, path);
  try {
    await rm(place);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new AppError('not_found', { message: `There is no file ${path}` });
    throw error;
  }
  await syncFolder(dirname(place));
}

interface ListQuestion {
  readonly folder: string;
  /** Of a folder; empty: everything. */
  readonly below: string;
  /** The last path of the page before. */
  readonly after: string | null;
  readonly limit: number;
  readonly offset: number;
  /** Counts all, for which it looks at all. */
  readonly counts?: true;
}

/** In the order of their parts. Throws validation_failed, and not_found for a folder that is not there. */
export async function listFiles({ folder, below, after, limit, offset, counts }: ListQuestion) {
  if (below !== '' && readMediaPath(below) === null) throw invalidField('path', pathAccepts);
  const names: string[] = [];
  let total = 0;
  const start = after === null ? null : after.split('/');
  for await (const path of walk(folder, { path: below, start: startBelow(start, below) })) {
    if (path === after) continue;
    total += 1;
    if (total > offset && names.length <= limit) names.push(path);
    if (names.length > limit && counts !== true) break;
  }
  const found = await Promise.all(names.slice(0, limit).map((path) => findMediaFile(folder, path)));
  const files = found.filter((file) => file !== null);
  return { files, total, next: names.length > limit ? (names[limit - 1] ?? null) : null };
}

function startBelow(start: readonly string[] | null, below: string): readonly string[] | null {
  return start === null || below === '' ? start : start.slice(below.split('/').length);
}

/** Leaves out what is before `start` without looking into it. */
async function* walk(
  folder: string,
  { path, start }: { readonly path: string; readonly start: readonly string[] | null },
): AsyncGenerator<string> {
  for (const entry of await readFolder(folder, path)) {
    const [first, ...rest] = start ?? [];
    if (first !== undefined && entry.name < first) continue;
    const own = path === '' ? entry.name : `${path}/${entry.name}`;
    if (readMediaPath(own) === null) continue;
    if (entry.isFile()) yield own;
    else if (entry.isDirectory()) yield* walk(folder, { path: own, start: entry.name === first ? rest : null });
  }
}

async function readFolder(folder: string, path: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(join(folder, path), { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (path === '' && codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR')
      throw new AppError('not_found', { message: `There is no folder ${path}` });
    throw error;
  }
}

/** Makes it, with a note for Git: what it holds can be made again. */
export async function ownFolder(folder: string, name: 'uploads' | 'variants'): Promise<string> {
  const own = join(folder, '.hcd');
  await mkdir(join(own, name), { recursive: true });
  await writeFile(join(own, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  return join(own, name);
}

/** Its name says which process writes it. */
export async function newUpload(folder: string): Promise<string> {
  return join(await ownFolder(folder, 'uploads'), `${uploadMark()}${process.pid}-${randomId()}`);
}

function uploadMark(): string {
  return `${hostname()}-`;
}

/** Of processes of this machine that were killed. */
export async function removeLeftUploads(folder: string): Promise<void> {
  const place = join(folder, '.hcd', 'uploads');
  const names = await readdir(place).catch(() => []);
  const isLeft = (name: string) => {
    const process = name.startsWith(uploadMark())
      ? Number(/^\d+/.exec(name.slice(uploadMark().length))?.[0])
      : Number.NaN;
    return !Number.isNaN(process) && !isAlive(process);
  };
  await Promise.all(names.filter(isLeft).map((name) => rm(join(place, name), { force: true })));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
