/** Checks of page tokens: whether they can be verified, and which end soon. They only read, so they may be endless. */

import { readTokenSettings } from '../../identity/page-tokens/token-settings.js';
import { type TokenView, tokenView } from '../../identity/page-tokens/token-view.js';
import { isoTime } from '../../values/dates.js';
import { type Check, count, error, type Finding, ok, type StoreFacts, sample, warning } from './check.js';

export const tokenChecks: readonly Check[] = [{ name: 'page-tokens', needs: 'content', run: checkTokens }];

async function checkTokens({ store, env, clock }: StoreFacts): Promise<Finding> {
  const { tokens, problem, isLocked, peppers } = await readTokenSettings(store, env);
  if (problem !== null && !isLocked) {
    return error(
      `${problem}: no token works`,
      'Restore pages_rest_tokens from a backup, or begin anew without tokens: hcd setting unset pages_rest_tokens',
    );
  }
  const views = tokens.map((token) => tokenView(token, clock.now()));
  const working = views.filter(({ state }) => state === 'active' || state === 'expires_soon');
  if (working.length > 0 && peppers.length === 0) {
    return error(
      'there is neither a pepper nor a site id any more, and every page token is refused',
      'Restore the setting site_id or pages_rest_token_pepper, or make new tokens: hcd token create',
    );
  }
  const ending = working.filter(({ state }) => state === 'expires_soon');
  if (ending.length > 0) {
    return warning(
      `${count(ending.length, 'page token expires', 'page tokens expire')} within 14 days: ${named(ending)}`,
      'Make new ones in time: hcd token list shows scopes and ends, hcd token create --expires 90d makes one',
    );
  }
  const endless = working.filter(({ expires }) => expires === null).length;
  const works = `${working.length} of ${count(tokens.length, 'page token works', 'page tokens work')}`;
  return ok(endless === 0 ? works : `${works}, ${endless} without an end`);
}

/** Such as `3 (website, 2026-12-01T09:30:00Z)`. */
function named(tokens: readonly TokenView[]): string {
  return sample(
    tokens.map(
      ({ id, name, expires }) => `${id} (${[name, isoTime(expires)].filter((fact) => fact !== null).join(', ')})`,
    ),
  );
}
