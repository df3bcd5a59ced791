/**
 * Blocks the outside network in every test file: a connection to anything but this machine throws at the place that
 * opens it.
 */
import { isIP, Socket } from 'node:net';

const connect = Socket.prototype.connect;

// Test files share a process: the guard of the file before may still stand.
if (connect.name !== 'guardedConnect') {
  Socket.prototype.connect = function guardedConnect(this: Socket, ...args: Parameters<typeof connect>) {
    const host = targetHost(args);
    if (!isLoopback(host)) throw new Error(`the outside network is blocked in tests: connection to ${host}`);
    return connect.apply(this, args);
  } as typeof connect;
}

/** Host of a connect call in any of its forms; undefined for the local default and for unix sockets. */
function targetHost(args: readonly unknown[]): string | undefined {
  // net.connect passes its arguments on as one already normalised list.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object' && first !== null) {
    if ('path' in first && first.path) return undefined;
    return 'host' in first && typeof first.host === 'string' ? first.host : undefined;
  }
  return typeof second === 'string' ? second : undefined;
}

function isLoopback(host: string | undefined): boolean {
  if (host === undefined || host === '' || host === 'localhost') return true;
  if (isIP(host) === 4) return host.startsWith('127.') || host === '0.0.0.0';
  return isIP(host) === 6 && (host === '::1' || host === '::' || host.startsWith('::ffff:127.'));
}
