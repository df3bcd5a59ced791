/** The parts of each interface. */
import { holdsPermission } from '../../src/access/acl.js';
import { makeBannersApi, makeBannersPolicy } from '../../src/banners/endpoints/api.js';
import { makeSlotsApi } from '../../src/banners/endpoints/slots.js';
import { trackingApis } from '../../src/banners/endpoints/tracking-api.js';
import { liveImages } from '../../src/banners/management/read-banners.js';
import type { BannerTracking } from '../../src/banners/tracking/banner-tracking.js';
import type { SendfileHeader } from '../../src/config/definitions.js';
import type { SettingsSnapshot } from '../../src/config/settings.js';
import { siteAddress } from '../../src/content/live/live-state.js';
import { openSite, type Site, type SiteOptions } from '../../src/content/live/site.js';
import { knownScopes } from '../../src/content/objects/core-objects.js';
import { AppError } from '../../src/errors/app-error.js';
import { filesBase } from '../../src/files/media-path.js';
import { Variants } from '../../src/files/variants.js';
import { AuditLog } from '../../src/gateway/audit/audit-log.js';
import { gatewayApi, gatewayBase } from '../../src/gateway/endpoints/api.js';
import { filesApi } from '../../src/gateway/endpoints/files.js';
import { oauthMetadataApi } from '../../src/gateway/endpoints/oauth-metadata.js';
import { addressLimit, bearerVerifier, gatewayCounter, type VerifyCredential } from '../../src/gateway/http/checks.js';
import { type GatewayDeps, newPlanMemos } from '../../src/gateway/http/deps.js';
import { renderProblem } from '../../src/gateway/http/envelope.js';
import type { ApiModule, RenderError } from '../../src/http/interface/api.js';
import { KeyVerifier } from '../../src/identity/keys/key-verifier.js';
import { type AddHits, RefusedKeys } from '../../src/identity/limits/counter.js';
import { GuessLimit } from '../../src/identity/limits/guess-limit.js';
import { type CounterPlace, openRateCounter } from '../../src/identity/limits/open-counter.js';
import { makeOauthService, makeTokenVerifier } from '../../src/identity/oauth/oauth-service.js';
import { TokenVerifier } from '../../src/identity/page-tokens/token-verifier.js';
import { makePreviewVerifier } from '../../src/identity/previews/manage-previews.js';
import { makeSessionService } from '../../src/identity/sessions/session-service.js';
import { DelayedAnswers, makeLogIn } from '../../src/identity/users/log-in.js';
import { PageDelivery } from '../../src/pages/delivery/page-delivery.js';
import { makePagesApi } from '../../src/pages/endpoints/api.js';
import { makePublicPagesApi } from '../../src/pages/endpoints/public-api.js';
import { successText } from '../../src/pages/http/envelope.js';
import { findDraftRevision } from '../../src/pages/models/pages.js';
import { readAs } from '../../src/store/base/database.js';
import type { Traces } from '../../src/traces/traces.js';
import { derived } from '../../src/values/kept-values.js';

export interface SharedOptions extends SiteOptions {
  readonly version: string;
  readonly rateCounters?: CounterPlace;
  readonly firstProcess?: AddHits | undefined;
  /** Of an own store; absent: files are not served. */
  readonly filesDir?: string;
  readonly sendfileHeader?: SendfileHeader;
}

export async function openShared(options: SharedOptions) {
  const { store, registry, env, clock, log, version, rateCounters: place = 'memory', firstProcess } = options;
  // The files of an attached site belong to its CMS.
  const { filesDir, sendfileHeader = 'off' } = options;
  const isServing = store.kind === 'own' && filesDir !== undefined;
  const files = isServing ? { folder: filesDir, variants: new Variants(filesDir, clock), sendfileHeader } : null;
  const pictures = async (path: string) => {
    const { values, sources } = live().settings;
    const found = (await files?.variants.describe(path, values)) ?? null;
    return found && sources.media_sizes !== 'default' ? { ...found, widths: values.media_sizes } : found;
  };
  const site: Site = await openSite({
    ...{ store, registry, env, clock, log, secret: options.secret },
    files: files === null ? null : { base: `${filesBase}/`, filesDir: files.folder, pictures },
  });
  const live = site.live.current.bind(site.live);
  site.live.follow();
  checkSafe(live().settings);
  const counting = await openRateCounter({ place, firstProcess, clock, log });
  const { counter } = counting;
  const settings = () => live().settings.values;
  const unmounted: RenderError = (error, info) =>
    renderProblem(error, info, gatewayBase(settings().gateway_api_prefix));
  return {
    ...{ store, registry, env, clock, log, version, site, live, counting, counter, settings, unmounted, files },
    refusedKeys: new RefusedKeys(counter),
    verifyPreview: makePreviewVerifier({ store, clock, live }),
    siteAddress: (context: string) => siteAddress(live(), context),
    scopes: derived(
      () => live().contexts,
      (contexts) => knownScopes(registry, [...contexts]),
    ),
  };
}

