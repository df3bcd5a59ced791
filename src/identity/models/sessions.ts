/** Sessions, without ids: only digests are stored. The database's clock alone decides whether one has ended. */
import { col, fn, Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { fromNow, integer, key, optional, orNull, readTime, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { useInterval } from '../credentials/secrets.js';

export const sessions = defineModel('hcd_sessions', {
  idHash: key(text(64)),
  userId: integer(),
  passwordMark: text(64),
  createdOn: time(),
  lastSeenOn: time(),
  /** When it ends unless it is used before, never later than `endsOn`. */
  expiresOn: time(),
  endsOn: time(),
  readOn: readTime(),
});

/** The CMS's sessions (docs/reference/storage.md#sessions-of-the-cms). Never written. */
export const cmsSessions = defineModel('session', {
  id: optional(key(text(191))),
  /** Unix seconds. */
  access: integer(),
  data: orNull(text()),
  readOn: readTime(),
});

interface SessionRow extends Pick<RowOf<typeof sessions>, 'userId' | 'passwordMark' | 'expiresOn'> {
  readonly idleMs: number;
  readonly leftMs: number;
}

const life = { idleMs: 2 * 3_600_000, totalMs: 12 * 3_600_000 };

export async function createSession(
  tx: Tx,
  session: Pick<RowOf<typeof sessions>, 'idHash' | 'userId' | 'passwordMark'>,
): Promise<void> {
  const expiresOn = fromNow(tx, life.idleMs);
  const times = { createdOn: fromNow(tx), lastSeenOn: fromNow(tx), expiresOn, endsOn: fromNow(tx, life.totalMs) };
  await sessions.on(tx).create({ ...session, ...times });
}

export async function findSession(reader: Reader, idHash: string): Promise<SessionRow | null> {
  const row = await sessions.on(reader).lookUp({ idHash });
  if (row === null || row.expiresOn <= row.readOn) return null;
  const { userId, passwordMark, lastSeenOn, expiresOn, readOn } = row;
  return { userId, passwordMark, idleMs: readOn - lastSeenOn, leftMs: expiresOn - readOn, expiresOn };
}

/** Skips ended sessions and those whose use was noted just before. */
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

export function removeEndedSessions(tx: Tx, limit: number): Promise<number> {
  return sessions.on(tx).destroy({ where: { expiresOn: { [Op.lte]: fromNow(tx) } }, limit });
}
