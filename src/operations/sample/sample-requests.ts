/** Requests worth trying on the sample site, as paths below the base of their API. */

import type { ApiName } from '../../config/setting-definitions.js';

/** The caller: anonymous, with the key or the page token, or a user who logs in or has logged in. */
type SampleCaller = 'anyone' | 'key' | 'token' | 'login' | 'session';

export interface SampleRequest {
  readonly api: ApiName;
  /** What the request shows, as a heading. */
  readonly shows: string;
  readonly caller: SampleCaller;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path with query, percent-encoded, below the base of the API. */
  readonly path: string;
  /** Members of the JSON body, without apostrophes; null for none. A log-in makes its own. */
  readonly body: Readonly<Record<string, string | number | boolean>> | null;
  /** One of the few to begin with. */
  readonly isFirst?: boolean;
}

const reading = { caller: 'anyone', method: 'GET', body: null } as const;

const first = (request: SampleRequest): SampleRequest => ({ ...request, isFirst: true });

/** Ids that pages of the sample get in an empty store: their places in the file. */
export const samplePages = Object.freeze({
  product: { id: 10, uri: 'equipment/tents/corrie/corrie-2-storm.html' },
  range: { id: 28, uri: 'equipment/backpacks/' },
  repairs: { id: 251, uri: 'repairs/' },
  campaign: { id: 299, uri: 'campaign/winter-2026' },
});

/** In the order in which to try them. All but the creation, whose URI is taken then, work again. */
export function sampleRequests(): readonly SampleRequest[] {
  const product = samplePages.product.id;
  const range = samplePages.range.id;
  const read = (shows: string, path: string): SampleRequest => ({ ...reading, api: 'gateway', shows, path });
  const readPage = (shows: string, path: string): SampleRequest => ({
    ...reading,
    api: 'pages',
    caller: 'token',
    shows,
    path,
  });
  const write = (
    shows: string,
    request: Pick<SampleRequest, 'caller' | 'method' | 'path' | 'body'>,
  ): SampleRequest => ({
    api: 'gateway',
    shows,
    ...request,
  });
  const shortForm = 'fields=id,pagetitle';
  return Object.freeze([
    read('Whether it is up', '/health'),
    first(read('The newest three pages', '/resources?limit=3&sort=-createdon&fields=id,pagetitle,uri')),
    first(read('A page by its URI', `/pages/${encodeURI(samplePages.product.uri)}`)),
    read('A range with what stands above and below it', `/resources/${range}?${shortForm}&include=parent,children`),
    read('Template variables', `/resources/${product}?${shortForm}&include=tvs`),
    read('Search for a word', `/resources?q=tent&limit=3&${shortForm}`),
    read('The journal, a context of its own', '/resources?context=journal&limit=3&fields=id,pagetitle,uri'),
    write('With the key: what is not published', {
      ...reading,
      caller: 'key',
      path: `/resources?preview=true&filter[published]=0&limit=3&${shortForm},published`,
    }),
    write('Create a page', {
      caller: 'key',
      method: 'POST',
      path: '/resources',
      body: { pagetitle: 'Spring tour', parent: range, published: true },
    }),
    first(
      write('Change a page', {
        caller: 'key',
        method: 'PATCH',
        path: `/resources/${range}`,
        body: { longtitle: 'Everything to carry' },
      }),
    ),
    write('Delete a page', { caller: 'key', method: 'DELETE', path: `/resources/${product}`, body: null }),
    write('Restore it', {
      caller: 'key',
      method: 'PATCH',
      path: `/resources/${product}`,
      body: { deleted: false },
    }),
    write('Log in, as a browser would', { caller: 'login', method: 'POST', path: '/auth/session', body: null }),
    write('Change a page as this user, with the token of the session', {
      caller: 'session',
      method: 'PATCH',
      path: `/resources/${range}`,
      body: { longtitle: 'Packs for a day and for a month' },
    }),
    { ...reading, api: 'pages', shows: 'Page delivery: its description', path: '/openapi.json' },
    readPage('Published pages', '/pages?limit=3'),
    first(readPage('A page as HTML', `/pages/${samplePages.repairs.id}?include=html`)),
    readPage(
      'The campaign as visitors with the poster see it',
      `/pages/${samplePages.campaign.id}?include=values&utm_source=poster&utm_campaign=winter`,
    ),
    readPage('What was published or withdrawn since the beginning', '/pages?changed_since=0&limit=3'),
    { ...reading, api: 'banners', shows: 'Banners: version and routes', path: '/' },
    { ...reading, api: 'banners', shows: 'Banners: three of them', path: '/ads?limit=3&fields=id,name,clicks' },
    {
      ...reading,
      api: 'banners',
      shows: 'Banners: the best of the week',
      path: '/stats/top-ads?period=last_7_days&limit=3',
    },
    first({
      ...reading,
      api: 'banners',
      shows: 'Banners: what to show in the header now',
      path: '/slots/header?limit=2',
    }),
  ]);
}
