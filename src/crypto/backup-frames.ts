/** Frames of a backup with a tag each, over header, number and whether it is the last, so any change is found. */
import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

export const frameTagBytes = 16;

interface FramePlace {
  /** Counts from 0. */
  readonly index: number;
  readonly isLast: boolean;
}

export interface FrameSealer {
  seal(bytes: Buffer, place: FramePlace): Buffer;
  /** Null when the tag does not fit. */
  open(sealed: Buffer, place: FramePlace): Buffer | null;
}

/** The key belongs to one file, so the numbers of frames serve as nonces. */
export function createFrameSealer(key: Buffer | null, header: string): FrameSealer {
  const bound = Buffer.from(header, 'utf8');
  return key === null ? plainFrames(bound) : encryptedFrames(key, bound);
}

function nonceOf({ index, isLast }: FramePlace): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 5, 6);
  nonce.writeUInt8(isLast ? 1 : 0, 11);
  return nonce;
}

function plainFrames(bound: Buffer): FrameSealer {
  const tagOf = (bytes: Buffer, place: FramePlace): Buffer =>
    createHash('sha256').update(bound).update(nonceOf(place)).update(bytes).digest().subarray(0, frameTagBytes);
  return {
    seal: (bytes, place) => Buffer.concat([bytes, tagOf(bytes, place)]),
    open(sealed, place) {
      const bytes = sealed.subarray(0, -frameTagBytes);
      return tagOf(bytes, place).equals(sealed.subarray(-frameTagBytes)) ? bytes : null;
    },
  };
}

function encryptedFrames(key: Buffer, bound: Buffer): FrameSealer {
  return {
    seal(bytes, place) {
      const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place)).setAAD(bound);
      return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, place) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: frameTagBytes });
      decipher.setAAD(bound).setAuthTag(sealed.subarray(-frameTagBytes));
      const bytes = decipher.update(sealed.subarray(0, -frameTagBytes));
      try {
        return Buffer.concat([bytes, decipher.final()]);
      } catch {
        // Only the check of the tag fails here.
        return null;
      }
    },
  };
}

interface BackupKey {
  readonly key: Buffer;
  /** 32 hexadecimal digits by which a wrong passphrase is known before any frame is read. */
  readonly check: string;
}

const scryptAsync = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);

/** As strong as N = 2^17 with p = 1, in 32 MiB of memory. */
const cost = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
export const keyDerivation = `scrypt-${cost.N}-${cost.r}-${cost.p}`;

/** The salt is 32 hexadecimal digits. */
export async function deriveBackupKey(passphrase: Buffer, salt: string): Promise<BackupKey> {
  const bytes = await scryptAsync(passphrase, Buffer.from(salt, 'hex'), 64, cost);
  const check = createHash('sha256').update('hcd backup check').update(bytes.subarray(32)).digest('hex').slice(0, 32);
  return { key: bytes.subarray(0, 32), check };
}

export function newSalt(): string {
  return randomBytes(16).toString('hex');
}