export type Shared = Awaited<ReturnType<typeof openShared>>;

function openIdentity({ store, clock, log, live, settings, scopes, site }: Shared) {
  const guesses = new GuessLimit({ own: store.own, clock, log });
  const delays = new DelayedAnswers(clock);
  const logIn = makeLogIn({ store, clock, log, guesses, delays, sign: site.sign });
  const lifetime = () => settings().gateway_oauth_token_ttl;
  const oauth = makeOauthService({ store, clock, guesses, logIn, lifetime, knownScopes: scopes });
  const sessionService = makeSessionService({ store, clock, log, live, sign: site.sign });
  const sessions: GatewayDeps['sessions'] = {
    // A changed policy applies at once to open sessions.
    holds: ({ principal }, permission) =>
      holdsPermission(live().access, principal, { context: settings().gateway_context, permission }),
  };
  return { guesses, delays, logIn, oauth, sessionService, sessions };
}

interface GatewayParts extends Pick<GatewayDeps, 'writer' | 'feed' | 'otherDocuments'> {
  readonly traces: Traces | undefined;
  readonly verify: VerifyCredential | undefined;
}

export function composeGateway(shared: Shared, { traces, verify, ...parts }: GatewayParts) {
  const { store, registry, clock, log, version, site, live, settings, counter, verifyPreview } = shared;
  const keys = new KeyVerifier({ store, clock, log });
  const verifyBearer = bearerVerifier(makeTokenVerifier({ store, clock }), keys.verify);
  const auditLog = new AuditLog({ own: store.own, clock, log });
  const { guesses, delays, ...identity } = openIdentity(shared);
  const countCaller = gatewayCounter(settings, counter);
  const deps = (): GatewayDeps => ({
    ...{ registry, live, settings, version, clock, countCaller, ...parts, ...identity },
    reader: site.reader,
    principal: site.principal,
    ping: () => store.content.ping(),
    now: clock.now,
    base: () => gatewayBase(settings().gateway_api_prefix),
    memos: newPlanMemos(traces),
    audit: auditLog.note.bind(auditLog),
    draftRevision: (resource) => findDraftRevision(store.own.primary, resource),
    files: shared.files,
  });
  return {
    countCaller,
    delays,
    api: () => gatewayApi(deps(), { verify: verify ?? verifyBearer, verifyPreview }),
    others: (): readonly ApiModule[] => {
      const address = () => shared.siteAddress(settings().gateway_context);
      const countAddress = addressLimit(settings, { counter, counted: 'files' });
      const { files, unmounted } = shared;
      return [
        oauthMetadataApi({ settings, knownScopes: shared.scopes, siteAddress: address }),
        ...(files === null ? [] : [filesApi({ ...files, settings, countAddress, unmounted })]),
      ];
    },
    async close() {
      await auditLog.close();
      guesses.close();
      await identity.sessionService.close();
      await keys.close();
    },
  };
}

export function composePages(shared: Shared) {
  const { store, registry, env, clock, log, version, site, live, settings, counter } = shared;
  const { refusedKeys, verifyPreview } = shared;
  const tokens = new TokenVerifier({ store, env, clock, log });
  const { reader, principal } = site;
  const delivery = new PageDelivery({ store, registry, clock, log, reader, live, principal, wrap: successText });
  site.live.onChange(() => delivery.noteChange());
  site.live.changes.onChange(() => delivery.noteChange());
  return {
    warm: () => delivery.warm(),
    api: () =>
      makePagesApi({
        ...{ settings, delivery, version, tokens, verifyPreview, counter, refusedKeys, now: clock.now },
      }),
    others: (): readonly ApiModule[] => [makePublicPagesApi({ settings, delivery, refusedKeys })],
    close: () => tokens.close(),
  };
}

export function composeBanners(shared: Shared, tracking: BannerTracking) {
  const { store, clock, live, settings, counter, refusedKeys, unmounted } = shared;
  const images = derived(live, liveImages);
  const slots: Parameters<typeof makeBannersApi>[0]['slots'] = {
    readSlot: tracking.readSlot,
    settings,
    moment: () => ({ ms: clock.now(), zone: settings().banners_timezone }),
    image: (banner) => images()(banner),
    siteAddress: shared.siteAddress,
  };
  return {
    api: () =>
      makeBannersApi({
        ...{ settings, counter, refusedKeys, slots, conversions: tracking, now: clock.now },
        ...{ store, images },
        flush: () => tracking.flush(),
        readerFor: (asker) => readAs(store.own, asker),
      }),
    others: (): readonly ApiModule[] => [
      ...trackingApis({ settings, unmounted, tracker: tracking.tracker }),
      makeSlotsApi({ ...slots, policy: derived(settings, makeBannersPolicy) }),
    ],
  };
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
