/**
 * Who may write in the banner API (docs/reference/banners.md#who-may-write): the switch of writes first, then what the
 * key opens.
 */
import { admit } from '../../access/admit.js';
import { holdsScope } from '../../access/scope.js';
import { AppError } from '../../errors/app-error.js';
import type { AdmitQuestion } from '../../http/interface/api.js';
import { writeScope } from './management-deps.js';

const sessions = { holds: () => false };

/** Throws write_disabled (403 `write disabled`) while writes are off, scope_denied for a key that may only read. */
export function admitBanners(
  { endpoint, identity, params }: AdmitQuestion,
  settings: { readonly banners_api_write_enabled: boolean },
): void {
  if (endpoint.method !== 'GET') {
    if (!settings.banners_api_write_enabled) throw new AppError('write_disabled');
    if (identity.kind === 'anonymous') throw new AppError('token_required');
    if (!holdsScope(identity, writeScope, sessions)) {
      throw new AppError('scope_denied', { message: 'this key may only read' });
    }
  }
  admit({ access: endpoint.access, identity, params, sessions });
}
