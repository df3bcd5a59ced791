/** Groups and roles of the users behind keys, remembered as long as a credential that was good a moment ago. */
import type { Principal } from '../access/acl.js';
import type { Clock } from '../clock/clock.js';
import { LruMap } from '../values/lru-map.js';
import type { DatabaseMark } from './database-mark.js';
import { keptFor, type Seen } from './seen-memory.js';

const most = 10_000;

/** Null for a user who is gone; a failure is not remembered. */
export function rememberPrincipals(
  read: (userId: number) => Promise<Principal | null>,
  { clock: { elapsed }, mark: markNow }: { readonly clock: Pick<Clock, 'elapsed'>; readonly mark: () => DatabaseMark },
): (userId: number) => Promise<Principal | null> {
  const seen = new LruMap<number, Pick<Seen<Principal | null>, 'value' | 'readAt' | 'mark'>>(most);
  return async function principalOf(userId) {
    const mark = markNow();
    const readAt = elapsed();
    const known = seen.get(userId);
    if (known !== undefined && known.mark === mark && readAt - known.readAt < keptFor) return known.value;
    const value = await read(userId);
    seen.set(userId, { value, readAt, mark });
    return value;
  };
}
