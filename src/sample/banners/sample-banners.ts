/**
 * Banners, positions, links and presets of the sample site. Dates count in days from the day on which the sample is
 * loaded, so that some banners are over, some run and some are to come whenever that is.
 */
import type { PageLinks } from '../page.js';

export interface SamplePosition {
  readonly key: string;
  readonly name: string;
  /** Empty = every context. */
  readonly contextKey: string;
}

export interface SampleBanner {
  readonly key: string;
  readonly name: string;
  readonly type: 'image' | 'html';
  readonly url: string;
  /** Path in the media source of the pictures; empty for html. */
  readonly image: string;
  readonly html: string | null;
  readonly description: string;
  readonly active: 0 | 1;
  /** First and last day, in days from the day of loading; null = unbounded. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  readonly showHours: { readonly days: readonly number[]; readonly hours: readonly number[] } | null;
  readonly maxClicks: number;
  readonly maxImpressions: number;
  /** Key of a page; null = every page. */
  readonly onPage: string | null;
  /** Key of a section; null = everywhere. */
  readonly inSection: string | null;
  readonly tags: readonly string[];
  /** By key of the position. */
  readonly positions: readonly SampleLink[];
  /** What visitors make of it. */
  readonly traffic: SampleTraffic;
}

export interface SampleLink {
  readonly position: string;
  readonly weight: number;
}

export interface SampleTraffic {
  /** Impressions on an ordinary working day, at all its positions together. */
  readonly daily: number;
  /** Share of impressions that end in a click. */
  readonly clickShare: number;
  /** Share of clicks that end in an order. */
  readonly orderShare: number;
}

export interface SamplePreset {
  readonly name: string;
  readonly type: 'image' | 'html';
  readonly tpl: string;
  readonly defaults: Readonly<Record<string, unknown>>;
}

export const samplePositions: readonly SamplePosition[] = Object.freeze([
  { key: 'header', name: 'header', contextKey: '' },
  { key: 'sidebar', name: 'sidebar', contextKey: 'web' },
  { key: 'product', name: 'product-page', contextKey: 'web' },
  { key: 'journal', name: 'journal-foot', contextKey: 'journal' },
]);

const ordinary: Omit<SampleBanner, 'key' | 'name' | 'url' | 'description' | 'positions' | 'traffic'> = {
  type: 'image',
  image: '',
  html: null,
  active: 1,
  firstDay: null,
  lastDay: null,
  showHours: null,
  maxClicks: 0,
  maxImpressions: 0,
  onPage: null,
  inSection: null,
  tags: [],
};

const workingHours = { days: [1, 2, 3, 4, 5], hours: [9, 10, 11, 12, 13, 14, 15, 16, 17] };
const evenings = { days: [5, 6, 7], hours: [17, 18, 19, 20, 21, 22] };

