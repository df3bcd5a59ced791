/** The requests of the sample site that users feel, as rows of the table. */
import { randomUUID } from 'node:crypto';
import type { Question } from './load.js';
import type { SampleSite } from './place.js';

export interface Asked extends SampleSite {
  /** Entity tag of the kept list. */
  readonly tag: string;
}

export interface SampleRow {
  readonly name: string;
  /** Answers come from memory, or a memory helps; else the server keeps none. */
  readonly isKept?: true;
  readonly settleMs?: number;
  readonly question: (site: Asked, turn: number) => Question;
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36';
export const keptList = '/api/v1/resources?limit=20';
const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
const json = (site: SampleSite) => ({ ...bearer(site.gatewayKey), 'content-type': 'application/json' });
const pageOf = (site: SampleSite, part: string): Question => ({
  path: `/pages/api/v1.php/pages/251?include=${part}`,
  headers: bearer(site.pageToken),
});
const bannersOf = (site: SampleSite, path: string): Question => ({
  path: `/banners/api.php/${path}`,
  headers: { 'x-api-key': site.bannerKey },
});
/** An address for each visitor. */
const visitor = (turn: number) => {
  const [high, middle, low] = [16, 8, 0].map((bits) => (turn >> bits) & 255);
  return { 'user-agent': browser, 'x-forwarded-for': `20.${high}.${middle}.${low}` };
};
/** Clicks are written behind their answers. */
const settleMs = 1200;

export const sampleRows: readonly SampleRow[] = [
  { name: 'list', question: (_, turn) => ({ path: `/api/v1/resources?limit=20&offset=${turn % 300}` }) },
  {
    name: 'filtered list of three fields',
    question: (_, turn) => ({
      path: `/api/v1/resources?filter[template][gte]=1&offset=${turn % 300}&fields=id,pagetitle,uri`,
    }),
  },
  {
    name: 'list with a key and tvs',
    question: (site, turn) => ({
      path: `/api/v1/resources?limit=20&offset=${turn % 300}&include=tvs`,
      headers: bearer(site.gatewayKey),
    }),
  },
  { name: 'search', question: (_, turn) => ({ path: `/api/v1/resources?search=tent&offset=${turn % 5}` }) },
  // These are published.
  {
    name: 'single read',
    question: (site, turn) => ({ path: `/api/v1/resources/${57 + (turn % 34)}`, headers: bearer(site.gatewayKey) }),
  },
  { name: 'page by URI', question: () => ({ path: '/api/v1/pages/equipment/tents' }) },
  { name: 'kept list', isKept: true, question: () => ({ path: keptList }) },
  {
    name: 'kept list to a key',
    isKept: true,
    question: (site) => ({ path: keptList, headers: bearer(site.gatewayKey) }),
  },
  // Visitors ask twice each.
  {
    name: 'kept list to many visitors',
    isKept: true,
    question: (_, turn) => ({ path: keptList, headers: visitor(turn >> 1) }),
  },
  { name: 'kept page by URI', isKept: true, question: () => ({ path: '/api/v1/pages/equipment/tents' }) },
  {
    name: 'unchanged list (304)',
    isKept: true,
    question: ({ tag }) => ({ path: keptList, headers: { 'if-none-match': tag } }),
  },
  {
    name: 'PATCH',
    isKept: true,
    question: (site, turn) => ({
      ...{ path: '/api/v1/resources/28', method: 'PATCH', headers: json(site) },
      body: JSON.stringify({ longtitle: `Carried ${turn}` }),
    }),
  },
  {
    name: 'POST',
    isKept: true,
    question: (site) => ({
      ...{ path: '/api/v1/resources', method: 'POST', headers: json(site) },
      body: JSON.stringify({ pagetitle: `Tour ${randomUUID()}`, parent: 28 }),
    }),
  },
  { name: 'page document', isKept: true, question: (site) => pageOf(site, 'values') },
  { name: 'page as HTML', isKept: true, question: (site) => pageOf(site, 'html') },
  { name: 'slot', isKept: true, question: (site) => bannersOf(site, 'slots/header?limit=2') },
  { name: 'banner list', isKept: true, question: (site) => bannersOf(site, 'ads?limit=10') },
  { name: 'banner statistics', isKept: true, question: (site) => bannersOf(site, 'stats?period=last_7_days') },
  {
    name: 'click of one visitor',
    ...{ isKept: true, settleMs },
    question: () => ({ path: '/bannerclick/1', headers: visitor(1) }),
  },
  {
    name: 'click of new visitors',
    ...{ isKept: true, settleMs },
    question: (_, turn) => ({ path: '/bannerclick/1', headers: visitor(turn) }),
  },
  {
    name: 'pixel of new visitors',
    ...{ isKept: true, settleMs },
    question: (_, turn) => ({ path: '/bannerimpression/1', headers: visitor(turn) }),
  },
];

/** The rows of these names. */
export function rowsNamed(...names: readonly string[]): readonly SampleRow[] {
  return sampleRows.filter(({ name }) => names.includes(name));
}
