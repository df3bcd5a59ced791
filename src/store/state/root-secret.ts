/** The root key for everything that is signed or encrypted where the configuration gives none. */
import { randomBase64Url } from '../../crypto/random.js';
import type { Store } from '../open/open.js';
import { createStateIfAbsent, readState } from './state.js';

/** 256 random bits, kept in the database and made on first use; the same in every process. */
export async function rootSecret({ own }: Store): Promise<string> {
  const known = await readState(own.primary, 'root_secret');
  return known ?? (await own.write((tx) => createStateIfAbsent(tx, 'root_secret', randomBase64Url(32))));
}
