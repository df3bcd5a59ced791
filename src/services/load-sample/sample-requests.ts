/** Requests worth trying on the sample site, as paths below the base of their API; the site's own pages fill them in. */

import type { ApiName } from '../../config/setting-definitions.js';
import { sampleTree } from '../../sample/sample-site.js';

export interface SampleRequest {
  readonly api: ApiName;
  /** What the request shows, as a heading. */
  readonly shows: string;
  /** Path with query, percent-encoded, below the base of the API. */
  readonly path: string;
}

/** In the order in which to try them. */
export function sampleRequests(): readonly SampleRequest[] {
  const { links } = sampleTree();
  const product = links.id('tents-corrie-3');
  const gateway = (shows: string, path: string): SampleRequest => ({ api: 'gateway', shows, path });
  return Object.freeze([
    gateway('Whether it is up', '/health'),
    gateway('The newest three pages', '/resources?limit=3&sort=-createdon&fields=id,pagetitle,uri'),
    gateway('A page by its URI', `/pages/${encodeURI(links.uri('tents-corrie-3'))}`),
    gateway(
      'A range with what stands above and below it',
      `/resources/${links.id('backpacks')}?fields=id,pagetitle&include=parent,children`,
    ),
    gateway('Template variables', `/resources/${product}?fields=id,pagetitle&include=tvs`),
    gateway('Search for a word', '/resources?q=tent&limit=3&fields=id,pagetitle'),
    gateway('The journal, a context of its own', '/resources?context=journal&limit=3&fields=id,pagetitle,uri'),
    { api: 'pages', shows: 'Page delivery: its description', path: '/openapi.json' },
    { api: 'banners', shows: 'Banners: version and routes', path: '/' },
  ]);
}
