/** Notifies systemd and takes its socket. Node.js cannot send to that socket, so `systemd-notify` does. */
import { execFile } from 'node:child_process';
import cluster from 'node:cluster';
import type { Environment } from '../../src/config/definitions.js';
import type { Deps } from '../deps.js';
import { aborted } from '../host.js';

/** Only the first process speaks: systemd watches that one. */
export function serviceManager({ env, clock, log }: Deps, stop: AbortSignal) {
  if (!env.NOTIFY_SOCKET || cluster.isWorker) return { ready: () => undefined, close: () => undefined };
  let isKnown = false;
  const notify = (...states: string[]): Promise<void> =>
    new Promise((resolve) => {
      execFile('systemd-notify', states, { env: { ...env } }, (error) => {
        if (error !== null && !isKnown) {
          isKnown = true;
          log({ kind: 'unexpected_error', during: 'notifying the service manager', error });
        }
        resolve();
      });
    });
  void aborted(stop).then(() => notify('STOPPING=1'));
  let isAnnounced = false;
  let isReady = false;
  const intervalMs = Number(env.WATCHDOG_USEC) / 3000;
  const watchdog =
    intervalMs > 0
      ? clock.every({
          intervalMs,
          async work() {
            if (isReady) await notify('WATCHDOG=1');
          },
          onError: () => undefined,
        })
      : undefined;
  return {
    ready(): void {
      if (isAnnounced) return;
      isAnnounced = true;
      // Signs of life begin after it: each message is sent by a program of its own.
      void notify('READY=1').then(() => {
        isReady = true;
      });
    },
    close: () => watchdog?.stop(),
  };
}

/** Connections wait in systemd's socket while the service restarts; undefined without one. */
export function handedSocket({ LISTEN_PID, LISTEN_FDS }: Environment): number | undefined {
  const first = cluster.isWorker ? process.ppid : process.pid;
  // Other processes inherit the variables but not the socket.
  if (LISTEN_PID !== String(first) || !(Number(LISTEN_FDS) > 0)) return undefined;
  return 3;
}
