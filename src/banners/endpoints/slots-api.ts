/**
 * Slots at the top of the server, at `/slots/{position}`: the same as the route of the banner API
 * (docs/reference/banners.md#slots-and-visitors).
 */
import type { ApiModule, ApiPolicy } from '../../http/interface/api.js';
import { derived } from '../../http/interface/derived.js';
import { checkEnabled, checkRoute } from '../../http/stages/checks.js';
import { renderBannersError } from '../http/envelope.js';
import { type SlotsDeps, slotsEndpoint } from './slots.js';

export interface SlotsApiDeps extends SlotsDeps {
  /** That of the banner API, whose switch and origins count here too. */
  readonly policy: () => ApiPolicy;
}

const slotsBase = '/slots';

export function makeSlotsApi(deps: SlotsApiDeps): ApiModule {
  return {
    name: 'slots',
    endpoints: [slotsEndpoint(deps, '/:position')],
    checks: [checkEnabled(), checkRoute()],
    headers: {},
    vary: '',
    selectingHeaders: [],
    repeatedParameter: 'bad_request',
    policy: derived(deps.policy, (policy) => ({
      ...policy,
      mounts: [{ base: slotsBase, linkBase: slotsBase, routeParameters: [], prefixes: [''] }],
    })),
    renderError: renderBannersError,
  };
}
