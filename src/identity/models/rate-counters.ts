/** Rows of `hcd_rate_counters`, by the clock of the database, which machines share. Times are Unix milliseconds. */
import type { Database, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/base/dialect.js';
import { writeInBatches } from '../../store/base/transaction.js';

interface RateHits {
  readonly bucket: string;
  readonly windowMs: number;
  readonly hits: number;
}

export interface RateCounterRow {
  readonly bucket: string;
  readonly hits: number;
  readonly endsOn: number;
  readonly leftMs: number;
}

/** The row locks last until the end of the transaction, so the read shows what was added. Buckets must differ. */
export async function addRateHits(tx: Tx, hits: readonly RateHits[]): Promise<RateCounterRow[]> {
  // In one order, so that transactions do not wait for each other in a circle.
  const sorted = [...hits].sort((one, other) => (one.bucket < other.bucket ? -1 : 1));
  const rows: RawRow[] = [];
  for (const hit of sorted) {
    await tx.run(addition(tx, hit));
    rows.push(...(await tx.select(question(tx, [hit]))));
  }
  return rows.map(decodeCounter);
}

export async function readRateCounters(reader: Reader, buckets: readonly string[]): Promise<RateCounterRow[]> {
  const parts = buckets.map((bucket) => ({ bucket }));
  const rows = await reader.select(question(reader, parts));
  return rows.map(decodeCounter).filter(({ leftMs }) => leftMs > 0);
}

/** Unless another window has begun since the hit was added. */
export async function takeBackRateHit(tx: Tx, row: Pick<RateCounterRow, 'bucket' | 'endsOn'>): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_rate_counters` SET `hits` = `hits` - 1 WHERE `bucket` = ? AND `ends_on` = ? AND `hits` > 0',
    params: [row.bucket, row.endsOn],
  });
}

export async function clearRateCounter(tx: Tx, bucket: string): Promise<void> {
  await tx.run({ sql: 'DELETE FROM `hcd_rate_counters` WHERE `bucket` = ?', params: [bucket] });
}

/** Also clears buckets whose names continue with `|`. */
export async function clearRateCountersBelow(tx: Tx, bucket: string): Promise<void> {
  await tx.run({
    // `}` follows `|`, so this is a range of the primary key.
    sql: 'DELETE FROM `hcd_rate_counters` WHERE `bucket` = ? OR (`bucket` > ? AND `bucket` < ?)',
    params: [bucket, `${bucket}|`, `${bucket}}`],
  });
}

function decodeCounter([bucket, count, endsOn, now]: RawRow): RateCounterRow {
  return {
    bucket: String(bucket),
    hits: Number(count),
    endsOn: Number(endsOn),
    leftMs: Number(endsOn) - Number(now),
  };
}

/** A window that ends later than a new one would begins again: it was made shorter, or the clock was set back. */
function addition(tx: Tx, { bucket, windowMs, hits }: RateHits): Statement {
  const isMariadb = tx.dialect === 'mariadb';
  // NOW() is when the statement began: one that waited for the row's lock would find the end of the window too late.
  const now = nowMilliseconds(tx.dialect).replace('NOW(', 'SYSDATE(');
  const conflict = isMariadb ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (`bucket`) DO UPDATE SET';
  const given = isMariadb ? 'VALUES(`hits`)' : 'excluded.`hits`';
  const ended = `\`ends_on\` <= ${now} OR \`ends_on\` > ${now} + ?`;
  // `hits` first: MariaDB uses values that were assigned further left.
  const changes = [
    `\`hits\` = CASE WHEN ${ended} THEN 0 ELSE \`hits\` END + ${given}`,
    `\`ends_on\` = CASE WHEN ${ended} THEN ${now} + ? ELSE \`ends_on\` END`,
  ].join(', ');
  return {
    sql: `INSERT INTO \`hcd_rate_counters\` (\`bucket\`, \`ends_on\`, \`hits\`) VALUES (?, ${now} + ?, ?) ${conflict} ${changes}`,
    params: [bucket, windowMs, hits, windowMs, windowMs, windowMs],
  };
}

function question(tx: Reader, part: readonly Pick<RateHits, 'bucket'>[]): Statement {
  const places = part.map(() => '?').join(', ');
  return {
    sql: `SELECT \`bucket\`, \`hits\`, \`ends_on\`, ${nowMilliseconds(tx.dialect)} FROM \`hcd_rate_counters\` WHERE \`bucket\` IN (${places})`,
    params: part.map(({ bucket }) => bucket),
  };
}

export async function removeEndedRateCounters(tx: Tx, most: number): Promise<number> {
  const now = nowMilliseconds(tx.dialect);
  // The inner table makes MariaDB accept LIMIT. The outer check skips a window that has begun again meanwhile.
  const ended = `SELECT \`bucket\` FROM (SELECT \`bucket\` FROM \`hcd_rate_counters\` WHERE \`ends_on\` <= ${now} LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_rate_counters\` WHERE \`bucket\` IN (${ended}) AND \`ends_on\` <= ${now}`;
  return (await tx.run({ sql, params: [most] })).changes;
}

export async function purgeRateCounters(own: Database): Promise<void> {
  await writeInBatches(own, removeEndedRateCounters);
}
