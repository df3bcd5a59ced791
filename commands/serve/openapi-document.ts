/** The OpenAPI document of an interface, asked from the interface itself; nothing listens. */
import { anonymous } from '../../src/access/identity.js';
import { listeningAddress } from '../../src/config/address-values.js';
import { sha256Hex } from '../../src/crypto/hash.js';
import { AppError } from '../../src/errors/app-error.js';
import { renderReply } from '../../src/http/answers/representation.js';
import type { Call } from '../../src/http/interface/endpoint.js';
import type { SiteDeps } from '../deps.js';
import type { ApiName } from './api-names.js';
import { composeSite } from './compose-site.js';

const paths: ReadonlySet<string> = new Set(['/openapi.json', '/meta/openapi.json']);

export async function openapiDocument(name: ApiName, deps: SiteDeps): Promise<string> {
  const { store, env, clock, log, version } = deps;
  const { config } = deps.loadConfig();
  const registry = await deps.registry();
  const composed = await composeSite({
    store,
    registry,
    env,
    clock,
    log,
    version,
    secret: config.secret,
    apis: [name],
  });
  try {
    const found = composed.serving.apis
      .filter((api) => api.name === name)
      .flatMap((api) => api.endpoints.map((endpoint) => ({ api, endpoint })))
      .find(({ endpoint }) => paths.has(endpoint.path));
    if (found === undefined) throw new AppError('internal_error', { cause: new Error(`${name} has no document`) });
    const { api, endpoint } = found;
    const call: Call = {
      ...{ identity: anonymous, params: {}, query: [], ignored: [], body: null, requestId: '', clientIp: '127.0.0.1' },
      ...{ method: 'GET', isSecure: false, forwardedAddress: null, signal: new AbortController().signal },
      header: () => undefined,
      allowMore: () => undefined,
      asker: { api: name, caller: '' },
      mediaType: endpoint.produces?.[0] ?? 'application/json',
      path: endpoint.path,
      base: api.policy().mounts[0]?.linkBase ?? '',
      listeningAddress: listeningAddress(config),
    };
    return String(renderReply(await endpoint.handler(call), { sha256: sha256Hex, isRead: true }).body);
  } finally {
    await composed.close();
  }
}
