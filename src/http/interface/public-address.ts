/** The address under which clients find an interface: never from the Host header, which the client writes itself. */
import { parseUrl } from '../../values/parse-url.js';
import { trimEndOf } from '../../values/trim-of.js';
import type { Call } from './endpoint.js';

export const hostForm = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

interface KnownAddresses {
  /** Setting of the interface; empty for none. */
  readonly configured: string;
  readonly site: () => string | null;
}

/** Scheme, host and an optional path, without a slash at the end: `https://example.com`. */
export function publicAddress(
  call: Pick<Call, 'forwardedAddress' | 'listeningAddress'>,
  { configured, site }: KnownAddresses,
): string {
  const address = configured || (call.forwardedAddress ?? site() ?? call.listeningAddress);
  return trimEndOf(address, '/');
}

/** The nearest proxy wrote the right-most one; null for anything but a host with or without a port. */
export function forwardedHost(header: string | undefined): string | null {
  const host = lastOf(header).toLowerCase();
  if (!hostForm.test(host)) return null;
  return parseUrl(`http://${host}`)?.host === host.replace(/:80$/, '') ? host : null;
}

/** The nearest proxy wrote the right-most one. */
export function forwardedScheme(header: string | undefined): 'http' | 'https' | null {
  const scheme = lastOf(header).toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : null;
}

function lastOf(header: string | undefined): string {
  return header?.split(',').at(-1)?.trim() ?? '';
}
