/** Small facts of the program in `hcd_state`, such as the root secret. */
import { hmacSha256Hex, randomBase64Url } from '../../crypto/primitives.js';
import type { Reader, Statement, Tx } from '../base/database.js';
import { nowMilliseconds } from '../base/dialect.js';
import { touch } from '../base/transaction.js';
import type { Store } from '../open/open.js';

export const contentGenerationKey = 'content_generation';

function stateStatement(key: string): Statement {
  return { sql: 'SELECT `value` FROM `hcd_state` WHERE `key` = ?', params: [key] };
}

export const contentGenerationStatement = stateStatement(contentGenerationKey);

export async function readState(reader: Reader, key: string): Promise<string | null> {
  const rows = await reader.select(stateStatement(key));
  const [value] = rows[0] ?? [];
  return value === undefined || value === null ? null : String(value);
}

/** Unix milliseconds. */
export async function readNow(reader: Reader): Promise<number> {
  const rows = await reader.select({ sql: `SELECT ${nowMilliseconds(reader.dialect)}`, params: [] });
  return Number(rows[0]?.[0]);
}

export async function writeState(tx: Tx, key: string, value: string): Promise<void> {
  await tx.run(upsert(tx, { key, value }, `\`value\` = ${given(tx)}, \`updated_at\` = ${nowMilliseconds(tx.dialect)}`));
}

/** However many processes ask, all get the same value. */
export async function createStateIfAbsent(tx: Tx, key: string, value: string): Promise<string> {
  await tx.run(upsert(tx, { key, value }, '`key` = `hcd_state`.`key`'));
  const stored = await readState(tx, key);
  return stored ?? value;
}

/** Until the commit no other transaction passes this: generations are committed in their order. */
export function bumpContentGeneration(tx: Tx): Promise<number> {
  touch(tx, 'content');
  return nextNumber(tx, contentGenerationKey);
}

/** For a change of what answers are made with. The generation is raised after it, so that no answer in between stays. */
export async function writeRaising<T>(
  { content, own }: Pick<Store, 'content' | 'own'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await content.write(async (tx) => {
    const done = await work(tx);
    if (own === content) await bumpContentGeneration(tx);
    return done;
  });
  if (own !== content) await own.write(bumpContentGeneration);
  return result;
}

/** Present after a bulk change by this program (an import), until every resource has been looked at again. */
export const bulkKey = 'bulk_change';

/** For changes that are not announced one by one. */
export async function bumpOfBulk(tx: Tx): Promise<void> {
  await writeState(tx, bulkKey, String(await bumpContentGeneration(tx)));
}

/** Until the commit no change is announced. Call it before reads that must see every announced change. */
export async function lockContentGeneration(tx: Tx): Promise<number> {
  return Number(await createStateIfAbsent(tx, contentGenerationKey, '0'));
}

export async function readContentGeneration(reader: Reader): Promise<number> {
  return Number((await readState(reader, contentGenerationKey)) ?? 0);
}

/** The row stays locked until the transaction ends. One statement, because each further one would wait again. */
export async function nextNumber(tx: Tx, key: string): Promise<number> {
  const first = { key, value: '1' };
  const changedOn = `\`updated_at\` = ${nowMilliseconds(tx.dialect)}`;
  if (tx.dialect === 'sqlite') {
    const raise = upsert(tx, first, `\`value\` = CAST(\`value\` AS INTEGER) + 1, ${changedOn}`);
    const rows = await tx.select({ ...raise, sql: `${raise.sql} RETURNING \`value\`` });
    return Number(rows[0]?.[0]);
  }
  // RETURNING is unknown to MySQL and to older MariaDB; LAST_INSERT_ID returns the number like the id of a new row.
  const next = 'LAST_INSERT_ID(CAST(`value` AS UNSIGNED) + 1)';
  const { lastId } = await tx.run(upsert(tx, first, `\`value\` = ${next}, ${changedOn}`));
  return lastId === 0 ? 1 : lastId;
}

function upsert(tx: Tx, row: { key: string; value: string }, changes: string): Statement {
  const conflict = tx.dialect === 'mariadb' ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (`key`) DO UPDATE SET';
  const insert = `INSERT INTO \`hcd_state\` (\`key\`, \`value\`, \`updated_at\`) VALUES (?, ?, ${nowMilliseconds(tx.dialect)})`;
  return { sql: `${insert} ${conflict} ${changes}`, params: [row.key, row.value] };
}

function given(tx: Tx): string {
  return tx.dialect === 'mariadb' ? 'VALUES(`value`)' : 'excluded.`value`';
}

export const secretFingerprintKey = 'secret_fingerprint';

/** Enough to recognize another secret. */
export function secretFingerprint(secret: string): string {
  return hmacSha256Hex(secret, 'fingerprint of the root secret').slice(0, 16);
}

/** True before the store was first served with a secret. */
export async function isUsualSecret(reader: Reader, secret: string | null): Promise<boolean> {
  const known = await readState(reader, secretFingerprintKey);
  return known === null || (secret !== null && known === secretFingerprint(secret));
}

/** Notes the first secret at the start of a server or worker. */
export async function noteSecret({ own }: Store, secret: string | null): Promise<boolean> {
  if (secret !== null && (await readState(own.primary, secretFingerprintKey)) === null) {
    const noting = own.write((tx) => createStateIfAbsent(tx, secretFingerprintKey, secretFingerprint(secret)));
    // A full disk must not keep a server from starting: the next start notes it.
    await noting.catch(() => undefined);
  }
  return isUsualSecret(own.primary, secret);
}

/** 256 random bits, made on first use; the same in every process. */
export async function rootSecret({ own }: Store): Promise<string> {
  const known = await readState(own.primary, 'root_secret');
  return known ?? (await own.write((tx) => createStateIfAbsent(tx, 'root_secret', randomBase64Url(32))));
}
