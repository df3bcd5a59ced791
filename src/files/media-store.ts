/** Files as people manage them: put, show, list, remove. A file is there complete or not at all. */
import { createReadStream, type Dirent } from 'node:fs';
import { link, open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Settings } from '../config/settings.js';
import { sha256OfPieces } from '../crypto/primitives.js';
import { AppError, invalidField } from '../errors/app-error.js';
import { codeOf, diskError } from '../errors/disk-error.js';
import { isoTimeOfMs } from '../values/dates.js';
import { checkFileType, typeOfName } from './file-type.js';
import { findMediaFile, type MediaFile } from './media-folder.js';
import { encodePath, filesBase, readMediaPath } from './media-path.js';
import { makeFolders } from './own-folder.js';
import { checkPicture, readPixels } from './pictures.js';

const acceptedPath =
  'a path such as products/lamp.jpg: parts of at most 255 bytes joined by slashes, without \\ : * ? " < > |, control characters, and a dot or space at the beginning or end of a part';

/** Throws validation_failed. With a slash at the end, or empty, the file keeps its own name. */
export function targetPath(given: string, ownName: string): string {
  const name = ownName.slice(Math.max(ownName.lastIndexOf('/'), ownName.lastIndexOf('\\')) + 1);
  const keepsName = given === '' || given.endsWith('/');
  if (keepsName && readMediaPath(name) === null)
    throw invalidField('file', `cannot keep its name; give ${acceptedPath}`);
  const path = readMediaPath(keepsName ? `${given}${name}` : given);
  if (path === null) throw invalidField('path', `must be ${acceptedPath}`);
  return path;
}

type Limits = Pick<Settings, 'media_types' | 'media_max_pixels' | 'media_max_bytes'>;

/** Throws validation_failed for an empty file, payload_too_large. */
export function checkSize(size: number, { media_max_bytes }: Pick<Limits, 'media_max_bytes'>): void {
  if (size === 0) throw invalidField('file', 'is empty');
  if (size <= media_max_bytes) return;
  const message = `The file is larger than ${media_max_bytes} bytes (media_max_bytes)`;
  throw new AppError('payload_too_large', { message });
}

/** Throws validation_failed, payload_too_large, unsupported_media_type. */
export async function checkFile(
  place: string,
  { path, limits }: { readonly path: string; readonly limits: Limits },
): Promise<void> {
  checkSize((await stat(place)).size, limits);
  await checkFileType(place, { path, types: limits.media_types });
  await checkPicture(place, { type: typeOfName(path) ?? '', most: limits.media_max_pixels });
}

interface PutFile {
  readonly folder: string;
  /** In `uploads` of the folder; taken from there. */
  readonly place: string;
  readonly path: string;
  readonly overwrite: boolean;
}

export function digestOf(place: string): Promise<string> {
  return sha256OfPieces(createReadStream(place));
}

/** Throws conflict when the name is taken, validation_failed for a path that leads through a link, unavailable. */
export async function putFile({ folder, place, path, overwrite }: PutFile): Promise<MediaFile> {
  try {
    const root = await realpath(folder);
    const target = join(root, path);
    await makeFolders(root, path.split('/').slice(0, -1));
    await (overwrite ? rename(place, target) : moveNew(place, target));
    await syncFolder(dirname(target));
    return await loadFile(folder, path);
  } catch (error) {
    if (taken.has(codeOf(error))) throw takenName(path);
    if (codeOf(error) === 'ENAMETOOLONG') throw invalidField('path', 'has a name that the file system does not take');
    throw diskError(error);
  }
}

const taken: ReadonlySet<string> = new Set(['EEXIST', 'EISDIR', 'ENOTEMPTY']);
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

function takenName(path: string): AppError {
  return new AppError('conflict', {
    message: `There is a file or folder ${path} already; --overwrite (in a form overwrite=1) replaces a file`,
  });
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
    await syncFolder(dirname(place));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw new AppError('not_found', { message: `There is no file ${path}` });
    throw diskError(error);
  }
}

interface ListQuestion {
  readonly folder: string;
  readonly below: string;
  /** The last path of the page before. */
  readonly after: string | null;
  readonly limit: number;
  readonly offset: number;
  /** Counts all, for which it looks at all. */
  readonly counts?: true;
  readonly keeps?: (path: string) => boolean;
}

/** In the order of their parts. Throws validation_failed, and not_found for a folder that is not there. */
export async function listFiles({ folder, below, after, limit, offset, counts, keeps }: ListQuestion) {
  if (below !== '' && readMediaPath(below) === null) throw invalidField('path', `must be ${acceptedPath}`);
  const root = await realpath(folder).catch(() => folder);
  if (below !== '' && !(await isFolder(join(root, below))))
    throw new AppError('not_found', { message: `There is no folder ${below}` });
  const names: string[] = [];
  let total = 0;
  const start = after === null ? null : after.split('/').slice(below === '' ? 0 : below.split('/').length);
  for await (const path of walkFiles(root, { path: below, start })) {
    if (path === after || keeps?.(path) === false) continue;
    total += 1;
    if (total > offset && names.length <= limit) names.push(path);
    if (names.length > limit && counts !== true) break;
  }
  const found = await Promise.all(names.slice(0, limit).map((path) => findMediaFile(folder, path)));
  const files = found.filter((file) => file !== null);
  return { files, total, next: names.length > limit ? (names[limit - 1] ?? null) : null };
}

/** False for one that is reached through a link. */
async function isFolder(place: string): Promise<boolean> {
  const real = await realpath(place).catch(() => null);
  return real === place && (await stat(place)).isDirectory();
}

/** Leaves out what is before `start` without looking into it. */
export async function* walkFiles(
  folder: string,
  { path, start }: { readonly path: string; readonly start: readonly string[] | null } = { path: '', start: null },
): AsyncGenerator<string> {
  for (const entry of await readFolder(join(folder, path))) {
    const [first, ...rest] = start ?? [];
    if (first !== undefined && entry.name < first) continue;
    const own = path === '' ? entry.name : `${path}/${entry.name}`;
    if (readMediaPath(own) === null) continue;
    if (entry.isFile()) yield own;
    else if (entry.isDirectory()) yield* walkFiles(folder, { path: own, start: entry.name === first ? rest : null });
  }
}

/** Empty for one that is gone by now, or is not ours to read. */
async function readFolder(place: string): Promise<readonly Dirent[]> {
  try {
    const entries = await readdir(place, { withFileTypes: true });
    return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(codeOf(error))) return [];
    throw error;
  }
}

export async function fileView({ path, place, size, type, modified }: MediaFile, { withPixels = true } = {}) {
  const [plain = ''] = type.split(';');
  const pixels = withPixels ? await readPixels(place, plain) : null;
  return {
    ...{ path, url: `${filesBase}/${encodePath(path)}`, size, type: plain },
    modified: isoTimeOfMs(modified),
    ...(pixels === null ? {} : { width: pixels.width, height: pixels.height }),
  };
}
