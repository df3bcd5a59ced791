/** The metadata of RFC 8414, outside the gateway's prefix; without OAuth it does not exist. */
import type { Settings } from '../../config/settings.js';
import { type ApiModule, type ApiPolicy, mountAt } from '../../http/interface/api.js';
import type { Call, Reply } from '../../http/interface/endpoint.js';
import { publicAddress } from '../../http/interface/request-headers.js';
import { checkEnabled, checkRoute } from '../../http/stages/checks.js';
import { derived } from '../../values/kept-values.js';
import { renderProblem } from '../http/envelope.js';
import { gatewayBase } from './api.js';

const metadataPath = '/.well-known/oauth-authorization-server';

interface OauthMetadataDeps {
  readonly settings: () => Settings;
  readonly knownScopes: () => readonly string[];
  readonly siteAddress: () => string | null;
}

const authMethods = ['client_secret_basic', 'client_secret_post'] as const;

export function oauthMetadataApi(deps: OauthMetadataDeps): ApiModule {
  const { settings } = deps;
  return {
    name: 'gateway',
    endpoints: [
      {
        name: 'oauth.metadata',
        method: 'GET',
        path: '/',
        access: { kind: 'public' },
        summary: 'Where OAuth clients get access tokens',
        tags: ['OAuth'],
        parameters: [],
        response: { status: 200, description: 'Authorization server metadata (RFC 8414)', schema: { type: 'object' } },
        handler: async (call) => metadata(call, deps),
      },
    ],
    checks: [checkRoute(), checkEnabled()],
    parameterProblem: 'validation_failed',
    policy: derived(settings, policyOf),
    renderError: (error, info) => renderProblem(error, info, gatewayBase(settings().gateway_api_prefix)),
  };
}

function policyOf(values: Settings): ApiPolicy {
  return {
    enabled: values.gateway_enabled,
    mounts: values.gateway_oauth_enabled ? [mountAt(metadataPath)] : [],
    maxPathBytes: values.gateway_max_uri_bytes,
    answersOptions: true,
    caching: { kind: 'private' },
    cors: null,
  };
}

function metadata(call: Call, { settings, knownScopes, siteAddress }: OauthMetadataDeps): Reply {
  const values = settings();
  const { gateway_oauth_issuer, gateway_api_prefix, gateway_oauth_password_grant_enabled: byPassword } = values;
  const configured = gateway_oauth_issuer === '' ? values.gateway_public_url : gateway_oauth_issuer;
  const issuer = publicAddress(call, { configured, site: siteAddress });
  const base = `${issuer}${gatewayBase(gateway_api_prefix)}`;
  return {
    status: 200,
    body: {
      kind: 'json',
      value: {
        issuer,
        token_endpoint: `${base}/auth/token`,
        token_endpoint_auth_methods_supported: authMethods,
        revocation_endpoint: `${base}/auth/revoke`,
        revocation_endpoint_auth_methods_supported: authMethods,
        introspection_endpoint: `${base}/auth/introspect`,
        introspection_endpoint_auth_methods_supported: authMethods,
        grant_types_supported: ['client_credentials', ...(byPassword ? ['password'] : [])],
        // RFC 8414, 2 demands the member; without an authorization endpoint the list is empty.
        response_types_supported: [],
        scopes_supported: knownScopes(),
        service_documentation: `${base}/docs`,
      },
    },
    // Without the setting the address may be one that a trusted proxy named for this client.
    caching: { kind: 'never' },
  };
}
