/**
 * Sessions. Ids are never in them, only digests. Times are those of the database, which alone decides whether a session
 * has ended: machines may disagree about the time.
 */
import { col, fn, Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { integer, key, optional, orNull, text, time } from '../../store/models/columns.js';
import { fromNow, readTime } from '../../store/models/database-time.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { useInterval } from '../credentials/uses.js';

export const sessions = defineModel('hcd_sessions', {
  idHash: key(text(64)),
  userId: integer(),
  /** Of the password that the log-in was made with. */
  passwordMark: text(64),
  createdOn: time(),
  lastSeenOn: time(),
  /** When it ends unless it is used before, never later than `endsOn`. */
  expiresOn: time(),
  endsOn: time(),
  readOn: readTime(),
});

/**
 * The login sessions that the content system keeps in its own table
 * (docs/reference/storage.md#sessions-of-the-content-system). Never written.
 */
export const cmsSessions = defineModel('session', {
  id: optional(key(text(191))),
  /** When it was last written, Unix seconds. */
  access: integer(),
  /** PHP's session format. */
  data: orNull(text()),
  readOn: readTime(),
});

interface SessionRow extends Pick<RowOf<typeof sessions>, 'userId' | 'passwordMark' | 'expiresOn'> {
  /** Since the last use that was noted. */
  readonly idleMs: number;
  /** Until it ends unless it is used before. */
  readonly leftMs: number;
}

/** Milliseconds that a session lives without a use, and at most, however much it is used. */
const life = { idleMs: 2 * 3_600_000, totalMs: 12 * 3_600_000 };

export async function createSession(
  tx: Tx,
  session: Pick<RowOf<typeof sessions>, 'idHash' | 'userId' | 'passwordMark'>,
): Promise<void> {
  const expiresOn = fromNow(tx, life.idleMs);
  const times = { createdOn: fromNow(tx), lastSeenOn: fromNow(tx), expiresOn, endsOn: fromNow(tx, life.totalMs) };
  await sessions.on(tx).create({ ...session, ...times });
}

/** Null when there is no such session or it has ended. */
export async function findSession(reader: Reader, idHash: string): Promise<SessionRow | null> {
  const row = await sessions.on(reader).lookUp({ idHash });
  if (row === null || row.expiresOn <= row.readOn) return null;
  const { userId, passwordMark, lastSeenOn, expiresOn, readOn } = row;
  return { userId, passwordMark, idleMs: readOn - lastSeenOn, leftMs: expiresOn - readOn, expiresOn };
}

/** Postpones the end of sessions that were used and have not ended, unless a use was noted just before. */
export async function noteSessionUses(tx: Tx, idHashes: readonly string[]): Promise<void> {
  const least = tx.dialect === 'mariadb' ? 'LEAST' : 'MIN';
  await sessions.on(tx).update(
    { lastSeenOn: fromNow(tx), expiresOn: fn(least, col(sessions.columnOf('endsOn')), fromNow(tx, life.idleMs)) },
    {
      where: {
        idHash: { [Op.in]: idHashes },
        lastSeenOn: { [Op.lte]: fromNow(tx, -useInterval) },
        expiresOn: { [Op.gt]: fromNow(tx) },
      },
    },
  );
}

/** Removes sessions that have ended, so many at most; gives how many there were. */
export function removeEndedSessions(tx: Tx, limit: number): Promise<number> {
  return sessions.on(tx).destroy({ where: { expiresOn: { [Op.lte]: fromNow(tx) } }, limit });
}