/** All banners; targets and addresses name pages of the site. */
export function sampleBanners(links: PageLinks): readonly SampleBanner[] {
  const to = (page: string): string => `[[~${links.id(page)}]]`;
  return [
    {
      ...ordinary,
      key: 'tents',
      name: 'Tents: three new Corries',
      url: to('tents-corrie-3'),
      image: 'places/tents.svg',
      description: 'Three new tents for wet weather',
      tags: ['tents', 'new'],
      positions: [
        { position: 'header', weight: 3 },
        { position: 'sidebar', weight: 2 },
      ],
      traffic: { daily: 26, clickShare: 0.062, orderShare: 0.11 },
    },
    {
      ...ordinary,
      key: 'packs',
      name: 'Backpacks for a week',
      url: `${to('backpacks')}?from=banner`,
      image: 'places/packs.svg',
      description: 'Backpacks that carry a week',
      tags: ['backpacks'],
      positions: [
        { position: 'header', weight: 2 },
        { position: 'product', weight: 1 },
      ],
      traffic: { daily: 19, clickShare: 0.05, orderShare: 0.08 },
    },
    {
      ...ordinary,
      key: 'season',
      name: 'Season sale',
      url: to('equipment'),
      image: 'places/sale.svg',
      description: 'A fifth off, this month only',
      firstDay: -24,
      lastDay: 9,
      tags: ['sale'],
      positions: [
        { position: 'header', weight: 4 },
        { position: 'sidebar', weight: 4 },
        { position: 'product', weight: 2 },
      ],
      traffic: { daily: 48, clickShare: 0.081, orderShare: 0.16 },
    },
    {
      ...ordinary,
      key: 'early',
      name: 'Early booking (over)',
      url: to('trips'),
      image: 'places/trips.svg',
      description: 'Book a trip early',
      firstDay: -110,
      lastDay: -52,
      tags: ['trips'],
      positions: [
        { position: 'header', weight: 2 },
        { position: 'journal', weight: 2 },
      ],
      traffic: { daily: 30, clickShare: 0.055, orderShare: 0.2 },
    },
    {
      ...ordinary,
      key: 'trips',
      name: 'Trips with a guide',
      url: to('trips'),
      image: 'places/trips.svg',
      description: 'Walk with somebody who knows the way',
      tags: ['trips'],
      positions: [
        { position: 'sidebar', weight: 1 },
        { position: 'journal', weight: 3 },
      ],
      traffic: { daily: 14, clickShare: 0.043, orderShare: 0.14 },
    },
    {
      ...ordinary,
      key: 'workshop',
      name: 'Open workshop',
      type: 'html',
      html: '<p><strong>Open workshop</strong><br>Bring what is torn: we mend it while you wait.</p>',
      url: to('repairs'),
      description: 'Hours of the workshop',
      showHours: workingHours,
      positions: [{ position: 'sidebar', weight: 2 }],
      traffic: { daily: 11, clickShare: 0.036, orderShare: 0.03 },
    },
    {
      ...ordinary,
      key: 'evening',
      name: 'Weekend evenings in the shop',
      type: 'html',
      html: '<p><strong>Friday to Sunday</strong><br>Talks by the stove, from six.</p>',
      url: to('stores'),
      description: 'Talks in the shops',
      showHours: evenings,
      positions: [
        { position: 'sidebar', weight: 2 },
        { position: 'journal', weight: 1 },
      ],
      traffic: { daily: 16, clickShare: 0.03, orderShare: 0 },
    },
    {
      ...ordinary,
      key: 'club',
      name: 'Join the club',
      type: 'html',
      html: '<p><strong>The Larkfell club</strong><br>Members borrow what they need once a year.</p>',
      url: to('join'),
      description: 'The club',
      onPage: 'home',
      positions: [{ position: 'header', weight: 1 }],
      traffic: { daily: 9, clickShare: 0.07, orderShare: 0.05 },
    },
    {
      ...ordinary,
      key: 'repair-prices',
      name: 'What a repair costs',
      url: to('repair-prices'),
      image: 'places/repairs.svg',
      description: 'Prices of repairs',
      inSection: 'repairs',
      tags: ['repairs'],
      positions: [{ position: 'sidebar', weight: 1 }],
      traffic: { daily: 7, clickShare: 0.09, orderShare: 0.12 },
    },
    {
      ...ordinary,
      key: 'partner',
      name: 'A friend: the ferry',
      url: 'https://ferry.example/timetable',
      image: 'places/ferry.svg',
      description: 'Timetable of the ferry',
      firstDay: -70,
      maxImpressions: 700,
      positions: [{ position: 'journal', weight: 2 }],
      traffic: { daily: 22, clickShare: 0.025, orderShare: 0 },
    },
    {
      ...ordinary,
      key: 'winter',
      name: 'Winter: coming soon',
      url: to('equipment'),
      image: 'places/winter.svg',
      description: 'What is new for the snow',
      firstDay: 12,
      lastDay: 100,
      maxClicks: 500,
      tags: ['new'],
      positions: [
        { position: 'header', weight: 3 },
        { position: 'product', weight: 3 },
      ],
      traffic: { daily: 0, clickShare: 0, orderShare: 0 },
    },
    {
      ...ordinary,
      key: 'stock',
      name: 'Last pairs (switched off)',
      url: to('equipment'),
      image: 'places/sale.svg',
      description: 'Boots in single sizes',
      active: 0,
      lastDay: -20,
      tags: ['sale'],
      positions: [{ position: 'product', weight: 1 }],
      traffic: { daily: 12, clickShare: 0.065, orderShare: 0.18 },
    },
  ];
}

export const samplePresets: readonly SamplePreset[] = Object.freeze([
  {
    name: 'Sidebar 300x250',
    type: 'image',
    tpl: 'sidebar',
    defaults: { image: 'places/packs.svg', tags: ['backpacks'], max_impressions: 10_000 },
  },
  {
    name: 'Notice in words',
    type: 'html',
    tpl: 'notice',
    defaults: { html: '<p><strong>News</strong><br>What there is to say.</p>', active: 0 },
  },
  {
    name: 'Working hours',
    type: 'image',
    tpl: '',
    defaults: { show_hours: workingHours, description: 'While the shops are open' },
  },
]);
