/** The sessions that were found good a moment ago. */
import type { SeenCredential, SeenCredentials } from '../../memory/seen-credentials.js';
import { seenMemory } from '../../memory/seen-memory.js';
import type { Session } from './session.js';

export interface SeenSession extends SeenCredential {
  readonly session: Session;
}

export type SeenSessions = SeenCredentials<SeenSession>;

export const seenSessionsOf = seenMemory<SeenSession>();
