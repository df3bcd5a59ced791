/** Starts the HTTP server of a site. */
import type { Site } from '../../src/content/live/site.js';
import type { CountCaller } from '../../src/gateway/http/checks.js';
import type { ApiModule } from '../../src/http/interface/api.js';
import { type RunningServer, type ServerLimits, startServer } from '../../src/http/server/server.js';
import type { ProcessStates } from '../../src/operations/admin/metrics.js';
import { type ComposeOptions, composeSite } from './compose-site.js';

export interface StartSiteOptions extends ComposeOptions {
  readonly host: string;
  readonly port: number;
  readonly socket?: number | undefined;
  readonly limits?: Partial<ServerLimits>;
  /** Compress answers; yes when absent. */
  readonly compresses?: boolean;
}

export interface RunningSite {
  readonly server: RunningServer;
  /** What it serves. */
  readonly apis: readonly ApiModule[];
  /** Counts what is not asked over HTTP for the limit of the gateway. */
  readonly countCaller: CountCaller;
  readonly site: Site;
  /** What the metrics of this process show. */
  readonly states: ProcessStates;
  /** Loads what the first page would have to wait for. */
  warm(): Promise<void>;
  /** Drains the server, stops reading settings and writes waiting events. A second call ends at once. */
  close(): Promise<void>;
}

/** Starts serving. The caller closes the store. */
export async function startSite(options: StartSiteOptions): Promise<RunningSite> {
  const { store, host, port, socket, limits = {}, compresses = true } = options;
  const { site, tracking, countCaller, serving, startBanners, warmPages, endDelays, close } =
    await composeSite(options);
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
