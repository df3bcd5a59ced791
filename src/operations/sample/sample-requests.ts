/** Requests worth trying on the sample site, as paths below the base of their API. */

import type { ApiName } from '../../config/setting-definitions.js';

/** Anonymous, with the key or the page token, or a user who logs in or has logged in. */
type SampleCaller = 'anyone' | 'key' | 'token' | 'login' | 'session';

export interface SampleRequest {
  readonly api: ApiName;
  readonly shows: string;
  readonly caller: SampleCaller;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With query, percent-encoded, below the base of the API. */
  readonly path: string;
  /** Without apostrophes; null for none. A log-in makes its own. */
  readonly body: Readonly<Record<string, string | number | boolean>> | null;
  readonly isFirst?: boolean;
}

/** Ids that pages of the sample get in an empty store: their places in the file. */
export const samplePages = Object.freeze({
  product: { id: 10, uri: 'equipment/tents/corrie/corrie-2-storm.html' },
  range: { id: 28, uri: 'equipment/backpacks/' },
  repairs: { id: 251, uri: 'repairs/' },
  campaign: { id: 299, uri: 'campaign/winter-2026' },
});

type More = Partial<Pick<SampleRequest, 'method' | 'body' | 'isFirst'>>;

function requestTo(api: ApiName, caller: SampleCaller) {
  return (shows: string, path: string, more: More = {}): SampleRequest => {
    return { api, shows, caller, method: 'GET', path, body: null, ...more };
  };
}

/** In the order in which to try them. All except the creation, whose URI is then in use, work again. */
export function sampleRequests(): readonly SampleRequest[] {
  const product = `/resources/${samplePages.product.id}`;
  const range = `/resources/${samplePages.range.id}`;
  const read = requestTo('gateway', 'anyone');
  const withKey = requestTo('gateway', 'key');
  const readPage = requestTo('pages', 'token');
  const readBanners = requestTo('banners', 'anyone');
  const isFirst = true;
  const short = 'fields=id,pagetitle';
  const spring = { pagetitle: 'Spring tour', parent: samplePages.range.id, published: true };
  return [
    read('Whether it is up', '/health'),
    read('The newest three pages', '/resources?limit=3&sort=-createdon&fields=id,pagetitle,uri', { isFirst }),
    read('A page by its URI', `/pages/${encodeURI(samplePages.product.uri)}`, { isFirst }),
    read('A range with what stands above and below it', `${range}?${short}&include=parent,children`),
    read('Template variables', `${product}?${short}&include=tvs`),
    read('Search for a word', `/resources?q=tent&limit=3&${short}`),
    read('The journal, a context of its own', '/resources?context=journal&limit=3&fields=id,pagetitle,uri'),
    withKey(
      'With the key: what is not published',
      `/resources?preview=true&filter[published]=0&limit=3&${short},published`,
    ),
    withKey('Create a page', '/resources', { method: 'POST', body: spring }),
    withKey('Change a page', range, { method: 'PATCH', body: { longtitle: 'Everything to carry' }, isFirst }),
    withKey('Delete a page', product, { method: 'DELETE' }),
    withKey('Restore it', product, { method: 'PATCH', body: { deleted: false } }),
    requestTo('gateway', 'login')('Log in, as a browser would', '/auth/session', { method: 'POST' }),
    requestTo('gateway', 'session')('Change a page as this user, with the token of the session', range, {
      method: 'PATCH',
      body: { longtitle: 'Packs for a day and for a month' },
    }),
    requestTo('pages', 'anyone')('Page delivery: its description', '/openapi.json'),
    readPage('Published pages', '/pages?limit=3'),
    readPage('A page as HTML', `/pages/${samplePages.repairs.id}?include=html`, { isFirst }),
    readPage(
      'The campaign as visitors with the poster see it',
      `/pages/${samplePages.campaign.id}?include=values&utm_source=poster&utm_campaign=winter`,
    ),
    readPage('What was published or withdrawn since the beginning', '/pages?changed_since=0&limit=3'),
    readBanners('Banners: version and routes', '/'),
    readBanners('Banners: three of them', '/ads?limit=3&fields=id,name,clicks'),
    readBanners('Banners: the best of the week', '/stats/top-ads?period=last_7_days&limit=3'),
    readBanners('Banners: what to show in the header now', '/slots/header?limit=2', { isFirst }),
  ];
}
