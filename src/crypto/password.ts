/** Passwords: new hashes, and every scheme that the CMS writes (docs/users.md#how-passwords-are-kept). */
import { createHash, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../errors/app-error.js';
import { isSameSecret } from './primitives.js';

export interface StoredPassword {
  readonly hash: string;
  /** Name of the scheme: the class of the CMS that wrote it, such as `MODX\Revolution\Hashing\modNative`. */
  readonly hashClass: string;
  readonly salt: string;
}

export type PasswordScheme = 'argon2id' | 'bcrypt';

/** Longest accepted password in bytes: callers must not make the server hash a megabyte. */
export const longestPassword = 1024;
/** bcrypt ignores further bytes. */
export const longestBcryptPassword = 72;

/** The default of PHP's password_hash since 8.4. */
const bcryptCost = 12;

/** OWASP's first choice: 19 MiB, two passes, one lane (argon2id is what the library makes). */
const argon2Cost = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** The most that is verified, so that no stored row stops the server. 12 takes a quarter of a second of one core. */
const mostBcryptCost = 16;
/** KiB; four times what PHP takes. */
const mostMemory = 262_144;
/** KiB times passes: eight times what PHP takes. */
const mostWork = 2_097_152;
const mostLanes = 64;

/** A new hash in the text form that `password_verify` of PHP reads too. */
export async function hashPassword(password: string, scheme: PasswordScheme): Promise<string> {
  const { argon2, bcrypt } = await loadLibraries();
  if (scheme === 'argon2id') return argon2.hash(password, argon2Cost);
  // A hash of the first bytes would accept any longer password that starts with them.
  if (Buffer.byteLength(password) > longestBcryptPassword) throw new RangeError('The password is too long for bcrypt');
  return bcrypt.hash(password, bcryptCost);
}

/** False for a password that no scheme takes: empty, too long, or with a NUL, at which bcrypt starts again. */
export function isHashable(password: string): boolean {
  return password !== '' && Buffer.byteLength(password) <= longestPassword && !password.includes('\0');
}

/** Always one slow hash for each decoy and one PBKDF2, so that the time reveals neither a hash's cost nor a user. */
export async function verifyPassword(
  password: string,
  { stored, decoys }: { readonly stored: StoredPassword | null; readonly decoys: readonly string[] },
): Promise<boolean> {
  const slow = stored !== null && schemeOf(stored) === 'native' ? stored.hash : null;
  let isSlowRight = false;
  for (const hash of slowWork(slow, decoys)) {
    const fits = await verifySlow(password, hash);
    if (hash === slow) isSlowRight = fits;
  }
  const derived = await derive(password, stored?.salt ?? '');
  if (stored === null) return false;
  switch (schemeOf(stored)) {
    case 'native':
      return isSlowRight;
    case 'pbkdf2':
      return isSameSecret(derived, stored.hash);
    case 'md5':
      return isSameSecret(createHash('md5').update(password).digest('hex'), stored.hash.toLowerCase());
    case 'unknown':
      return false;
  }
}

/** A cost that no decoy has is additional work: the decoys were made before it was stored. */
function slowWork(slow: string | null, decoys: readonly string[]): readonly string[] {
  if (slow === null) return decoys;
  const cost = costOf(slow);
  return [...decoys.filter((decoy) => costOf(decoy) !== cost), slow];
}

/** Names of version 2 and 3 of the CMS: `hashing.modNative` and `MODX\Revolution\Hashing\modNative`. */
export function schemeOf({ hash, hashClass }: Omit<StoredPassword, 'salt'>): 'native' | 'pbkdf2' | 'md5' | 'unknown' {
  const name = hashClass.split(/[^A-Za-z0-9]/).at(-1);
  // A text without the form of a hash locks an account, whatever the class says.
  if (name === 'modNative') return isSlowHash(hash) ? 'native' : 'unknown';
  if (name === 'modPBKDF2') return hash.length === 44 ? 'pbkdf2' : 'unknown';
  if (name === 'modMD5') return /^[0-9a-f]{32}$/i.test(hash) ? 'md5' : 'unknown';
  return 'unknown';
}

async function verifySlow(password: string, hash: string): Promise<boolean> {
  const { argon2, bcrypt } = await loadLibraries();
  if (hash.startsWith('$2')) return bcrypt.verify(password, hash);
  try {
    return await argon2.verify(hash, password);
  } catch {
    // The library throws only for a hash that it cannot read.
    return false;
  }
}

/** Compiled code, loaded at the first log-in: on a platform without it everything else works. */
async function loadLibraries() {
  try {
    const [argon2, bcrypt] = await Promise.all([import('@node-rs/argon2'), import('@node-rs/bcrypt')]);
    return { argon2, bcrypt };
  } catch (cause) {
    throw new AppError('unavailable', { message: 'Passwords cannot be checked on this platform', cause });
  }
}

const pbkdf2Async = promisify(pbkdf2);

async function derive(password: string, salt: string): Promise<string> {
  return (await pbkdf2Async(password, salt, 1000, 32, 'sha256')).toString('base64');
}

const bcryptForm = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const argon2Form =
  /^\$argon2(?:id|i|d)\$(?:v=\d\d\$)?m=(\d{1,6}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;

const argon2Head = /^\$argon2(?:id|i|d)\$(?:v=\d\d\$)?m=\d{1,6},t=\d{1,4},p=\d{1,3}(?=\$|$)/;

function isSlowHash(text: string): boolean {
  const bcrypt = bcryptForm.exec(text);
  if (bcrypt !== null) return Number(bcrypt[1]) <= mostBcryptCost;
  const [memory, passes, lanes] = (argon2Form.exec(text) ?? []).slice(1).map(Number);
  if (memory === undefined || passes === undefined || lanes === undefined) return false;
  return memory <= mostMemory && memory * passes <= mostWork && lanes <= mostLanes;
}

/** Equal for hashes that take equally long; null for a text that is not a slow hash. */
function costOf(text: string): string | null {
  if (!isSlowHash(text)) return null;
  const cost = bcryptForm.exec(text)?.[1];
  return cost === undefined ? (argon2Head.exec(text)?.[0] ?? null) : `bcrypt ${cost}`;
}

/** One for each cost of the examples, which may end before their salt; without examples, one with the usual cost. */
export function decoysLike(examples: readonly string[]): readonly string[] {
  const decoys = examples.map(decoyLike).filter((decoy) => decoy !== null);
  const { memoryCost, timeCost, parallelism } = argon2Cost;
  const usual = argon2Decoy(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}`);
  return decoys.length === 0 ? [usual] : [...new Set(decoys)].sort();
}

function decoyLike(example: string): string | null {
  const cost = /^\$2[abxy]\$(\d\d)/.exec(example)?.[1];
  const head = argon2Head.exec(example)?.[0];
  const decoy = cost === undefined ? argon2Decoy(head ?? '') : bcryptDecoy(cost);
  return isSlowHash(decoy) ? decoy : null;
}

function argon2Decoy(head: string): string {
  return `${head}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
}

/** `cost` has two digits. */
export function bcryptDecoy(cost: string): string {
  return `$2b$${cost}$${'.'.repeat(53)}`;
}
