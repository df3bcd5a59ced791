/** Starts the HTTP server of a site. */
import type { Site } from '../../src/content/live/site.js';
import { removeLeftUploads } from '../../src/files/media-store.js';
import type { CountCaller } from '../../src/gateway/http/checks.js';
import type { ApiModule } from '../../src/http/interface/api.js';
import { type RunningServer, type ServerLimits, startServer } from '../../src/http/server/server.js';
import type { ProcessStates } from '../../src/operations/admin/metrics.js';
import { type ComposeOptions, composeSite } from './compose-site.js';

interface StartSiteOptions extends ComposeOptions {
  readonly host: string;
  readonly port: number;
  readonly socket?: number | undefined;
  readonly limits?: Partial<ServerLimits>;
  readonly compresses?: boolean;
}

interface RunningSite {
  readonly server: RunningServer;
  readonly apis: readonly ApiModule[];
  /** Counts calls that do not come over HTTP. */
  readonly countCaller: CountCaller;
  readonly site: Site;
  readonly states: ProcessStates;
  warm(): Promise<void>;
  /** Writes waiting events. A second call ends at once. */
  close(): Promise<void>;
}

/** The caller closes the store. */
export async function startSite(options: StartSiteOptions): Promise<RunningSite> {
  const { store, host, port, socket, limits = {}, compresses = true } = options;
  const { site, tracking, countCaller, serving, startBanners, warmPages, endDelays, close } =
    await composeSite(options);
  if (options.filesDir !== undefined) await removeLeftUploads(options.filesDir);
  const hasBanners = options.apis.includes('banners');
  if (hasBanners) await startBanners();
  const server = await startServer({ ...serving, host, port, socket, limits, compresses });
  site.live.start();
  return {
    server,
    apis: serving.apis,
    countCaller,
    site,
    states: {
      cache: () => server.cache,
      pools: () => ({
        content: store.content.poolUse(),
        ...(store.own === store.content ? {} : { own: store.own.poolUse() }),
      }),
      ...(hasBanners ? { tracker: tracking.buffered } : {}),
    },
    warm: async () => (options.apis.includes('pages') ? warmPages() : undefined),
    async close() {
      endDelays();
      await server.close();
      await close();
    },
  };
}
