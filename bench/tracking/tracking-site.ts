/** A site with one banner, and the loads of clicks, pixels and slots that are measured on it. */
import type { Store } from '../../src/store/open/open.js';
import type { DatabaseName } from '../generate.js';
import { openOutboxSite, rootSecret } from '../outbox/outbox-site.js';

export const paths = {
  clicks: '/bannerclick/1',
  impressions: '/bannerimpression/1',
  slots: '/slots/1?rotation=idx',
} as const;

export interface Flood {
  readonly name: string;
  readonly kind: keyof typeof paths;
  readonly visitors: 'new' | 'same';
}

/** As many as the server can answer. */
export const floods: readonly Flood[] = [
  { name: 'clicks of new visitors', kind: 'clicks', visitors: 'new' },
  { name: 'clicks of one visitor', kind: 'clicks', visitors: 'same' },
  { name: 'pixels of new visitors', kind: 'impressions', visitors: 'new' },
  { name: 'pixels of one visitor', kind: 'impressions', visitors: 'same' },
  { name: 'slots from memory', kind: 'slots', visitors: 'same' },
];

interface Place {
  readonly database: DatabaseName;
  readonly serverUrl: string;
  readonly folder: string;
}

/** The site, and the environment of a server that tracks on it. */
export async function openTrackingSite(
  place: Place,
): Promise<{ readonly store: Store; readonly env: Readonly<Record<string, string>> }> {
  const { databaseUrl, store } = await openOutboxSite({ ...place, name: 'banner_tracking' });
  await addBanner(store);
  const env = {
    ...{ HCD_DATABASE_URL: databaseUrl, HCD_SECRET: rootSecret, NODE_ENV: 'production' },
    ...{ HCD_BANNERS_TRACK_IMPRESSIONS: '1', HCD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1', HCD_BANNERS_API_ENABLED: '1' },
  };
  return { store, env };
}

async function addBanner({ own }: Store): Promise<void> {
  await own.write(async (tx) => {
    for (const sql of [
      "INSERT INTO hcd_ads (id, name, url, created_on, edited_on) VALUES (1, 'bench', 'https://shop.example/spring?a=1', 1, 1)",
      "INSERT INTO hcd_ad_positions (id, name, created_on, edited_on) VALUES (1, 'bench', 1, 1)",
      'INSERT INTO hcd_ad_links (id, ad, position) VALUES (1, 1, 1)',
    ]) {
      await tx.run({ sql, params: [] });
    }
  });
}
