/** Ends a session kept here: at once in this process, in those beside it and where the database tells of commits, else within a second. */
import type { Store } from '../../store/open.js';
import { removeSession } from '../../store/rows/sessions.js';
import { tellRevocation } from '../seen-memory.js';

/** By the digest of its id. Ending twice is harmless, so work whose outcome is unknown may be repeated. */
export async function endSession({ own }: Pick<Store, 'own'>, idHash: string): Promise<void> {
  await own.write((tx) => removeSession(tx, idHash), { outcome: async () => undefined });
  await tellRevocation(own);
}
