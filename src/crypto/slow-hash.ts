/** Hashes that are slow by design: the maximum cost keeps one stored row from stopping the server. */

/** OWASP's first choice: 19 MiB, two passes, one lane (argon2id is what the library makes). */
export const argon2Cost = Object.freeze({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** Seconds of one core, where 12 takes a quarter of one; PHP takes 10, and 12 since 8.4. */
const mostBcryptCost = 16;
/** KiB; four times what PHP takes. */
const mostMemory = 262_144;
/** KiB times passes: eight times what PHP takes. */
const mostWork = 2_097_152;
const mostLanes = 64;

const bcryptForm = /^\$2[abxy]\$(\d\d)\$[./A-Za-z0-9]{53}$/;
const argon2Form =
  /^\$argon2(?:id|i|d)\$(?:v=\d\d\$)?m=(\d{1,6}),t=(\d{1,4}),p=(\d{1,3})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/;

const argon2Head = /^\$argon2(?:id|i|d)\$(?:v=\d\d\$)?m=\d{1,6},t=\d{1,4},p=\d{1,3}(?=\$|$)/;

export function isSlowHash(text: string): boolean {
  const bcrypt = bcryptForm.exec(text);
  if (bcrypt !== null) return Number(bcrypt[1]) <= mostBcryptCost;
  const [memory, passes, lanes] = (argon2Form.exec(text) ?? []).slice(1).map(Number);
  if (memory === undefined || passes === undefined || lanes === undefined) return false;
  return memory <= mostMemory && memory * passes <= mostWork && lanes <= mostLanes;
}

/** Equal for hashes that take equally long; null for a text that is not a slow hash. */
export function costOf(text: string): string | null {
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
