/** Class names as the CMS of the site writes them: version 3 puts them into namespaces, version 2 does not. */
import { users } from '../../content/models/access.js';
import type { Store } from '../../store/open/open.js';

interface HostNames {
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
  if (kind === 'own') return version3;
  const some = await users.on(content.primary, prefix).findAll({ attributes: ['classKey'], order: ['id'], limit: 50 });
  return some.length === 0 || some.some(({ classKey }) => classKey.includes('\\')) ? version3 : version2;
}
