/**
 * The outside of a backup: one header line in plain text, then a compressed stream in frames of one size. The header says
 * format, compression and encryption:
 *
 *     hcd-backup 2 gzip plain
 *     hcd-backup 2 zstd aes-256-gcm scrypt-32768-8-3 SALT CHECK
 */
import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import {
  createFrameSealer,
  deriveBackupKey,
  type FrameSealer,
  frameTagBytes,
  keyDerivation,
  newSalt,
} from '../../crypto/backup-frames.js';
import { AppError } from '../../errors/app-error.js';
import { codeOf } from '../../errors/disk-error.js';

export type Bytes = AsyncIterable<Uint8Array>;

const frameBytes = 65_536;
const longestHeader = 256;
const format = 2;

interface Streams {
  readonly compress: () => Transform;
  readonly decompress: () => Transform;
}

const gzip: Streams = {
  compress: () => zlib.createGzip({ level: 5, chunkSize: frameBytes }),
  decompress: () => zlib.createGunzip({ chunkSize: frameBytes }),
};

function knownCompressions(): ReadonlyMap<string, Streams> {
  const zstd = zstdStreams();
  return new Map([...(zstd === null ? [] : [['zstd', zstd] as const]), ['gzip', gzip]]);
}

/** From Node 22.15 on; the types are those of the oldest Node that is supported. */
function zstdStreams(): Streams | null {
  const compress: unknown = Reflect.get(zlib, 'createZstdCompress');
  const decompress: unknown = Reflect.get(zlib, 'createZstdDecompress');
  const names: Readonly<Record<string, unknown>> = zlib.constants;
  if (typeof compress !== 'function' || typeof decompress !== 'function') return null;
  // A window of 8 MiB bounds what a hostile file can make the reader allocate.
  const decompression = { chunkSize: frameBytes, params: { [Number(names['ZSTD_d_windowLogMax'])]: 23 } };
  return {
    compress: () => compress({ chunkSize: frameBytes }),
    decompress: () => decompress(decompression),
  };
}

export async function* packBackup(content: Bytes, passphrase: Buffer | null): AsyncGenerator<Buffer> {
  const [[compression, streams] = ['gzip', gzip]] = knownCompressions();
  const { header, key } = await newHeader(compression, passphrase);
  yield Buffer.from(header);
  const sealer = createFrameSealer(key, header);
  let index = 0;
  for await (const { bytes, isLast } of blocksOf(through(content, streams.compress()), frameBytes)) {
    yield sealer.seal(bytes, { index, isLast });
    index += 1;
  }
}

async function newHeader(compression: string, passphrase: Buffer | null) {
  const start = `hcd-backup ${format} ${compression}`;
  if (passphrase === null) return { header: `${start} plain\n`, key: null };
  const salt = newSalt();
  const { key, check } = await deriveBackupKey(passphrase, salt);
  return { header: `${start} aes-256-gcm ${keyDerivation} ${salt} ${check}\n`, key };
}

/** Faults are found at their frame. Throws backup_invalid, backup_newer, passphrase_needed, passphrase_wrong. */
export async function* unpackBackup(file: Bytes, passphrase: Buffer | null): AsyncGenerator<Buffer> {
  const { header, rest } = await readHeader(file);
  const { streams, sealer } = await openHeader(header, passphrase);
  const frames = openFrames(rest, { sealer, start: Buffer.byteLength(header) });
  try {
    yield* through(frames, streams.decompress());
  } catch (error) {
    if (/^(Z_|ZSTD_|ERR_)/.test(codeOf(error))) {
      throw new AppError('backup_invalid', { message: 'The backup cannot be decompressed', cause: error });
    }
    throw error;
  }
}

async function readHeader(file: Bytes) {
  const chunks = file[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  for (;;) {
    const end = start.indexOf('\n');
    if (end >= 0 && end < longestHeader) {
      const rest = start.subarray(end + 1);
      return { header: start.subarray(0, end + 1).toString('latin1'), rest: continued(rest, chunks) };
    }
    const { done, value } = start.length > longestHeader ? { done: true, value: undefined } : await chunks.next();
    if (done === true || value === undefined) {
      await chunks.return?.();
      const what = start.toString('latin1').startsWith('hcd-backup ')
        ? 'is cut off in its first line'
        : 'is not a backup of hcd';
      throw new AppError('backup_invalid', { message: `The file ${what}` });
    }
    start = Buffer.concat([start, value]);
  }
}

async function* continued(first: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

async function openHeader(header: string, passphrase: Buffer | null) {
  const [magic, version, compression, ...encryption] = header.slice(0, -1).split(' ');
  if (magic !== 'hcd-backup' || version === undefined || !/^\d{1,9}$/.test(version)) {
    throw new AppError('backup_invalid', { message: 'The file is not a backup of hcd' });
  }
  if (Number(version) !== format) {
    throw new AppError(Number(version) > format ? 'backup_newer' : 'backup_invalid', {
      message: `The backup has format ${version}, and this version of hcd reads format ${format}`,
    });
  }
  const streams = knownCompressions().get(compression ?? '');
  if (streams === undefined) {
    const fix = compression === 'zstd' ? ', which needs Node.js 22.15 or later' : '';
    throw new AppError('backup_invalid', {
      message: `The backup is compressed with ${JSON.stringify(compression ?? '')}${fix}; this program reads ${[...knownCompressions().keys()].join(' and ')}`,
    });
  }
  return { streams, sealer: createFrameSealer(await keyOf(encryption, passphrase), header) };
}

async function keyOf(encryption: readonly string[], passphrase: Buffer | null): Promise<Buffer | null> {
  const words = encryption.join(' ');
  if (words === 'plain') {
    if (passphrase === null) return null;
    throw new AppError('backup_invalid', {
      message: 'The backup is not encrypted, although --passphrase-file is given. Leave out the flag if that is right',
    });
  }
  const [, salt, check] = /^aes-256-gcm (?:scrypt-32768-8-3) ([0-9a-f]{32}) ([0-9a-f]{32})$/.exec(words) ?? [];
  if (salt === undefined || check === undefined) {
    throw new AppError('backup_invalid', { message: 'The first line of the backup names an unknown encryption' });
  }
  if (passphrase === null) throw new AppError('passphrase_needed');
  const derived = await deriveBackupKey(passphrase, salt);
  if (derived.check !== check) throw new AppError('passphrase_wrong');
  return derived.key;
}

async function* openFrames(
  sealed: Bytes,
  { sealer, start }: { sealer: FrameSealer; start: number },
): AsyncGenerator<Buffer> {
  const size = frameBytes + frameTagBytes;
  let index = 0;
  for await (const { bytes, isLast } of blocksOf(sealed, size)) {
    const opened = bytes.length < frameTagBytes ? null : sealer.open(bytes, { index, isLast });
    if (opened === null) {
      const place = start + index * size;
      throw new AppError('backup_invalid', {
        message: `The backup is damaged between byte ${place} and byte ${place + bytes.length}: it was changed or cut off there`,
      });
    }
    yield opened;
    index += 1;
  }
}

/** The last block is marked, and may be shorter or empty. */
async function* blocksOf(source: Bytes, size: number): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    rest = Buffer.concat([rest, chunk]);
    for (; rest.length > size; rest = rest.subarray(size)) yield { bytes: rest.subarray(0, size), isLast: false };
  }
  yield { bytes: rest, isLast: true };
}

/** An error of the source ends the stream with the same error. */
function through(source: Bytes, stream: Transform): AsyncIterable<Buffer> {
  pipeline(Readable.from(source), stream, () => undefined);
  return stream;
}
