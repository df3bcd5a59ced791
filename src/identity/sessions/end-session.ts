/** Ends a session kept here: at once in this process, in those beside it and where the database tells of commits, else within a second. */

import { tellRevocation } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { sessions } from '../models/sessions.js';

/** By the digest of its id. Ending twice is harmless, so work whose outcome is unknown may be repeated. */
export async function endSession({ own }: Pick<Store, 'own'>, idHash: string): Promise<void> {
  await own.write((tx) => sessions.on(tx).destroy({ where: { idHash } }), { outcome: async () => undefined });
  await tellRevocation(own);
}
