/** What the process gives to one run of the program; only `processHost` looks at the real process. */
import { type Clock, systemClock } from '../src/clock/clock.js';
import type { Environment } from '../src/config/environment.js';
import type { OpenStoreOptions, Store } from '../src/store/open/open.js';
import { Interrupted } from './exit-codes.js';
import type { Streams } from './io.js';

/** Where a server listens. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

export type OpenStore = (options: OpenStoreOptions) => Promise<Store>;

export interface Host {
  readonly streams: Streams;
  readonly env: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  readonly openStore: OpenStore;
  /** Whether a server could listen there now. */
  readonly canListen: (place: Place) => Promise<boolean>;
  /** Aborts on the first SIGINT or SIGTERM, with an Interrupted as reason. */
  readonly stop: AbortSignal;
}

/** The real process. `release` gives the signals back to Node's own handling. */
export function processHost(): { readonly host: Host; readonly release: () => void } {
  const controller = new AbortController();
  const release = (): void => {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  };
  const stop = (signal: 'SIGINT' | 'SIGTERM'): void => {
    // From here on a second signal ends the process at once.
    release();
    controller.abort(new Interrupted(signal));
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  const host: Host = {
    streams: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    // Loaded when needed: the database layer takes longer to load than most commands take to run.
    openStore: async (options) => (await import('../src/store/open/open.js')).openStore(options),
    canListen,
    stop: controller.signal,
  };
  return { host, release };
}

/** False where another program listens, or the port may not be used; other errors are left to the server. */
async function canListen({ host, port }: Place): Promise<boolean> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    probe.listen({ host, port }, () => probe.close(() => resolve(true)));
  });
}
