/** Opens sealed secrets once: the deliveries of a receiver carry the same sealed text again and again. */
import type { Sealer } from '../../crypto/seal.js';
import { LruMap } from '../../values/lru-map.js';

/** Sealed texts that are remembered: two for each of a hundred receivers that are busy at a time. */
const remembered = 200;

/** The same answers as the sealer's; only secrets that could be opened are remembered, in memory alone. */
export function rememberSecrets(sealer: Pick<Sealer, 'unseal'>): Pick<Sealer, 'unseal'> {
  const opened = new LruMap<string, ReturnType<Sealer['unseal']>>(remembered);
  return {
    unseal(sealed) {
      const known = opened.get(sealed);
      if (known !== undefined) return known;
      const answer = sealer.unseal(sealed);
      if (answer.kind === 'opened') opened.set(sealed, answer);
      return answer;
    },
  };
}
