/** Joins an open store with the three interfaces: the one place where all parts meet. */
import { bannersBase } from '../../src/banners/endpoints/api.js';
import { keepBannerKey } from '../../src/banners/management/banner-keys.js';
import { keepDaysZone } from '../../src/banners/statistics/move-days.js';
import { type BannerTracking, makeBannerTracking } from '../../src/banners/tracking/banner-tracking.js';
import { type ApiName, apiNames } from '../../src/config/value-type.js';
import { announceNoticed } from '../../src/content/indexing/announce-noticed.js';
import { followChanges } from '../../src/content/indexing/follow-changes.js';
import { followMutations } from '../../src/content/indexing/keep-indexes.js';
import { ChangeFeed } from '../../src/content/live/change-feed.js';
import { mediaObject } from '../../src/content/live/mutation.js';
import type { AnnouncedChange, ContentWriter } from '../../src/content/mutations/run-mutation.js';
import { gatewayBase } from '../../src/gateway/endpoints/api.js';
import { addressLimit, type VerifyCredential } from '../../src/gateway/http/checks.js';
import type { OtherDocument } from '../../src/gateway/http/deps.js';
import type { ApiModule } from '../../src/http/interface/api.js';
import { parseTrustedProxies, peerName } from '../../src/http/interface/request-headers.js';
import type { HttpPorts } from '../../src/http/interface/request-state.js';
import { followNews, type NewsPlace } from '../../src/identity/limits/redis-news.js';
import { noteForwarders, noteHosts } from '../../src/identity/limits/seen-requests.js';
import { databaseMark, forgetSeen, laterMark, onRevocation } from '../../src/memory/seen-memory.js';
import { pagesBase } from '../../src/pages/endpoints/api.js';
import { type Place, startApis } from '../../src/start/api.js';
import type { Store } from '../../src/store/open/open.js';
import type { Traces } from '../../src/traces/traces.js';
import { derived } from '../../src/values/kept-values.js';
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import {
  composeBanners,
  composeGateway,
  composePages,
  openShared,
  type Shared,
  type SharedOptions,
} from './compose-interfaces.js';
import type { ChangeChannel } from './share-changes.js';
import { traceStore } from './trace-store.js';

export interface ComposeOptions extends SharedOptions {
  readonly apis: readonly ApiName[];
  /** Through it processes on other machines report their changes; absent = none. */
  readonly news?: Omit<NewsPlace, 'clock'>;
  readonly siblings?: ChangeChannel;
  readonly traces?: Traces | undefined;
  /** For tests: replaces the keys in the store. */
  readonly verify?: VerifyCredential;
}

/** Nothing listens or runs yet. The caller closes the store. */
export async function composeSite(options: ComposeOptions) {
  const { store, clock, log, env, traces, verify } = options;
  if (traces !== undefined) traceStore(store, traces);
  const shared = await openShared(options);
  const { site } = shared;
  const { live } = site;
  const { writer, endTelling } = openWriter(shared, options.siblings);
  const pages = composePages(shared);
  const feed = new ChangeFeed({ source: live, clock });
  const endIndexing = followChanges({
    ...{ store, log, clock, site },
    noticed: announceNoticed({ ...store, isOn: () => shared.settings().gateway_cms_events, clock }),
  });
  const sealer = await openWebhookSealer(store, options.secret);
  const tracking = makeBannerTracking({ store, site, clock, log, sealer });
  const news = await hearNews({ shared, tracking }, options.news);
  const banners = composeBanners(shared, tracking);
  const otherDocuments = () => [...modules.values()].flatMap(otherDocument);
  const gateway = composeGateway(shared, { writer, feed, traces, verify, otherDocuments });
  const parts = { gateway, pages, banners };
  const served = apiNames.filter((name) => options.apis.includes(name));
  const modules = new Map(served.map((name) => [name, parts[name].api()]));
  const others = (['gateway', 'banners', 'pages'] as const).filter((name) => modules.has(name));
  return {
    site,
    writer,
    tracking,
    countCaller: gateway.countCaller,
    serving: {
      apis: [
        ...startApis({ version: options.version, places: placesOf(shared, served), unmounted: shared.unmounted }),
        ...modules.values(),
        ...others.flatMap((name) => parts[name].others()),
      ],
      unmounted: shared.unmounted,
      ports: { ...portsOf(shared), traces },
    },
    async startBanners() {
      await keepBannerKey(store, { env, live, log });
      await tracking.start();
      await keepDaysZone({ own: store.own, live, log });
    },
    warmPages: () => pages.warm(),
    /** Sends delayed answers without further delay, and ends streams of changes. */
    endDelays() {
      gateway.delays.close();
      feed.close();
    },
    async close() {
      live.stop();
      endTelling();
      news?.close();
      await endIndexing();
      shared.counting.close();
      await tracking.close();
      await gateway.close();
      await pages.close();
    },
  };
}

