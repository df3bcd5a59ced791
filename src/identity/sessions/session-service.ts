/** Sessions of people (docs/users.md#sessions), opened by a log-in here or in the CMS. */

import type { SessionIdentity } from '../../access/identity.js';
import type { Clock } from '../../clock/clock.js';
import type { LiveSnapshot } from '../../content/live/live-state.js';
import { readPrincipal } from '../../content/models/access.js';
import { isSameSecret, randomBase64Url, sha256Hex } from '../../crypto/primitives.js';
import { AppError } from '../../errors/app-error.js';
import type { Log } from '../../log/observation.js';
import { databaseMark, rememberVerified, tellRevocation } from '../../memory/seen-memory.js';
import type { Store } from '../../store/open/open.js';
import { batchesOf } from '../../values/batches.js';
import { isoTimeOfMs } from '../../values/dates.js';
import { endCredentials, Uses, useInterval } from '../credentials/secrets.js';
import { createSession, findSession, noteSessionUses, removeEndedSessions, sessions } from '../models/sessions.js';
import type { LoggedIn } from '../users/log-in.js';
import { findActingUser } from '../users/user-standing.js';
import { cmsSessionRules, findCmsLogin, isCmsSessionId, sealCmsSession } from './find-cms-session.js';

/** Keeps the table small without a worker. */
const removedByLogIn = 100;

interface SessionServiceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly live: () => LiveSnapshot;
  /** Keyed digest of a text for one purpose. */
  readonly sign: (purpose: string, text: string) => string;
}

export type SessionService = ReturnType<typeof makeSessionService>;

interface Found {
  readonly source: Session['source'];
  readonly hash: string;
  readonly userId: number;
  /** Null where the CMS alone decides what ends the session. */
  readonly passwordMark: string | null;
  readonly leftMs: number;
  readonly expiresOn: number;
  readonly sealId?: SessionIdentity['sealId'];
}

const nameOf = ({ source, hash }: Pick<Found, 'source' | 'hash'>): string => `${source}:${hash}`;

/** Every function throws unavailable when the database does not answer: never a pass. */
export function makeSessionService(deps: SessionServiceDeps) {
  const { store, clock, log } = deps;
  const { own: db, content } = store;
  const uses = new Uses<string>({
    clock,
    log,
    of: 'sessions',
    async write(used) {
      for (const batch of batchesOf(used)) {
        const idHashes = batch.map(([idHash]) => idHash);
        await db.write((tx) => noteSessionUses(tx, idHashes));
      }
    },
  });
  const verifiedBy = rememberVerified<Session>({ own: db, mark: databaseMark([db.primary, content.primary]), clock });
  const verify = async (name: string, look: () => Promise<Found | null>): Promise<Session | null> =>
    verifiedBy(name, async (now) => {
      const found = await look();
      const session = found === null ? null : await sessionOf(deps, found);
      // The database decides the remaining time; this machine's clock only measures it.
      return found === null || session === null ? null : { value: session, endsOn: now + found.leftMs };
    });
  return {
    /** The gateway's own session before the CMS's; null without one that works. */
    async find({ own, named }: SessionCookies): Promise<Session | null> {
      if (own !== undefined && isSessionId(own)) {
        const key = { source: 'gateway', hash: sha256Hex(own) } as const;
        const session = await verify(nameOf(key), async () => {
          const row = await findSession(db.primary, key.hash);
          if (row !== null && row.idleMs >= useInterval) uses.note(key.hash);
          return row === null ? null : { ...key, ...row };
        });
        if (session !== null) return session;
      }
      const rules = cmsSessionRules(store, deps.live());
      const id = rules === null ? undefined : named(rules.cookieName);
      if (rules === null || id === undefined || !isCmsSessionId(id)) return null;
      const key = { source: 'cms', hash: sha256Hex(id) } as const;
      return verify(`${nameOf(key)}:${rules.context}`, async () => {
        const login = await findCmsLogin(store, id, rules);
        const sealId = (secret: string) => sealCmsSession(id, secret);
        return login === null ? null : { ...key, passwordMark: null, ...login, sealId };
      });
    },
    /** Under a new id, for the cookie and nothing else; the session that the request showed ends. */
    open: (user: LoggedIn, cookies: SessionCookies) => openSession(deps, user, cookies),
    async end({ own }: SessionCookies): Promise<void> {
      if (own !== undefined && isSessionId(own)) await endSession(store, sha256Hex(own));
    },
    close: () => uses.flush(),
  };
}

/** Null when the user may no longer log in, or has another password than at the log-in. */
async function sessionOf({ store, clock, sign }: SessionServiceDeps, found: Found): Promise<Session | null> {
  const { source, hash, sealId } = found;
  const [user, principal] = await Promise.all([
    findActingUser(store, found, clock.now()),
    readPrincipal(store.content.primary, store.prefix, found.userId),
  ]);
  if (user === null || principal === null) return null;
  return Object.freeze({
    source,
    username: user.username,
    expiresOn: isoTimeOfMs(found.expiresOn),
    identity: Object.freeze({
      kind: 'session',
      id: String(found.userId),
      userId: found.userId,
      principal,
      ...(source === 'gateway' ? { idHash: hash } : {}),
      ...(sealId === undefined ? {} : { sealId }),
      csrfToken: sign('csrf', nameOf(found)),
    }),
  });
}

async function openSession(deps: SessionServiceDeps, user: LoggedIn, { own: shown }: SessionCookies) {
  const { own } = deps.store;
  const id = randomBase64Url(32);
  const hash = sha256Hex(id);
  const row = await own.write(
    async (tx) => {
      // A caller who knew the old id before the log-in must not get the new session (fixation).
      if (shown !== undefined && isSessionId(shown))
        await sessions.on(tx).destroy({ where: { idHash: sha256Hex(shown) } });
      await removeEndedSessions(tx, removedByLogIn);
      await createSession(tx, { idHash: hash, userId: user.userId, passwordMark: user.mark });
      return findSession(tx, hash);
    },
    { outcome: async (tx) => (await findSession(tx, hash)) ?? undefined },
  );
  await tellRevocation(own);
  const session = row === null ? null : await sessionOf(deps, { source: 'gateway', hash, ...row });
  // The user was removed or blocked, or the password changed, since it was checked.
  if (session === null) {
    await endSession(deps.store, hash);
    throw new AppError('invalid_credentials');
  }
  return { id, session };
}

async function endSession({ own }: Pick<Store, 'own'>, idHash: string): Promise<void> {
  await endCredentials(own, (tx) => sessions.on(tx).destroy({ where: { idHash } }));
}

export interface Session {
  /** The program that keeps the session. */
  readonly source: 'gateway' | 'cms';
  readonly identity: SessionIdentity;
  readonly username: string;
  /** When it ends unless it is used before, ISO 8601. */
  readonly expiresOn: string;
}

export interface SessionCookies {
  readonly own: string | undefined;
  /** A setting names the CMS's cookie. */
  named(name: string): string | undefined;
}

/** 256 random bits. The database is not asked about any other text. */
function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

export function isCsrfToken(given: string | undefined, { csrfToken }: SessionIdentity): boolean {
  return given !== undefined && isSameSecret(given, csrfToken);
}
