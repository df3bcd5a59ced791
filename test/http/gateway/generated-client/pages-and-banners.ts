/** As program.ts, for the other two interfaces, with the clients of all four generators. */
import createClient from 'openapi-fetch';
import { createConfig as bannersConfig, createClient as createBannersClient } from './banners/client/client/index.js';
import * as banners from './banners/client/index.js';
import * as oazapftsBanners from './banners/oazapfts/client.js';
import * as orvalBanners from './banners/orval/client.js';
import type { paths as BannerPaths } from './banners/types.js';
import { createClient as createPagesClient, createConfig as pagesConfig } from './pages/client/client/index.js';
import * as pages from './pages/client/index.js';
import * as oazapftsPages from './pages/oazapfts/client.js';
import * as orvalPages from './pages/orval/client.js';
import type { paths as PagePaths } from './pages/types.js';

interface Given {
  readonly pagesUrl: string;
  readonly pagesToken: string;
  readonly bannersUrl: string;
  readonly bannersKey: string;
}

const given: Given = JSON.parse(process.argv[2] ?? '{}');
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
oazapftsPages.defaults.baseUrl = given.pagesUrl;
oazapftsBanners.defaults.baseUrl = given.bannersUrl;

/** What the list and the missing record say, by generator. */
async function readPages() {
  const withToken = bearer(given.pagesToken);
  const api = createClient<PagePaths>({ baseUrl: given.pagesUrl, ...withToken });
  const list = await api.GET('/pages', { params: { query: { limit: 5 } } });
  const missing = await api.GET('/pages/{idOrAlias}', { params: { path: { idOrAlias: '99' } } });
  const client = createPagesClient(pagesConfig({ baseUrl: given.pagesUrl, auth: given.pagesToken }));
  const heyList = await pages.listPages({ client, query: { limit: 5 } });
  const heyMissing = await pages.getPage({ client, path: { idOrAlias: '99' } });
  const orvalList = await orvalPages.listPages({ limit: 5 }, withToken);
  const orvalMissing = await orvalPages.getPage('99', undefined, withToken);
  const otherList = await oazapftsPages.listPages({ limit: 5 }, withToken);
  const otherMissing = await oazapftsPages.getPage({ idOrAlias: '99' }, withToken);
  return [
    [list.data?.success, missing.error?.message],
    [heyList.data?.success, heyMissing.error?.message],
    [orvalList.status === 200 && orvalList.data.success, messageOf(orvalMissing)],
    [otherList.status === 200 && otherList.data.success, messageOf(otherMissing)],
  ];
}

async function readBanners() {
  const withKey = bearer(given.bannersKey);
  const api = createClient<BannerPaths>({ baseUrl: given.bannersUrl, ...withKey });
  const list = await api.GET('/ads', { params: { query: { limit: 5 } } });
  const missing = await api.GET('/ads/{id}', { params: { path: { id: 99 } } });
  const client = createBannersClient(bannersConfig({ baseUrl: given.bannersUrl, auth: given.bannersKey }));
  const heyList = await banners.listAds({ client, query: { limit: 5 } });
  const heyMissing = await banners.getAd({ client, path: { id: 99 } });
  const orvalList = await orvalBanners.listAds({ limit: 5 }, withKey);
  const orvalMissing = await orvalBanners.getAd(99, undefined, withKey);
  const otherList = await oazapftsBanners.listAds({ limit: 5 }, withKey);
  const otherMissing = await oazapftsBanners.getAd({ id: 99 }, withKey);
  return [
    [list.data?.data.length, missing.error?.message],
    [heyList.data?.data.length, heyMissing.error?.message],
    [orvalList.status === 200 && orvalList.data.data.length, messageOf(orvalMissing)],
    [otherList.status === 200 && otherList.data.data.length, messageOf(otherMissing)],
  ];
}

/** The message of a refusal, in the one form of both interfaces. */
function messageOf(answer: { readonly status: number }): unknown {
  return 'data' in answer && Reflect.get(Object(answer.data), 'message');
}

process.stdout.write(JSON.stringify({ pages: await readPages(), banners: await readBanners() }));
