/** Joins an open store with the three APIs: the one place where all parts meet. */
import { holdsPermission, type Principal } from '../../src/access/acl.js';
import { bannersBase, makeBannersApi, makeBannersPolicy } from '../../src/banners/endpoints/api.js';
import { makeSlotsApi } from '../../src/banners/endpoints/slots.js';
import { trackingApis } from '../../src/banners/endpoints/tracking-api.js';
import { liveImages } from '../../src/banners/management/banner-images.js';
import { keepBannerKey } from '../../src/banners/management/banner-keys.js';
import { keepDaysZone } from '../../src/banners/statistics/days-zone.js';
import { makeBannerTracking } from '../../src/banners/tracking/banner-tracking.js';
import type { SettingsSnapshot } from '../../src/config/settings.js';
import { followChanges } from '../../src/content/indexing/follow-changes.js';
import { announceIndexes } from '../../src/content/indexing/keep-indexes.js';
import { ChangeFeed } from '../../src/content/live/change-feed.js';
import { siteAddress } from '../../src/content/live/live-state.js';
import { openSite, type SiteOptions } from '../../src/content/live/site.js';
import {
  type AnnouncedChange,
  announceChanges,
  announceEvents,
  joinListeners,
} from '../../src/content/mutations/run-mutation.js';
import type { ContentWriter } from '../../src/content/mutations/write-request.js';
import { knownScopes } from '../../src/content/objects/core-objects.js';
import { isSameSecret, sha256Hex } from '../../src/crypto/hash.js';
import { randomId } from '../../src/crypto/random.js';
import { AppError } from '../../src/errors/app-error.js';
import { AuditLog } from '../../src/gateway/audit/audit-log.js';
import { gatewayApi, gatewayBase } from '../../src/gateway/endpoints/api.js';
import { oauthMetadataApi } from '../../src/gateway/endpoints/oauth-metadata.js';
import { gatewayCounter, strayLimit, type VerifyCredential } from '../../src/gateway/http/checks.js';
import { newPlanMemos, type OtherDocument } from '../../src/gateway/http/deps.js';
import { renderProblem } from '../../src/gateway/http/envelope.js';
import { AnswerMemory } from '../../src/gateway/idempotency/answer-memory.js';
import { type ApiModule, derived, type RenderError } from '../../src/http/interface/api.js';
import { parseTrustedProxies, peerName } from '../../src/http/interface/client-ip.js';
import type { HttpPorts } from '../../src/http/interface/exchange.js';
import { KeyVerifier } from '../../src/identity/keys/key-verifier.js';
import { GuessLimit } from '../../src/identity/limits/guess-limit.js';
import { type CounterPlace, type FirstProcess, openRateCounter } from '../../src/identity/limits/open-counter.js';
import { followNews, type NewsPlace } from '../../src/identity/limits/redis-news.js';
import { RefusedKeys } from '../../src/identity/limits/refused-keys.js';
import { noteForwarders } from '../../src/identity/limits/untrusted-forwarder.js';
import { makeOauthService } from '../../src/identity/oauth/oauth-service.js';
import { makeTokenVerifier } from '../../src/identity/oauth/token-verifier.js';
import { TokenVerifier } from '../../src/identity/page-tokens/token-verifier.js';
import { makePreviewVerifier } from '../../src/identity/previews/preview-verifier.js';
import { makeSessionService } from '../../src/identity/sessions/session-service.js';
import { DelayedAnswers } from '../../src/identity/users/delayed-answers.js';
import { makeLogIn } from '../../src/identity/users/log-in.js';
import { VerifyQueue } from '../../src/identity/users/verify-queue.js';
import { type DatabaseMark, databaseMark, laterMark } from '../../src/memory/database-mark.js';
import { forgetSeen, onRevocation } from '../../src/memory/seen-memory.js';
import { PageDelivery } from '../../src/pages/delivery/page-delivery.js';
import { makePagesApi, pagesBase } from '../../src/pages/endpoints/api.js';
import { makePublicPagesApi } from '../../src/pages/endpoints/public-api.js';
import { successText } from '../../src/pages/http/envelope.js';
import { findDraftRevision } from '../../src/pages/models/pages.js';
import { type Place, startApis } from '../../src/start/api.js';
import { readAs } from '../../src/store/base/database.js';
import type { Store } from '../../src/store/open/open.js';
import type { Traces } from '../../src/traces/traces.js';
import { openWebhookSealer } from '../../src/webhooks/administration/secrets.js';
import { type ApiName, apiNames } from './api-names.js';
import type { ChangeChannel } from './share-changes.js';
import { traceStore } from './trace-store.js';

export interface ComposeOptions extends SiteOptions {
  readonly version: string;
  readonly apis: readonly ApiName[];
  readonly rateCounters?: CounterPlace;
  readonly firstProcess?: FirstProcess | undefined;
  /** Through it processes on other machines report their changes; absent = none. */
  readonly news?: Omit<NewsPlace, 'clock'>;
  readonly siblings?: ChangeChannel;
  readonly traces?: Traces | undefined;
  /** For tests: replaces the keys in the store. */
  readonly verify?: VerifyCredential;
}

