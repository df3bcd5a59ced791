/** The folder of the media files of a site. What begins with a dot in it is ours and is never served. */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { contentType } from 'mime-types';
import { sha256Hex } from '../crypto/primitives.js';
import { codeOf } from '../errors/disk-error.js';
import { typeOfName } from './file-type.js';
import { readMediaPath } from './media-path.js';

export interface MediaFile {
  readonly path: string;
  readonly place: string;
  readonly size: number;
  readonly modified: number;
  readonly type: string;
  /** Another one after every change of the content. */
  readonly version: string;
  /** Of a file that could not be written. */
  readonly bytes?: Buffer;
}

export function mediaType(path: string): string {
  const type = typeOfName(path);
  return (type !== null && contentType(type)) || 'application/octet-stream';
}

/** Null for what is not a file of the folder, or is reached through a link. */
export async function findMediaFile(folder: string, path: string): Promise<MediaFile | null> {
  if (readMediaPath(path) === null) return null;
  try {
    const root = await realpath(folder);
    const place = join(root, path);
    if ((await realpath(place)) !== place) return null;
    const found = await stat(place, { bigint: true });
    return found.isFile() ? mediaFile({ path, place, found }) : null;
  } catch (error) {
    if (absent.has(codeOf(error))) return null;
    throw error;
  }
}

/** Not there, below a file, a loop of links, a name that the file system cannot hold, or not ours to read. */
const absent: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
  'EACCES',
  'EPERM',
]);

export function mediaFile(known: {
  readonly path: string;
  readonly place: string;
  readonly found: BigIntStats;
}): MediaFile {
  const { path, place, found } = known;
  return {
    ...{ path, place, size: Number(found.size), modified: Number(found.mtimeMs), type: mediaType(path) },
    version: sha256Hex(`${found.size} ${found.mtimeNs} ${found.ino}`).slice(0, 16),
  };
}

/** The file is another one by now, or gone. */
export class FileChanged extends Error {}

/** Throws FileChanged; null for a file in memory. */
export async function openFile({ place, path, version, bytes }: MediaFile): Promise<FileHandle | null> {
  if (bytes !== undefined) return null;
  const handle = await open(place).catch((cause: unknown) => {
    throw absent.has(codeOf(cause)) ? new FileChanged('the file is gone', { cause }) : cause;
  });
  const found = await handle.stat({ bigint: true });
  if (mediaFile({ path, place, found }).version === version) return handle;
  await handle.close();
  throw new FileChanged('the file was replaced');
}

/** Each costs a turn of a thread; a client that does not read keeps one in memory. */
const pieceBytes = 524_288;

/** Closes the handle. Throws when the file ends early: a client must not take a mixture for the whole. */
export async function* readPieces(
  { bytes = Buffer.of() }: MediaFile,
  { handle, start, end }: { readonly handle: FileHandle | null; readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  if (handle === null) {
    yield bytes.subarray(start, end);
    return;
  }
  try {
    for (let at = start; at < end; ) {
      const piece = Buffer.allocUnsafe(Math.min(pieceBytes, end - at));
      const { bytesRead } = await handle.read(piece, 0, piece.length, at);
      if (bytesRead === 0) throw new Error('the file became shorter');
      yield piece.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Throws FileChanged. */
export async function readWhole(file: MediaFile): Promise<Buffer> {
  if (file.bytes !== undefined) return file.bytes;
  const handle = await openFile(file);
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(file, { handle, start: 0, end: file.size })) pieces.push(piece);
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
}
