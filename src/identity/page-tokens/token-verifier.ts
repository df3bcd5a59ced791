/** Verifies page tokens (docs/pages.md#refusals) so that a revocation holds from the next request on. */
import type { PageTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/definitions.js';
import type { PageToken } from '../../config/pages-settings.js';
import type { SettingRow } from '../../content/models/settings.js';
import { parseCredential } from '../../crypto/credential-text.js';
import { hmacSha256Hex, isSameSecret } from '../../crypto/hash.js';
import type { Log } from '../../log/observation.js';
import type { DatabaseMark } from '../../memory/database-mark.js';
import { sharedRead } from '../../memory/shared-read.js';
import { UnchangedReads } from '../../memory/unchanged-reads.js';
import { Uses, useInterval } from '../credentials/uses.js';
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

interface Known {
  readonly token: PageToken;
  readonly identity: PageTokenIdentity;
}

interface Decoded {
  readonly rows: readonly SettingRow[];
  readonly byPrefix: ReadonlyMap<string, Known>;
  readonly peppers: readonly string[];
  /** Uses are written to the stored list only. */
  readonly isLocked: boolean;
  /** Right texts under these settings, so that their digests are not computed again. */
  readonly right: Map<string, Known>;
}

export class TokenVerifier {
  readonly #deps: TokenVerifierDeps;
  readonly #uses: Uses<string>;
  readonly #read: () => Promise<readonly SettingRow[]>;
  readonly #unchanged: UnchangedReads<'settings', Decoded>;
  #decoded: Decoded | null = null;

  constructor(deps: TokenVerifierDeps) {
    this.#deps = deps;
    this.#uses = tokenUses(deps);
    this.#unchanged = new UnchangedReads([deps.store.content.primary], 1);
    this.#read = sharedRead(() => readTokenRows(deps.store.content.primary, deps.store.prefix));
  }

  /** The identity of a token that was right since the last commit, without a wait; undefined for any other. */
  known(text: string): PageTokenIdentity | undefined {
    const kept = this.#unchanged.get(this.#unchanged.state(), 'settings');
    const right = kept?.right.get(text);
    return kept === undefined || right === undefined ? undefined : (this.#admit(kept, right) ?? undefined);
  }

  /** Null after the same work for every bad token. Throws unavailable without the database: never a pass. */
  async verify(text: string): Promise<PageTokenIdentity | null> {
    const state = this.#unchanged.state();
    const kept = this.#unchanged.get(state, 'settings');
    const credential = parseCredential(text, 'pt');
    if (credential === null) return null;
    const decoded = kept ?? (await this.#readDecoded(state));
    const known = decoded.right.get(text) ?? checkText(decoded, { text, prefix: `pt_${credential.lookupId}` });
    return this.#admit(decoded, known);
  }

  #admit(decoded: Decoded, known: Known | null): PageTokenIdentity | null {
    if (known === null || hasEnded(known.token, this.#deps.clock.now() / 1000)) return null;
    if (!decoded.isLocked) this.#uses.note(known.token.prefix);
    return known.identity;
  }

  close(): Promise<void> {
    return this.#uses.flush();
  }

  async #readDecoded(state: DatabaseMark): Promise<Decoded> {
    const decoded = this.#decode(await this.#read());
    this.#unchanged.set(state, { key: 'settings', value: decoded });
    return decoded;
  }

  #decode(rows: readonly SettingRow[]): Decoded {
    if (this.#decoded !== null && isSame(this.#decoded.rows, rows)) return this.#decoded;
    const { tokens, peppers, isLocked } = tokenSettings(rows, this.#deps.env);
    const byPrefix = new Map(tokens.map((token) => [token.prefix, { token, identity: identityOf(token) }]));
    this.#decoded = { rows, byPrefix, peppers, isLocked, right: new Map() };
    return this.#decoded;
  }
}

function isSame(before: readonly SettingRow[], now: readonly SettingRow[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ key, value }, at) => key === now[at]?.key && value === now[at]?.value)
  );
}

/** Remembers valid texts only; the number of wrong ones is not bounded. */
function checkText(
  { byPrefix, peppers, right }: Decoded,
  { text, prefix }: { readonly text: string; readonly prefix: string },
): Known | null {
  const known = byPrefix.get(prefix);
  const expected = known?.token.hash ?? noHash;
  // Every pepper is tried, whichever fits (docs/pages.md#the-pepper).
  const isRight = peppers.map((pepper) => isSameSecret(hmacSha256Hex(pepper, text), expected)).includes(true);
  if (known === undefined || !isRight) return null;
  right.set(text, known);
  return known;
}

function identityOf({ prefix, scopes }: PageToken): PageTokenIdentity {
  return Object.freeze({ kind: 'page_token', id: prefix, scopes: new Set(scopes.filter(isPageScope)), userId: null });
}

/** Uses take the same turns as every other change of the list. */
export function tokenUses({ store, clock, log }: Omit<TokenVerifierDeps, 'env'>): Uses<string> {
  return new Uses({ clock, log, of: 'page tokens', write: (uses) => writeUses(store, new Map(uses)) });
}

async function writeUses(store: ContentStore, uses: ReadonlyMap<string, number>): Promise<void> {
  await changeTokens(store, async (tokens) => {
    const used = tokens.map((token) => {
      const lastUsed = Math.floor((uses.get(token.prefix) ?? 0) / 1000);
      // Another process may have written a use of the last minute.
      const isDue = lastUsed !== 0 && (token.lastUsed === null || (lastUsed - token.lastUsed) * 1000 >= useInterval);
      return isDue ? { ...token, lastUsed } : token;
    });
    return { tokens: used, result: null };
  });
}
