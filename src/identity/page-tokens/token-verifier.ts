/** Verifies page tokens (docs/pages.md#refusals) so that a revocation holds from the next request on. */
import type { PageTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import type { PageToken } from '../../config/pages-settings.js';
import type { SettingRow } from '../../content/models/settings.js';
import { parseCredential } from '../../crypto/credential-text.js';
import { hmacSha256Hex, isSameSecret, sha256Hex } from '../../crypto/primitives.js';
import type { Log } from '../../log/observation.js';
import { databaseMark, rememberVerified, type VerifiedBy } from '../../memory/seen-memory.js';
import { sharedRead } from '../../values/joined.js';
import { isUseDue, Uses } from '../credentials/secrets.js';
import { changeTokens, hasEnded } from './manage-tokens.js';
import { type ContentStore, isPageScope, readTokenRows, tokenSettings } from './token-settings.js';

interface TokenVerifierDeps {
  readonly store: ContentStore;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
}

/** No digest is empty, so this matches no token. */
const noHash = '';

interface Decoded {
  readonly rows: readonly SettingRow[];
  readonly byPrefix: ReadonlyMap<string, PageToken>;
  readonly peppers: readonly string[];
  /** Uses are written to the stored list only. */
  readonly isLocked: boolean;
}

export class TokenVerifier {
  readonly #deps: TokenVerifierDeps;
  readonly #uses: Uses<string>;
  readonly #read: () => Promise<readonly SettingRow[]>;
  readonly #verifiedBy: VerifiedBy<PageTokenIdentity>;
  #decoded: Decoded | null = null;

  constructor(deps: TokenVerifierDeps) {
    const { store, clock } = deps;
    const { primary } = store.content;
    this.#deps = deps;
    this.#uses = tokenUses(deps);
    // A database that cannot report a revocation is asked every time.
    const mark = primary.version === undefined ? () => Number.NaN : databaseMark([primary]);
    this.#verifiedBy = rememberVerified({ own: store.content, mark, clock });
    this.#read = sharedRead(() => readTokenRows(primary, store.prefix));
  }

  /** Null after the same work for every bad token. Throws unavailable without the database: never a pass. */
  verify(text: string): PageTokenIdentity | null | Promise<PageTokenIdentity | null> {
    return this.#verifiedBy(sha256Hex(text), async (now) => {
      const credential = parseCredential(text, 'pt');
      if (credential === null) return null;
      const decoded = this.#decode(await this.#read());
      const token = checkText(decoded, { text, prefix: `pt_${credential.lookupId}` });
      if (token === null || hasEnded(token, now / 1000)) return null;
      const endsOn = token.expires === null ? Number.POSITIVE_INFINITY : token.expires * 1000;
      if (!decoded.isLocked && isUseDue(usedOn(token), now)) this.#uses.note(token.prefix);
      return { value: identityOf(token), endsOn };
    });
  }

  close(): Promise<void> {
    return this.#uses.flush();
  }

  #decode(rows: readonly SettingRow[]): Decoded {
    if (this.#decoded !== null && isSame(this.#decoded.rows, rows)) return this.#decoded;
    const { tokens, peppers, isLocked } = tokenSettings(rows, this.#deps.env);
    this.#decoded = { rows, byPrefix: new Map(tokens.map((token) => [token.prefix, token])), peppers, isLocked };
    return this.#decoded;
  }
}

function isSame(before: readonly SettingRow[], now: readonly SettingRow[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ key, value }, at) => key === now[at]?.key && value === now[at]?.value)
  );
}

function checkText(
  { byPrefix, peppers }: Decoded,
  { text, prefix }: { readonly text: string; readonly prefix: string },
): PageToken | null {
  const token = byPrefix.get(prefix);
  const expected = token?.hash ?? noHash;
  // Every pepper is tried, whichever fits (docs/pages.md#the-pepper).
  const isRight = peppers.map((pepper) => isSameSecret(hmacSha256Hex(pepper, text), expected)).includes(true);
  return isRight ? (token ?? null) : null;
}

function identityOf({ prefix, scopes }: PageToken): PageTokenIdentity {
  return Object.freeze({ kind: 'page_token', id: prefix, scopes: new Set(scopes.filter(isPageScope)), userId: null });
}

function usedOn({ lastUsed }: PageToken): number | null {
  return lastUsed === null ? null : lastUsed * 1000;
}

/** Uses take the same turns as every other change of the list. */
export function tokenUses({ store, clock, log }: Omit<TokenVerifierDeps, 'env'>): Uses<string> {
  return new Uses({ clock, log, of: 'page tokens', write: (uses) => writeUses(store, new Map(uses)) });
}

async function writeUses(store: ContentStore, uses: ReadonlyMap<string, number>): Promise<void> {
  await changeTokens(store, async (tokens) => {
    const used = tokens.map((token) => {
      const at = uses.get(token.prefix);
      // Another process may have written a use of the last minute.
      return at !== undefined && isUseDue(usedOn(token), at) ? { ...token, lastUsed: Math.floor(at / 1000) } : token;
    });
    return { tokens: used, result: null };
  });
}
