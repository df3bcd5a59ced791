/**
 * Whether an address leads to this program by the public addresses that its settings name. Only the paths of the
 * interfaces count: a frontend on the same host is a receiver like others. Pure.
 */
import type { Settings } from '../../config/setting-definitions.js';

export interface OwnBase {
  readonly hostname: string;
  readonly ports: readonly number[];
  /** Without a slash at the end. */
  readonly path: string;
}

type PublicAddresses = Pick<
  Settings,
  'gateway_public_url' | 'gateway_api_prefix' | 'pages_public_url' | 'banners_public_url'
>;

/** The addresses of the interfaces whose public address is set. */
export function ownBasesOf(settings: PublicAddresses): readonly string[] {
  const { gateway_public_url, gateway_api_prefix, pages_public_url, banners_public_url } = settings;
  const interfaces: readonly (readonly [address: string, paths: readonly string[]])[] = [
    [gateway_public_url, [`${gateway_api_prefix}/v1`, '/api.php']],
    [pages_public_url, ['/pages/api/v1.php', '/pages/api.php']],
    [banners_public_url, ['/banners/api.php', '/slots']],
  ];
  return interfaces.flatMap(([address, paths]) => (address === '' ? [] : paths.map((path) => `${address}${path}`)));
}

/** Reads a valid address. Without a port it stands for both usual ones: http often leads to https. */
export function ownBaseOf(address: string): OwnBase {
  const { hostname, port, pathname } = new URL(address);
  return {
    hostname: hostname.replace(/^\[|\]$|\.$/g, ''),
    ports: port === '' ? [80, 443] : [Number(port)],
    path: plainPath(pathname),
  };
}

/** Whether the address is one of them or below it. */
export function isOwnBase(
  { hostname, port, target }: { readonly hostname: string; readonly port: number; readonly target: string },
  bases: readonly OwnBase[],
): boolean {
  const path = plainPath(target.replace(/\?.*$/s, ''));
  return bases.some(
    (own) =>
      own.hostname === hostname && own.ports.includes(port) && (path === own.path || path.startsWith(`${own.path}/`)),
  );
}

/** As a proxy may read it: decoded, with single slashes and none at the end. */
function plainPath(path: string): string {
  return path
    .replace(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    .replace(/\/+/g, '/')
    .replace(/\/$/, '');
}
