/** Whether a site has API keys, for set-ups that would make the first one. */
import { hasTable } from '../../store/ledger.js';
import type { Store } from '../../store/open.js';
import { readApiKeys } from '../../store/rows/api-keys.js';

/** Revoked ones count too: whoever revoked them knows how to make another. Works before the migrations. */
export async function hasKeys({ own }: Pick<Store, 'own'>): Promise<boolean> {
  return (await hasTable(own.primary, 'hcd_api_keys')) && (await readApiKeys(own.primary)).length > 0;
}