/** Its changes reach the workers of this server at once, and so do revocations. */
function openWriter({ store, registry, clock, site }: Shared, siblings: ChangeChannel | undefined) {
  const { live, reader } = site;
  const tellChange = async (change: AnnouncedChange) => {
    live.changes.apply(change);
    await siblings?.send(change);
  };
  siblings?.onRevocation(() => forgetSeen(store.own));
  const endTelling =
    siblings === undefined ? () => undefined : onRevocation(store.own, () => siblings.sendRevocation());
  siblings?.onReceive(async (change) => (change === 'look' ? live.refresh() : live.changes.apply(change)));
  const listeners = followMutations(store, registry, { report: tellChange });
  const writer: ContentWriter = {
    ...{ store, registry, reader, listeners },
    live: () => live.current(),
    now: clock.now,
  };
  return { writer, endTelling };
}

async function hearNews(
  { shared: { store, site, clock, log }, tracking }: { readonly shared: Shared; readonly tracking: BannerTracking },
  place: ComposeOptions['news'],
): Promise<{ close(): void } | undefined> {
  if (place === undefined) return undefined;
  const heard = {
    credentials: async () => forgetSeen(store.own),
    live: () => site.live.refresh(),
    content: () => site.live.changes.look(),
    banners: async () => tracking.invalidate(),
  };
  return followNews(store.own, heard, { ...place, clock, log });
}

/** For the page at the root of the server. */
function placesOf({ settings }: Shared, served: readonly ApiName[]): () => readonly Place[] {
  return derived(settings, (values) => {
    const known: Readonly<Record<ApiName, Omit<Place, 'name'>>> = {
      gateway: { address: gatewayBase(values.gateway_api_prefix), enabled: values.gateway_enabled },
      pages: { address: pagesBase, enabled: values.pages_rest_api_enabled },
      banners: { address: bannersBase, enabled: values.banners_api_enabled },
    };
    return served.map((name) => ({ name, ...known[name] }));
  });
}

function portsOf({ store, clock, log, site, settings, counter }: Shared): HttpPorts {
  const trusted = () => settings().gateway_trusted_proxies;
  const noting = { own: store.own, clock, log };
  return {
    ...{ clock, log, settings },
    ...storeStateOf(store),
    ...entranceOf(store),
    onContentChange(listener) {
      site.onContentChange(listener);
      // Settings, rights, contexts and files may affect any answer.
      site.live.onChange(() => listener('everything'));
      site.live.changes.onChange((rows) => {
        if (rows !== 'everything' && rows.some(({ object }) => object === mediaObject)) listener('everything');
      });
    },
    trustedProxies: derived(settings, (values) => parseTrustedProxies(values.gateway_trusted_proxies)),
    onHost: noteHosts(noting, () => site.reader.site.place(settings().gateway_context).origin === ''),
    onUntrustedForwarder: noteForwarders({ ...noting, trusted, nameOf: peerName }),
    countStray: addressLimit(settings, { counter, counted: 'stray' }),
  };
}

function otherDocument({ name, policy, document }: ApiModule): OtherDocument[] {
  if ((name !== 'pages' && name !== 'banners') || document === undefined || !policy().enabled) return [];
  return [{ name, document: document() }];
}

/** Absent where a database has no number of its state. */
function storeStateOf({ own, content }: Pick<Store, 'own' | 'content'>): Pick<HttpPorts, 'storeState'> {
  const readers = [...new Set([own.primary, content.primary])];
  if (readers.every(({ version }) => version !== undefined)) return { storeState: databaseMark(readers) };
  const mark = laterMark(readers);
  return mark === null ? {} : { storeState: mark };
}

function entranceOf({ content }: Pick<Store, 'content'>): Pick<HttpPorts, 'entrance'> {
  const { entrance } = content;
  return entrance === undefined ? {} : { entrance: () => entrance.call(content) };
}
