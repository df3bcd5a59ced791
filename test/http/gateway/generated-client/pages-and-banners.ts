/** As program.ts, for the other two interfaces: with openapi-fetch first, then with @hey-api/openapi-ts. */
import createClient from 'openapi-fetch';
import { createConfig as bannersConfig, createClient as createBannersClient } from './banners/client/client/index.js';
import * as banners from './banners/client/index.js';
import type { paths as BannerPaths } from './banners/types.js';
import { createClient as createPagesClient, createConfig as pagesConfig } from './pages/client/client/index.js';
import * as pages from './pages/client/index.js';
import type { paths as PagePaths } from './pages/types.js';

interface Given {
  readonly pagesUrl: string;
  readonly pagesToken: string;
  readonly bannersUrl: string;
  readonly bannersKey: string;
}

const given: Given = JSON.parse(process.argv[2] ?? '{}');
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function readPages() {
  const api = createClient<PagePaths>({ baseUrl: given.pagesUrl, ...bearer(given.pagesToken) });
  const list = await api.GET('/pages', { params: { query: { limit: 5 } } });
  const missing = await api.GET('/pages/{idOrAlias}', { params: { path: { idOrAlias: '99' } } });
  const client = createPagesClient(pagesConfig({ baseUrl: given.pagesUrl, auth: given.pagesToken }));
  const again = await pages.listPages({ client, query: { limit: 5 } });
  const stillMissing = await pages.getPage({ client, path: { idOrAlias: '99' } });
  return [list.data?.success, missing.error?.message, again.data?.success, stillMissing.error?.message];
}

async function readBanners() {
  const api = createClient<BannerPaths>({ baseUrl: given.bannersUrl, ...bearer(given.bannersKey) });
  const list = await api.GET('/ads', { params: { query: { limit: 5 } } });
  const missing = await api.GET('/ads/{id}', { params: { path: { id: 99 } } });
  const client = createBannersClient(bannersConfig({ baseUrl: given.bannersUrl, auth: given.bannersKey }));
  const again = await banners.listAds({ client, query: { limit: 5 } });
  const stillMissing = await banners.getAd({ client, path: { id: 99 } });
  return [list.data?.data.length, missing.error?.message, again.data?.data.length, stillMissing.error?.message];
}

process.stdout.write(JSON.stringify({ pages: await readPages(), banners: await readBanners() }));
