/** Where the gateway is mounted, and which web pages may use it. */
import type { Settings } from '../../config/setting-definitions.js';
import type { Mount } from '../../http/interface/api.js';
import { type CorsPolicy, corsPolicy } from '../../http/interface/cors.js';

/** Path of the gateway's links and problem pages, for example `/api/v1`. */
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

/** Null while they are switched off, or no origin is listed. */
export function gatewayCors(values: Settings): CorsPolicy | null {
  if (!values.gateway_cors_enabled) return null;
  return corsPolicy(values.gateway_cors_allowed_origins, {
    methods: values.gateway_cors_allowed_methods,
    requestHeaders: values.gateway_cors_allowed_headers,
    exposed: values.gateway_cors_expose_headers,
    credentials: values.gateway_cors_allow_credentials,
  });
}