/** Nothing listens or runs yet. The caller closes the store. */
export async function composeSite(options: ComposeOptions) {
  const { store, registry, env, clock, log, traces } = options;
  if (traces !== undefined) traceStore(store, traces);
  const site = await openSite({ store, registry, env, clock, log, secret: options.secret });
  const { live } = site;
  live.follow();
  checkSafe(live.current().settings);
  const keys = new KeyVerifier({ store, clock, log });
  const verifyToken = makeTokenVerifier({ store, clock });
  const verifyPreview = makePreviewVerifier({ store, clock, live: () => live.current() });
  const pageTokens = new TokenVerifier({ store, env, clock, log });
  const { rateCounters: place = 'memory', firstProcess } = options;
  const counting = await openRateCounter({ place, firstProcess, own: store.own, clock, log });
  const { counter } = counting;
  const refusedKeys = new RefusedKeys({ counter, clock });
  const settings = derived(
    () => live.current().settings,
    (snapshot) => snapshot.values,
  );
  const countCaller = gatewayCounter(settings, counter);
  const base = () => gatewayBase(settings().gateway_api_prefix);
  // A change of settings, rights or contexts may affect any answer. Changes of content name their rows.
  let views = 0;
  live.onChange(() => {
    views += 1;
  });
  const scopes = derived(
    () => live.current().contexts,
    (contexts) => knownScopes(registry, [...contexts]),
  );
  const tellChange = async (change: AnnouncedChange) => {
    live.apply(change);
    await options.siblings?.send(change);
  };
  const { siblings } = options;
  siblings?.onRevocation(() => forgetSeen(store.own));
  const endTelling =
    siblings === undefined ? () => undefined : onRevocation(store.own, () => siblings.sendRevocation());
  options.siblings?.onReceive(async (change) => (change === 'look' ? live.refresh() : live.apply(change)));
  const listeners = joinListeners([announceIndexes(store), announceEvents(), announceChanges(tellChange)]);
  const writer: ContentWriter = {
    store,
    registry,
    reader: site.reader,
    live: () => live.current(),
    now: clock.now,
    listeners,
  };
  const delivery = new PageDelivery({
    store,
    registry,
    clock,
    log,
    reader: site.reader,
    live: () => live.current(),
    principal: site.principal,
    wrap: successText,
  });
  live.onChange(() => delivery.noteChange());
  live.onContentChange(() => delivery.noteChange());
  const feed = new ChangeFeed({ source: live, clock });
  const endIndexing = followChanges({ store, log, onContentChange: (listener) => live.onContentChange(listener) });
  const sealer = await openWebhookSealer(store, options.secret);
  const tracking = makeBannerTracking({ store, site, clock, log, sealer });
  const heard =
    options.news === undefined
      ? undefined
      : await followNews(
          store.own,
          {
            credentials: async () => forgetSeen(store.own),
            live: () => live.refresh(),
            content: () => live.followContent(),
            banners: async () => tracking.invalidate(),
          },
          { ...options.news, clock, log },
        );
  const bannerImage = derived(() => live.current(), liveImages);
  const siteOf = (context: string) => siteAddress(live.current(), context);
  const slots = {
    readSlot: tracking.readSlot,
    settings,
    moment: () => ({ ms: clock.now(), zone: settings().banners_timezone }),
    image: (banner: Parameters<ReturnType<typeof liveImages>>[0]) => bannerImage()(banner),
    siteAddress: siteOf,
  };
  const unmounted: RenderError = (error, info) => renderProblem(error, info, base());
  const lifetime = () => settings().gateway_oauth_token_ttl;
  const auditLog = new AuditLog({ own: store.own, clock, log });
  const guesses = new GuessLimit({ own: store.own, clock, log });
  const trusted = () => settings().gateway_trusted_proxies;
  const noteForwarder = noteForwarders({ own: store.own, clock, log, trusted, nameOf: peerName });
  const delays = new DelayedAnswers(clock);
  const logIn = makeLogIn({ store, clock, log, guesses, queue: new VerifyQueue(), delays, sign: site.sign });
  const oauth = makeOauthService({ store, clock, guesses, logIn, lifetime, knownScopes: scopes });
  const sessionService = makeSessionService({ store, clock, log, live: () => live.current(), sign: site.sign });
  // A changed policy applies at once to open sessions.
  const holds = (principal: Principal, permission: string): boolean =>
    holdsPermission(live.current().access, principal, { context: settings().gateway_context, permission });
  const makers: Readonly<Record<ApiName, () => ApiModule>> = {
    gateway: () =>
      gatewayApi(
        {
          registry,
          reader: site.reader,
          writer,
          live: () => live.current(),
          principal: site.principal,
          sessions: { holds: (session, permission) => holds(session.principal, permission) },
          sessionService,
          logIn,
          oauth,
          sha256: sha256Hex,
          ping: () => store.content.ping(),
          now: clock.now,
          version: options.version,
          base,
          memos: newPlanMemos(traces),
          feed,
          clock,
          countCaller,
          audit: (entry) => auditLog.note(entry),
          draftRevision: (resource) => findDraftRevision(store.own.primary, resource),
          otherDocuments: () => modules.flatMap(otherDocument),
          answers: new AnswerMemory({ own: store.own, lifetime: () => settings().gateway_idempotency_ttl }),
        },
        {
          verify:
            options.verify ??
            ((credential) => (credential.startsWith('gt_') ? verifyToken(credential) : keys.verify(credential))),
          verifyPreview,
        },
      ),
    pages: () =>
      makePagesApi({
        settings,
        delivery,
        version: options.version,
        tokens: pageTokens,
        verifyPreview,
        counter,
        refusedKeys,
        now: clock.now,
      }),
    banners: () =>
      makeBannersApi({
        ...{ settings, isSameSecret, counter, refusedKeys, slots, conversions: tracking, now: clock.now },
        ...{ store, sha256: sha256Hex, images: derived(() => live.current(), liveImages) },
        flush: () => tracking.flush(),
        readerFor: (asker) => readAs(store.own, asker),
      }),
  };
  const served = apiNames.filter((name) => options.apis.includes(name));
  const modules: readonly ApiModule[] = served.map((name) => makers[name]());
  const places = derived(settings, (values) => {
    const known: Readonly<Record<ApiName, Omit<Place, 'name'>>> = {
      gateway: { address: gatewayBase(values.gateway_api_prefix), enabled: values.gateway_enabled },
      pages: { address: pagesBase, enabled: values.pages_rest_api_enabled },
      banners: { address: bannersBase, enabled: values.banners_api_enabled },
    };
    return served.map((name) => ({ name, ...known[name] }));
  });
  const besideBanners = () => [
    ...trackingApis({ settings, unmounted, tracker: tracking.tracker }),
    makeSlotsApi({ ...slots, policy: derived(settings, makeBannersPolicy) }),
  ];
  return {
    site,
    tracking,
    countCaller,
    serving: {
      apis: [
        ...startApis({ version: options.version, places, unmounted }),
        ...modules,
        ...(options.apis.includes('gateway')
          ? [oauthMetadataApi({ settings, knownScopes: scopes, siteAddress: () => siteOf(settings().gateway_context) })]
          : []),
        ...(options.apis.includes('banners') ? besideBanners() : []),
        ...(options.apis.includes('pages') ? [makePublicPagesApi({ settings, delivery, refusedKeys })] : []),
      ],
      unmounted,
      ports: {
        clock,
        log,
        sha256: sha256Hex,
        newRequestId: randomId,
        cacheGeneration: () => views,
        ...storeStateOf(store, () => views),
        ...entranceOf(store),
        onContentChange: site.onContentChange,
        trustedProxies: derived(settings, (values) => parseTrustedProxies(values.gateway_trusted_proxies)),
        onUntrustedForwarder: noteForwarder,
        countStray: strayLimit(settings, counter),
        traces,
      },
    },
    async startBanners() {
      await keepBannerKey(store, { env, live, log });
      await tracking.start();
      await keepDaysZone({ own: store.own, live, log });
    },
    warmPages: () => delivery.warm(),
    /** Sends delayed answers without further delay, and ends streams of changes. */
    endDelays() {
      delays.close();
      feed.close();
    },
    async close() {
      live.stop();
      endTelling();
      heard?.close();
      await endIndexing();
      counting.close();
      await tracking.close();
      await auditLog.close();
      guesses.close();
      await sessionService.close();
      await pageTokens.close();
      await keys.close();
    },
  };
}

