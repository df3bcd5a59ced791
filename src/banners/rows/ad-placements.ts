/**
 * Banners, positions and links as clicks, pixels and slots need them: all of them together, and the sums that caps are
 * compared with.
 */
import type { Reader } from '../../store/base/database.js';
import type { AdLinkRow } from './ad-links.js';
import type { AdPositionRow } from './ad-positions.js';
import { type AdRow, adColumns, decodeAd } from './ads.js';

export interface Placements {
  readonly revision: string;
  readonly ads: readonly AdRow[];
  readonly positions: readonly AdPositionRow[];
  readonly links: readonly AdLinkRow[];
}

export interface AdSum {
  readonly ad: number;
  readonly clicks: number;
  readonly impressions: number;
}

/** Newest entries of the audit log that are looked at: more than there can be writers at a time. */
const newest = 50;

/**
 * Text that is another one after every change: each writes an entry of the audit log in its transaction. Several entries
 * count, because transactions may end in another order than they got their numbers in. Conversions and presets change
 * nothing here.
 */
export async function readBannersRevision(reader: Reader): Promise<string> {
  const newestOf = (entity: 'ad' | 'position'): string =>
    `SELECT \`id\` FROM (SELECT \`id\` FROM \`hcd_ad_audit\` WHERE \`entity\` = '${entity}' ORDER BY \`id\` DESC LIMIT ?) AS \`of_${entity}\``;
  const sql = `${newestOf('ad')} UNION ALL ${newestOf('position')}`;
  const rows = await reader.select({ sql, params: [newest, newest] });
  return rows.map(([id]) => Number(id)).join(' ');
}

/** What changes while it is read has another revision than the one that is given. `heavy` as of a statement. */
export async function readPlacements(reader: Reader, { heavy }: { readonly heavy: boolean }): Promise<Placements> {
  const revision = await readBannersRevision(reader);
  const all = (sql: string) => reader.select({ sql, params: [], heavy });
  const [ads, positions, links] = await Promise.all([
    all(`SELECT ${adColumns('a')} FROM \`hcd_ads\` AS \`a\``),
    all('SELECT `id`, `name`, `context_key` FROM `hcd_ad_positions`'),
    all('SELECT `id`, `ad`, `position`, `idx`, `weight` FROM `hcd_ad_links`'),
  ]);
  return {
    revision,
    ads: ads.map(decodeAd),
    positions: positions.map(([id, name, context]) => ({
      id: Number(id),
      name: String(name),
      context_key: String(context),
    })),
    links: links.map(([id, ad, position, idx, weight]) => ({
      id: Number(id),
      ad: Number(ad),
      position: Number(position),
      idx: Number(idx),
      weight: Number(weight),
    })),
  };
}

/** Sums of the banners over the days before a day. */
export async function readSumsBefore(reader: Reader, day: number, ads: readonly number[]): Promise<AdSum[]> {
  if (ads.length === 0) return [];
  const places = ads.map(() => '?').join(', ');
  return sums(reader, `\`ad\` IN (${places}) AND \`day\` < ?`, [...ads, day]);
}

/** Sums of all banners over a day and those after it: few rows, along the primary key. */
export function readSumsFrom(reader: Reader, day: number): Promise<AdSum[]> {
  return sums(reader, '`day` >= ?', [day]);
}

async function sums(reader: Reader, condition: string, params: readonly number[]): Promise<AdSum[]> {
  const rows = await reader.select({
    sql: `SELECT \`ad\`, SUM(\`clicks\`), SUM(\`impressions\`) FROM \`hcd_ad_days\` WHERE ${condition} GROUP BY \`ad\``,
    params,
  });
  return rows.map(([ad, clicks, impressions]) => ({
    ad: Number(ad),
    clicks: Number(clicks),
    impressions: Number(impressions),
  }));
}
