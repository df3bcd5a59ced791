/** The OpenAPI document of an interface, from the interface itself; nothing listens. */
import { anonymous } from '../../src/access/identity.js';
import { listeningAddress } from '../../src/config/address-values.js';
import type { ApiName } from '../../src/config/value-type.js';
import { AppError } from '../../src/errors/app-error.js';
import { renderReply } from '../../src/http/answers/representation.js';
import type { ApiModule } from '../../src/http/interface/api.js';
import type { Call } from '../../src/http/interface/endpoint.js';
import type { SiteDeps } from '../deps.js';
import { composeSite } from './compose-site.js';

const paths: ReadonlySet<string> = new Set(['/openapi.json', '/meta/openapi.json']);

export async function openapiDocument(name: ApiName, deps: SiteDeps): Promise<string> {
  const { store, env, clock, log, version } = deps;
  const { config } = deps.loadConfig();
  const registry = await deps.registry();
  const site = { store, registry, env, clock, log, version, secret: config.secret };
  const composed = await composeSite({ ...site, apis: [name] });
  try {
    const api = composed.serving.apis.find((one) => one.name === name);
    const text = api && (await documentOf(api, listeningAddress(config)));
    if (text === undefined) throw new AppError('internal_error', { cause: new Error(`${name} has no document`) });
    return text;
  } finally {
    await composed.close();
  }
}

/** As a caller without a credential gets it; undefined where the interface has none. */
export async function documentOf(api: ApiModule, listensAt: string): Promise<string | undefined> {
  const endpoint = api.endpoints.find(({ path }) => paths.has(path));
  if (endpoint === undefined) return undefined;
  const call: Call = {
    ...{ identity: anonymous, params: {}, query: [], ignored: [], body: null, requestId: '', clientIp: '127.0.0.1' },
    ...{ method: 'GET', isSecure: false, forwardedAddress: null, signal: new AbortController().signal },
    header: () => undefined,
    extendDeadline: () => undefined,
    asker: { group: api.name, caller: '' },
    mediaType: endpoint.produces?.[0] ?? 'application/json',
    path: endpoint.path,
    base: api.policy().mounts[0]?.linkBase ?? '',
    listeningAddress: listensAt,
  };
  return String(renderReply(await endpoint.handler(call), { isRead: true }).body);
}
