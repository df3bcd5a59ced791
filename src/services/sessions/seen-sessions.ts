/** The sessions that were found good a moment ago, one memory per open database. */
import type { Database } from '../../store/database.js';
import { type SeenCredential, SeenCredentials } from '../seen-credentials.js';
import type { Session } from './session.js';

export interface SeenSession extends SeenCredential {
  readonly session: Session;
}

export type SeenSessions = SeenCredentials<SeenSession>;

/** Who ends a session in this process need not know who verifies. */
const memories = new WeakMap<Database, SeenSessions>();

export function seenSessionsOf(own: Database): SeenSessions {
  const known = memories.get(own) ?? new SeenCredentials<SeenSession>();
  memories.set(own, known);
  return known;
}
