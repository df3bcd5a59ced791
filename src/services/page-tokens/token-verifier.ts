/**
 * Verifies page tokens (interfaces.md B, Authentication; contract 0.7, 2.5). One indexed read per request, none for a
 * malformed text; nothing that was read before is trusted, so that a revocation holds from the next request on.
 */
import type { PageTokenIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { Environment } from '../../config/environment.js';
import type { PageToken } from '../../config/page-token-list.js';
import { parseCredential } from '../../crypto/credential-text.js';
import { isSameSecret } from '../../crypto/hash.js';
import type { Log } from '../../log/observation.js';
import type { SettingRow } from '../../store/rows/settings.js';
import { isPageScope } from './scopes.js';
import { type ContentStore, readTokenRows, tokenHash, tokenSettings } from './token-settings.js';
import { TokenUses } from './token-uses.js';
import { hasEnded } from './token-view.js';

export interface TokenVerifierDeps {
  readonly store: ContentStore;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: Log;
}

/** No digest is empty, so this fits nothing. */
const noHash = '';

interface Known {
  readonly token: PageToken;
  readonly identity: PageTokenIdentity;
}

/** The settings as they were decoded from exactly these rows. */
interface Decoded {
  readonly rows: readonly SettingRow[];
  readonly byPrefix: ReadonlyMap<string, Known>;
  readonly peppers: readonly string[];
  /** Uses are written to the stored list only. */
  readonly isLocked: boolean;
}

export class TokenVerifier {
  readonly #deps: TokenVerifierDeps;
  readonly #uses: TokenUses;
  #decoded: Decoded | null = null;

  constructor(deps: TokenVerifierDeps) {
    this.#deps = deps;
    this.#uses = new TokenUses(deps);
  }

  /**
   * The identity of a token; null when it is malformed, unknown, wrong, revoked or expired: the same answer after the
   * same work. Throws unavailable when the database does not answer: never a pass.
   */
  async verify(text: string): Promise<PageTokenIdentity | null> {
    const credential = parseCredential(text, 'pt');
    if (credential === null) return null;
    const { store, clock } = this.#deps;
    const decoded = this.#decode(await readTokenRows(store.content.primary, store.prefix));
    const known = decoded.byPrefix.get(`pt_${credential.lookupId}`);
    const isRight = fits(text, { peppers: decoded.peppers, expected: known?.token.hash ?? noHash });
    if (known === undefined || !isRight || hasEnded(known.token, clock.now() / 1000)) return null;
    if (!decoded.isLocked) this.#uses.note(known.token.prefix);
    return known.identity;
  }

  /** Writes the uses that are not written yet. */
  close(): Promise<void> {
    return this.#uses.flush();
  }

  #decode(rows: readonly SettingRow[]): Decoded {
    if (this.#decoded !== null && isSame(this.#decoded.rows, rows)) return this.#decoded;
    const { tokens, peppers, isLocked } = tokenSettings(rows, this.#deps.env);
    const byPrefix = new Map(tokens.map((token) => [token.prefix, { token, identity: identityOf(token) }]));
    this.#decoded = { rows, byPrefix, peppers, isLocked };
    return this.#decoded;
  }
}

function isSame(before: readonly SettingRow[], now: readonly SettingRow[]): boolean {
  return (
    before.length === now.length &&
    before.every(({ key, value }, at) => key === now[at]?.key && value === now[at]?.value)
  );
}

/** Looks at every pepper, whichever fits. */
function fits(text: string, by: { readonly peppers: readonly string[]; readonly expected: string }): boolean {
  return by.peppers.map((pepper) => isSameSecret(tokenHash(pepper, text), by.expected)).includes(true);
}

function identityOf({ prefix, scopes }: PageToken): PageTokenIdentity {
  return Object.freeze({ kind: 'page_token', id: prefix, scopes: new Set(scopes.filter(isPageScope)), userId: null });
}