function otherDocument({ name, policy, document }: ApiModule): OtherDocument[] {
  if ((name !== 'pages' && name !== 'banners') || document === undefined || !policy().enabled) return [];
  return [{ name, document: document() }];
}

/** Absent where a database has no number of its state. */
function storeStateOf(
  { own, content }: Pick<Store, 'own' | 'content'>,
  views: () => number,
): Pick<HttpPorts, 'storeState'> {
  const readers = [...new Set([own.primary, content.primary])];
  const state = (mark: DatabaseMark) => (Number.isNaN(mark) ? null : `${views()} ${mark}`);
  if (readers.every(({ version }) => version !== undefined)) {
    const mark = databaseMark(readers);
    return { storeState: () => state(mark()) };
  }
  const mark = laterMark(readers);
  return mark === null ? {} : { storeState: () => mark().then(state) };
}

function entranceOf({ content }: Pick<Store, 'content'>): Pick<HttpPorts, 'entrance'> {
  const { entrance } = content;
  return entrance === undefined ? {} : { entrance: () => entrance.call(content) };
}

/** Values that are unsafe together are ignored, but a server must not start with them unnoticed. */
function checkSafe({ problems }: SettingsSnapshot): void {
  const unsafe = problems.filter((problem) => problem.unsafe === true);
  if (unsafe.length === 0) return;
  const fields = Object.fromEntries(unsafe.map(({ key, problem }) => [key, [problem]]));
  throw new AppError('configuration_invalid', {
    message: unsafe.map(({ problem }) => problem).join('; '),
    details: { fields },
  });
}
