/** Class names as the CMS of the site writes them: version 3 puts them into namespaces, version 2 does not. */
import type { PasswordScheme } from '../../crypto/password.js';
import type { Store } from '../../store/open/open.js';
import { hasNamespacedUsers } from '../rows/user-accounts.js';

export interface HostNames {
  readonly user: string;
  readonly userGroup: string;
  /** Scheme whose hashes are verified by password_verify of PHP. */
  readonly nativeHash: string;
}

const version3: HostNames = Object.freeze({
  user: 'MODX\\Revolution\\modUser',
  userGroup: 'MODX\\Revolution\\modUserGroup',
  nativeHash: 'MODX\\Revolution\\Hashing\\modNative',
});

const version2: HostNames = Object.freeze({
  user: 'modUser',
  userGroup: 'modUserGroup',
  nativeHash: 'hashing.modNative',
});

export async function readHostNames({ content, prefix, kind }: Store): Promise<HostNames> {
  return kind === 'own' || (await hasNamespacedUsers(content.primary, prefix)) ? version3 : version2;
}

/**
 * How new passwords are hashed. The CMS of an attached store verifies them with PHP, which has bcrypt everywhere and
 * argon2id only where it was built in.
 */
export function passwordScheme({ kind }: Pick<Store, 'kind'>): PasswordScheme {
  return kind === 'attached' ? 'bcrypt' : 'argon2id';
}
