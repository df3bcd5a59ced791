/** Makes a client for `hcd oauth client add`. */
import { resolve } from 'node:path';
import { openRegistry } from '../../../src/content/objects/object-registry.js';
import { readRuntimeSettings } from '../../../src/content/settings/runtime-settings.js';
import { addClient } from '../../../src/identity/oauth/add-client.js';
import type { GrantType } from '../../../src/identity/oauth/grant.js';
import type { Deps } from '../../deps.js';
import type { RecordResult } from '../../result.js';
import { openReady } from '../../store/open-ready.js';
import { issuedRecord } from '../oauth-record.js';

export interface AddOptions {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly name: string | undefined;
  readonly grants: readonly GrantType[] | undefined;
  readonly rateLimit: number | undefined;
  readonly rateWindow: number | undefined;
}

export async function runAdd(options: AddOptions, deps: Deps): Promise<RecordResult> {
  const { clientId, scopes, name, grants = ['client_credentials'], rateLimit, rateWindow } = options;
  const { config } = deps.loadConfig();
  const store = await openReady(deps);
  const registry = await openRegistry(store, {
    folder: resolve(deps.cwd, config.objects_dir),
    plugins: config.plugins,
  });
  const client = await addClient(store, {
    registry,
    clientId,
    name: name ?? null,
    scopes,
    grants,
    rateLimit: { max: rateLimit ?? null, windowSeconds: rateWindow ?? null },
    createdBy: 'command',
    now: deps.clock.now(),
  });
  const { values } = await readRuntimeSettings(store, deps.env);
  const needsSwitch = grants.includes('password') && !values.gateway_oauth_password_grant_enabled;
  const notes = [
    'The secret is shown only now: store it where the client reads its secrets.',
    `Tokens come from POST ${values.gateway_api_prefix}/v1/auth/token with grant_type=${grants.join(' or ')}.`,
    ...(needsSwitch
      ? ['The grant password is switched off: hcd setting set gateway_oauth_password_grant_enabled 1']
      : []),
    ...(client.scopes.includes('*') ? ['The scope * grants everything, deleting included.'] : []),
    ...(values.gateway_oauth_enabled ? [] : ['OAuth is switched off: hcd setting set gateway_oauth_enabled 1']),
  ];
  return { kind: 'record', record: issuedRecord(client), notes };
}
