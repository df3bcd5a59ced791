/** The caller of a command sees every record, through the same pipeline as callers of the gateway. */
import { anonymousPrincipal, type Principal } from '../../access/acl.js';
import { anonymous, type Identity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import type { Log } from '../../log/observation.js';
import type { Store } from '../../store/open/open.js';
import { buildRegistry, mediaSources } from '../objects/core-objects.js';
import type { Caller } from '../query/authorize.js';
import type { ContentReader } from '../reading/select-rows.js';
import { callerAs, type LiveSnapshot } from './live-state.js';
import { openSite, type Site } from './site.js';

export interface Administration {
  readonly reader: ContentReader;
  readonly caller: Caller;
  readonly live: LiveSnapshot;
  readonly principal: Site['principal'];
}

export interface AdministrationOptions {
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
}

const identity: Identity = Object.freeze({ kind: 'api_key', id: 'cli', scopes: new Set(['*']), userId: null });
const principal: Principal = Object.freeze({ userId: 0, sudo: true, groups: new Map() });

/** Only core objects: a broken extra object must not stop commands. */
export async function openAdministration(
  store: Store,
  { env, clock, log }: AdministrationOptions,
): Promise<Administration> {
  // A fixed secret, because reading must not create the stored one; no cursor signed with it leaves the process.
  const site = await openSite({
    store,
    registry: buildRegistry([mediaSources]),
    env,
    clock,
    log,
    secret: 'cursors are not shown',
  });
  const live = site.live.current();
  return { reader: site.reader, caller: administrator(live), live, principal: site.principal };
}

/** Holds every scope, is sudo to the CMS's access rules and may use every context that exists. */
export function administrator(live: LiveSnapshot): Caller {
  return {
    ...callerAs(live, { identity, principal }),
    sessions: { holds: () => true },
    resourceGroupsEnabled: () => false,
    categoriesEnabled: () => false,
    extendedColumns: true,
  };
}

/** Content rights of a preview: those of the user, or of anonymous callers without one. */
export async function callerOfPreview(
  { live, principal }: Administration,
  { userId, context }: { readonly userId: number | null; readonly context: string },
): Promise<Caller> {
  const ofUser = userId === null ? null : await principal(userId);
  return {
    ...callerAs(live, { identity: anonymous, principal: ofUser ?? anonymousPrincipal }),
    // The page delivery API serves every context, allowed in the gateway or not.
    allowedContexts: [context],
    contextExists: () => true,
  };
}
