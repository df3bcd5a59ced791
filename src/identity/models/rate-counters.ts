/**
 * Rows of `hcd_rate_counters`: how often a bucket was hit in its current window. Windows are measured by the clock of
 * the database, so that processes on several machines agree. Times are Unix milliseconds.
 */
import type { Database, RawRow, Reader, Statement, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface RateHits {
  readonly bucket: string;
  readonly windowMs: number;
  readonly hits: number;
}

/** A bucket after its hits were added. */
export interface RateCounterRow {
  readonly bucket: string;
  /** All hits of the window, these included. */
  readonly hits: number;
  readonly endsOn: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/** Rows of one statement: two texts of each statement are enough for every number of buckets. */
const together = 16;

/**
 * Adds the hits and gives what the buckets hold then. Adding is one atomic statement, and its row locks last until the
 * end of the transaction, so what is read afterwards is what was added. Buckets must differ.
 */
export async function addRateHits(tx: Tx, hits: readonly RateHits[]): Promise<RateCounterRow[]> {
  // In one order everywhere, so that transactions do not wait for each other in a circle.
  const left = [...hits].sort((one, other) => (one.bucket < other.bucket ? -1 : 1));
  const rows: RawRow[] = [];
  while (left.length > 0) {
    const part = left.splice(0, left.length >= together ? together : 1);
    await tx.run(addition(tx, part));
    rows.push(...(await tx.select(question(tx, part))));
  }
  return rows.map(decodeCounter);
}

/** Those of the buckets whose window runs. */
export async function readRateCounters(reader: Reader, buckets: readonly string[]): Promise<RateCounterRow[]> {
  const parts = buckets.map((bucket) => ({ bucket }));
  const rows = await reader.select(question(reader, parts));
  return rows.map(decodeCounter).filter(({ leftMs }) => leftMs > 0);
}

/** Subtracts one hit, unless another window has begun since it was added. */
export async function takeBackRateHit(tx: Tx, row: Pick<RateCounterRow, 'bucket' | 'endsOn'>): Promise<void> {
  await tx.run({
    sql: 'UPDATE `hcd_rate_counters` SET `hits` = `hits` - 1 WHERE `bucket` = ? AND `ends_on` = ? AND `hits` > 0',
    params: [row.bucket, row.endsOn],
  });
}

/** Forgets all hits of a bucket. */
export async function clearRateCounter(tx: Tx, bucket: string): Promise<void> {
  await tx.run({ sql: 'DELETE FROM `hcd_rate_counters` WHERE `bucket` = ?', params: [bucket] });
}

/** Forgets all hits of a bucket, and of buckets whose names continue after it with `|`. */
export async function clearRateCountersBelow(tx: Tx, bucket: string): Promise<void> {
  await tx.run({
    // The sign after the bar: what begins with the bucket and a bar is a range of the primary key.
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

/**
 * A window that has ended begins again. So does one that ends later than a window that begins now: the window was made
 * shorter, or the clock was set back.
 */
function addition(tx: Tx, part: readonly RateHits[]): Statement {
  const now = nowMilliseconds(tx.dialect);
  const isMariadb = tx.dialect === 'mariadb';
  const conflict = isMariadb ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (`bucket`) DO UPDATE SET';
  const given = (column: string) => (isMariadb ? `VALUES(\`${column}\`)` : `excluded.\`${column}\``);
  const ended = `\`ends_on\` <= ${now} OR \`ends_on\` > ${given('ends_on')}`;
  const rows = part.map(() => `(?, ${now} + ?, ?)`).join(', ');
  // `hits` first: MariaDB uses values that were assigned further left.
  const changes = [
    `\`hits\` = CASE WHEN ${ended} THEN 0 ELSE \`hits\` END + ${given('hits')}`,
    `\`ends_on\` = CASE WHEN ${ended} THEN ${given('ends_on')} ELSE \`ends_on\` END`,
  ].join(', ');
  return {
    sql: `INSERT INTO \`hcd_rate_counters\` (\`bucket\`, \`ends_on\`, \`hits\`) VALUES ${rows} ${conflict} ${changes}`,
    params: part.flatMap(({ bucket, windowMs, hits }) => [bucket, windowMs, hits]),
  };
}

function question(tx: Reader, part: readonly Pick<RateHits, 'bucket'>[]): Statement {
  const places = part.map(() => '?').join(', ');
  return {
    sql: `SELECT \`bucket\`, \`hits\`, \`ends_on\`, ${nowMilliseconds(tx.dialect)} FROM \`hcd_rate_counters\` WHERE \`bucket\` IN (${places})`,
    params: part.map(({ bucket }) => bucket),
  };
}

/** Removes windows that have ended, so many at most; gives how many there were. */
export async function removeEndedRateCounters(tx: Tx, most: number): Promise<number> {
  const now = nowMilliseconds(tx.dialect);
  // The inner table makes MariaDB take a LIMIT here. Asked again outside: the window may have begun again meanwhile.
  const ended = `SELECT \`bucket\` FROM (SELECT \`bucket\` FROM \`hcd_rate_counters\` WHERE \`ends_on\` <= ${now} LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_rate_counters\` WHERE \`bucket\` IN (${ended}) AND \`ends_on\` <= ${now}`;
  return (await tx.run({ sql, params: [most] })).changes;
}

/** Windows that one transaction removes. */
const removedTogether = 1000;

/** Removes all windows that have ended. */
export async function purgeRateCounters(own: Database): Promise<void> {
  for (let removed = removedTogether; removed === removedTogether; ) {
    removed = await own.write((tx) => removeEndedRateCounters(tx, removedTogether));
  }
}
