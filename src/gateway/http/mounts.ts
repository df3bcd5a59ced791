/** Where the gateway is mounted: under its prefix, and at the fallback entry for sites without clean addresses. */
import type { Mount } from '../../http/interface/api.js';

/** Path under which the gateway's links and problem pages stand, for example `/api/v1`. */
export function gatewayBase(prefix: string): string {
  return `${prefix}/v1`;
}

/**
 * The mounts for a value of gateway_api_prefix. At the fallback entry the rest of the path counts, then `route`, then
 * `path`; each with or without the prefix (docs/reference/http.md#addresses). Links always name the prefixed address.
 */
export function gatewayMounts(prefix: string): readonly Mount[] {
  const linkBase = gatewayBase(prefix);
  return Object.freeze([
    { base: linkBase, linkBase, routeParameters: [], prefixes: [''] },
    { base: '/api.php', linkBase, routeParameters: ['route', 'path'], prefixes: [linkBase, '/v1'] },
  ]);
}
