/** How the content store keeps user names, for look-ups that use the index whatever its character set. */
import type { CharacterSet } from '../../store/base/dialect.js';
import type { Store } from '../../store/open/open.js';

export function usernameColumn({ prefix, tables }: Pick<Store, 'prefix' | 'tables'>): CharacterSet {
  return tables.get(`${prefix}users`)?.columns.get('username') ?? { charset: null, collation: null };
}
