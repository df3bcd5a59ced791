/** Starts the HTTP server of a site. */

import type { Timer } from '../../src/clock/clock.js';
import type { ContentWriter } from '../../src/content/mutations/run-mutation.js';
import { announceLeftChanges } from '../../src/content/mutations/write-file.js';
import { type ServerLimits, startServer } from '../../src/http/server/server.js';
import { reportFailure } from '../../src/log/observation.js';
import { type ComposeOptions, composeSite } from './compose-site.js';

interface StartSiteOptions extends ComposeOptions {
  readonly host: string;
  readonly port: number;
  readonly socket?: number | undefined;
  readonly limits?: Partial<ServerLimits>;
  readonly compresses?: boolean;
}

/** The caller closes the store. */
export async function startSite(options: StartSiteOptions) {
  const { store, host, port, socket, limits = {}, compresses = true } = options;
  const { site, writer, tracking, countCaller, serving, startBanners, warmPages, endDelays, close } =
    await composeSite(options);
  const sweeping = await sweepUploads(options, writer);
  const hasBanners = options.apis.includes('banners');
  if (hasBanners) await startBanners();
  const server = await startServer({ ...serving, host, port, socket, limits, compresses });
  site.live.start();
  return {
    server,
    apis: serving.apis,
    /** Counts calls that do not come over HTTP. */
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
    /** Writes waiting events. A second call ends at once. */
    async close() {
      endDelays();
      sweeping?.stop();
      await server.close();
      await close();
    },
  };
}

const sweepEvery = 60_000;

async function sweepUploads(
  { filesDir: folder, clock, log }: StartSiteOptions,
  writer: ContentWriter,
): Promise<Timer | null> {
  if (folder === undefined) return null;
  const work = () => announceLeftChanges({ writer, folder, now: clock.now() });
  const onError = (error: unknown) => reportFailure(log, { during: 'sweeping uploads', error });
  await work().catch(onError);
  return clock.every({ intervalMs: sweepEvery, work, onError });
}
