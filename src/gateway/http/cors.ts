/** The gateway's cross-origin rules from its settings (docs/limits-and-cors.md#web-pages-of-other-origins). */
import type { Settings } from '../../config/setting-definitions.js';
import { type CorsPolicy, corsPolicy } from '../../http/interface/cors.js';

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
