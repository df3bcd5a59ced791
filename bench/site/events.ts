/**
 * Sites with banners and months of clicks and impressions for the figures of their statistics. The rows are made inside
 * the database, so tens of millions take minutes.
 */

import Database from 'better-sqlite3';
import mariadb from 'mariadb';
import { establishDaysZone } from '../../src/banners/statistics/move-days.js';
import { openStore } from '../../src/store/open/open.js';
import { type DatabaseRequest, openFreshSite, prefix } from './generate.js';

export interface EventsRequest extends DatabaseRequest {
  readonly clicks: number;
  readonly impressions: number;
  /** Moment of the last event, Unix milliseconds; the first one is so many days before. */
  readonly now: number;
}

const days = 400;
const banners = 200;
const positions = 20;
const pages = 997;
const dayMs = 86_400_000;
/** Statements at the end that make sums. */
const sums = 3;

/** What differs between the two in these statements. */
interface Sql {
  /** A table of one column `i` from 1 to the number. */
  numbers(count: number): string;
  day(at: string): string;
  digits(value: string): string;
  join(...texts: readonly string[]): string;
  readonly whole: string;
}

const sqlite: Sql = {
  numbers: (count) =>
    `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`,
  day: (at) => `CAST(strftime('%Y%m%d', ${at} / 1000, 'unixepoch') AS INTEGER)`,
  digits: (value) => `printf('%016x', ${value})`,
  join: (...texts) => texts.join(' || '),
  whole: '/',
};

const mariadbSql: Sql = {
  numbers: (count) => `(SELECT seq AS i FROM seq_1_to_${count})`,
  day: (at) => `CAST(DATE_FORMAT(FROM_UNIXTIME(FLOOR(${at} / 1000)), '%Y%m%d') AS UNSIGNED)`,
  digits: (value) => `LPAD(HEX(${value}), 16, '0')`,
  join: (...texts) => `CONCAT(${texts.join(', ')})`,
  whole: 'DIV',
};

/** Creates the site again and returns the URL of its database. */
export async function generateEvents(request: EventsRequest): Promise<string> {
  const databaseUrl = await openFreshSite(request);
  const store = await openStore({ databaseUrl, prefix });
  await establishDaysZone(store.own, 'UTC');
  await store.close();
  if (request.database === 'sqlite') fillSqlite(databaseUrl.replace(/^sqlite:/, ''), request);
  else await fillMariadb(databaseUrl, [...session, ...statements(mariadbSql, request), ...analyze]);
  return databaseUrl;
}

/** Without indexes first: they are made at the end, in one go each. */
function fillSqlite(path: string, request: EventsRequest): void {
  const db = new Database(path);
  for (const pragma of ['journal_mode = DELETE', 'journal_mode = OFF', 'synchronous = OFF', 'cache_size = -500000'])
    db.pragma(pragma);
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('hcd_ad_clicks', 'hcd_ad_impressions') AND sql IS NOT NULL",
    )
    .all();
  for (const index of indexes) db.exec(`DROP INDEX "${index.name}"`);
  const all = statements(sqlite, request);
  for (const sql of all.slice(0, -sums)) db.exec(sql);
  for (const index of indexes) db.exec(index.sql);
  for (const sql of all.slice(-sums)) db.exec(sql);
  db.exec('ANALYZE');
  db.pragma('journal_mode = WAL');
  db.close();
}

async function fillMariadb(url: string, sql: readonly string[]): Promise<void> {
  const { hostname, port, username, pathname } = new URL(url);
  const place = { host: hostname, port: Number(port), user: username, database: pathname.slice(1) };
  const connection = await mariadb.createConnection(place);
  try {
    for (const statement of sql) await connection.query(statement);
  } finally {
    await connection.end();
  }
}

/** Without these checks an empty table is filled index by index, each in its order. */
const session = ["SET time_zone = '+00:00'", 'SET unique_checks = 0', 'SET foreign_key_checks = 0'];
const analyze = ['ANALYZE TABLE hcd_ad_clicks, hcd_ad_impressions, hcd_ad_days'];

/** The sums come last, one statement each. */
function statements(sql: Sql, { clicks, impressions, now }: EventsRequest): string[] {
  const first = now - days * dayMs;
  const made = `${now}, ${now}`;
  return [
    `INSERT INTO hcd_ads (id, name, created_on, edited_on) SELECT i, ${sql.join("'Banner '", 'i')}, ${made} FROM ${sql.numbers(banners)} AS n`,
    `INSERT INTO hcd_ad_positions (id, name, created_on, edited_on) SELECT i, ${sql.join("'Position '", 'i')}, ${made} FROM ${sql.numbers(positions)} AS n`,
    `INSERT INTO hcd_ad_links (ad, position, idx) SELECT 1 + (i - 1) ${sql.whole} 2, 1 + (i * 7) % ${positions}, i FROM ${sql.numbers(banners * 2)} AS n`,
    eventsSql(sql, { table: 'hcd_ad_clicks', at: 'clicked_on', count: clicks, first, isClick: true }),
    eventsSql(sql, { table: 'hcd_ad_impressions', at: 'shown_on', count: impressions, first, isClick: false }),
    `INSERT INTO hcd_ad_days (day, ad, position, clicks, impressions, conversions)
      SELECT day, ad, position, SUM(clicks), SUM(impressions), SUM(conversions) FROM (
        SELECT day, ad, position, COUNT(*) AS clicks, 0 AS impressions, COUNT(order_id) AS conversions FROM hcd_ad_clicks GROUP BY day, ad, position
        UNION ALL SELECT day, ad, position, 0, COUNT(*), 0 FROM hcd_ad_impressions GROUP BY day, ad, position
      ) AS counted GROUP BY day, ad, position`,
    `INSERT INTO hcd_ad_referrer_days (position, day, referrer, clicks)
      SELECT position, day, referrer, COUNT(*) FROM hcd_ad_clicks GROUP BY position, day, referrer`,
    `INSERT INTO hcd_ad_referrer_days (position, day, referrer, clicks)
      SELECT 0, day, referrer, SUM(clicks) FROM hcd_ad_referrer_days WHERE position > 0 GROUP BY day, referrer`,
  ];
}

interface EventsTable {
  readonly table: string;
  readonly at: string;
  readonly count: number;
  readonly first: number;
  readonly isClick: boolean;
}

/** Evenly over the days; banners, places and referrers by digits of the row's number that seem to follow no order. */
function eventsSql(sql: Sql, { table, at, count, first, isClick }: EventsTable): string {
  const mixed = '((i * 2654435761) % 4294967296)';
  const own = isClick
    ? `, CASE WHEN m % 10 < 3 THEN '' ELSE ${sql.join("'https://example.com/page/'", `(m % ${pages})`)} END, CASE WHEN m % 50 = 0 THEN 'A-1' END`
    : '';
  const ownNames = isClick ? ', referrer, order_id' : '';
  return `INSERT INTO ${table} (ad, position, ${at}, day, visitor, ip${ownNames})
    SELECT ad, 1 + (ad * 14 - 7 * (m % 2)) % ${positions}, moment, ${sql.day('moment')}, ${sql.digits('i')}, '203.0.113.0'${own}
    FROM (SELECT i, ${mixed} AS m, 1 + (${mixed} ${sql.whole} 64) % ${banners} AS ad, ${first} + (i * ${days * dayMs}) ${sql.whole} ${count} AS moment FROM ${sql.numbers(count)} AS n) AS made`;
}
