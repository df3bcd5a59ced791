/** Whether a site has API keys, for set-ups that would make the first one. */

import type { Store } from '../../store/open/open.js';
import { hasTable } from '../../store/state/ledger.js';
import { apiKeys } from '../models/api-keys.js';

/** Revoked ones count too: whoever revoked them knows how to make another. Works before the migrations. */
export async function hasKeys({ own }: Pick<Store, 'own'>): Promise<boolean> {
  return (await hasTable(own.primary, 'hcd_api_keys')) && (await apiKeys.on(own.primary).count()) > 0;
}
