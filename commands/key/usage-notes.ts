/** Notes on a new key: how to send it, and what keeps it from working. */

import type { openRegistry } from '../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../src/content/settings/settings.js';
import type { Store } from '../../src/store/open/open.js';
import type { Deps } from '../deps.js';

type Registry = Awaited<ReturnType<typeof openRegistry>>;

interface Fresh {
  readonly store: Store;
  readonly registry: Registry;
  readonly scopes: readonly string[];
}

export async function usageNotes(deps: Deps, { store, registry, scopes }: Fresh): Promise<readonly string[]> {
  const { values } = await readRuntimeSettings(store, deps.env);
  const url = `${origin(deps)}${values.gateway_api_prefix}/v1${pathFor(registry, scopes)}`;
  return [
    'Copy the key now: it is not shown again.',
    // The shell fills in the key, so that it does not end up in a history or a log.
    `To try the key, with GATEWAY_KEY set to it: curl -H "Authorization: Bearer $GATEWAY_KEY" '${url}'`,
    ...(scopes.includes('*') ? ['The scope * grants everything, including deleting.'] : []),
    ...(values.gateway_enabled ? [] : ['The gateway is off. Turn it on: hcd setting set gateway_enabled 1']),
  ];
}

/** An address for a client on this machine: a server on all addresses answers on the loopback one. */
export function origin(deps: Deps): string {
  const { host, port } = deps.loadConfig().config;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The list that the first read scope allows; otherwise the root of the gateway. */
function pathFor(registry: Registry, scopes: readonly string[]): string {
  if (scopes.includes('*')) return '/resources';
  const name = scopes.find((scope) => scope.endsWith('.read'))?.slice(0, -'.read'.length);
  if (name === undefined) return '/';
  return [registry.resources, ...registry.elements].some((core) => core.name === name)
    ? `/${name}`
    : `/objects/${name}`;
}
