/** Backups as bytes in memory, for the tests of backups. */
import { packBackup, unpackBackup } from '../../../src/operations/backup/container.js';

/** Everything that a generator gives. */
export async function collect<T>(source: AsyncIterable<T>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) if (Buffer.isBuffer(part)) parts.push(part);
  return Buffer.concat(parts);
}

/** The bytes in pieces of so many. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The file of a backup with this content. */
export function pack(content: Buffer | string, passphrase: Buffer | null = null): Promise<Buffer> {
  return collect(packBackup(inPieces(Buffer.from(content), 50_000), passphrase));
}

/** The content of the file of a backup. */
export function unpack(file: Buffer, passphrase: Buffer | null = null, size = 65_536): Promise<Buffer> {
  return collect(unpackBackup(inPieces(file, size), passphrase));
}
