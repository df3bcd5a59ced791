/** The file of a backup from its outside: what is written is read again, and any change to it is refused. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Bytes } from '../../../src/crypto/primitives.js';
import { AppError } from '../../../src/errors/app-error.js';
import { writeStoreFile } from '../../../src/operations/backup/store-file.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { pack, unpack } from './pieces.js';

const passphrase = Buffer.from('correct horse');
/** Digests do not compress: three frames. */
const content = Buffer.concat(Array.from({ length: 5000 }, (_, at) => sha256Bytes(String(at))));

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'none';
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

describe.each([
  ['in the clear', null],
  ['encrypted', passphrase],
])('a backup %s', (_name, secret) => {
  test('is read as it was written, in pieces of any size', async () => {
    const file = await pack(content, secret);
    for (const size of secret === null ? [1000, 65_552, 10_000_000] : [65_552]) {
      expect((await unpack(file, secret, size)).equals(content)).toBe(true);
    }
    expect((await unpack(await pack(Buffer.alloc(0), secret), secret)).length).toBe(0);
  });

  test('is refused with any byte changed', async () => {
    const file = await pack(Buffer.from('some lines of content'.repeat(20)), secret);
    const header = file.indexOf('\n');
    const refusals = ['backup_invalid', 'backup_newer', 'passphrase_wrong', 'passphrase_needed'];
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: header + 1, max: file.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, bits) => {
          const changed = Buffer.from(file);
          changed.writeUInt8(changed.readUInt8(at) ^ bits, at);
          expect(await codeOf(unpack(changed, secret))).toBe('backup_invalid');
        },
      ),
      { numRuns: secret === null ? 300 : 3 },
    );
    for (let at = 0; at <= header; at += secret === null ? 1 : 47) {
      const changed = Buffer.from(file);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(refusals).toContain(await codeOf(unpack(changed, secret)));
    }
  });

  test('is refused when it is cut anywhere or something follows it', async () => {
    const file = await pack(content, secret);
    const edges = [0, 5, file.indexOf('\n'), file.indexOf('\n') + 1, 65_552, file.length - 65_552, file.length - 1];
    const header = file.indexOf('\n') + 1;
    const lengths = [header + 65_552, header + 2 * 65_552, ...edges];
    for (const length of secret === null ? lengths : lengths.slice(0, 3)) {
      expect([length, await codeOf(unpack(file.subarray(0, length), secret))]).toEqual([length, 'backup_invalid']);
    }
    expect(await codeOf(unpack(Buffer.concat([file, Buffer.from('x')]), secret))).toBe('backup_invalid');
  });

  test('is refused with frames in another order or left out', async () => {
    const file = await pack(content, secret);
    const header = file.indexOf('\n') + 1;
    const frame = (at: number) => file.subarray(header + at * 65_552, header + (at + 1) * 65_552);
    const others = (...frames: number[]) => Buffer.concat([file.subarray(0, header), ...frames.map(frame)]);
    for (const order of [
      [1, 0, 2],
      [0, 2],
      [1, 2],
      [0, 0, 1, 2],
    ]) {
      expect(await codeOf(unpack(others(...order), secret))).toBe('backup_invalid');
    }
  });
});

describe('a passphrase', () => {
  test('is needed for an encrypted backup, must be the right one, and is refused for one in the clear', async () => {
    const [sealed, plain] = [await pack(content, passphrase), await pack(content, null)];
    expect(await codeOf(unpack(sealed, null))).toBe('passphrase_needed');
    expect(await codeOf(unpack(sealed, Buffer.from('Correct horse')))).toBe('passphrase_wrong');
    expect(await codeOf(unpack(plain, passphrase))).toBe('backup_invalid');
  });

  test('hides the content', async () => {
    const text = 'a sentence that compresses badly 8f2a9c';
    const found = (await pack(Buffer.from(text), passphrase)).includes('sentence');
    expect(found).toBe(false);
  });
});

describe('a foreign file', () => {
  test.each([
    ['an empty file', '', 'backup_invalid'],
    ['a text', 'Dear Sir or Madam\n', 'backup_invalid'],
    ['a long line', 'x'.repeat(100_000), 'backup_invalid'],
    ['a SQLite file', 'SQLite format 3\u0000...', 'backup_invalid'],
    ['a newer format', 'hcd-backup 3 brotli plain\n', 'backup_newer'],
    ['an unknown compression', 'hcd-backup 2 brotli plain\n', 'backup_invalid'],
    ['an unknown encryption', 'hcd-backup 2 gzip rot13\n', 'backup_invalid'],
    [
      'a costly derivation of the key',
      `hcd-backup 2 gzip aes-256-gcm scrypt-1073741824-8-3 ${'0'.repeat(32)} ${'0'.repeat(32)}\n`,
      'backup_invalid',
    ],
  ])('is refused: %s', async (_name, text, code) => {
    expect(await codeOf(unpack(Buffer.from(text), null))).toBe(code);
  });

  test('is refused by the number of an earlier format', async () => {
    const message = 'The backup has format 1, and this version of hcd reads format 2';
    await expect(unpack(Buffer.from('hcd-backup 1 gzip plain\n'), null)).rejects.toMatchObject({ message });
  });

  test('is not unpacked beyond the size that its store announces', async () => {
    const header = Buffer.alloc(4096);
    header.write('SQLite format 3\0', 'latin1');
    header.writeUInt16BE(4096, 16);
    header.writeUInt32BE(2, 28);
    let taken = 0;
    const bomb = async function* () {
      yield header;
      for (; taken < 100; taken += 1) yield Buffer.alloc(100_000);
    };
    const path = join(await makeTempDir('store'), 'store.sqlite');
    expect(await codeOf(writeStoreFile(path, bomb()))).toBe('backup_invalid');
    expect([taken, statSync(path).size]).toEqual([0, 4096]);
  });
});
