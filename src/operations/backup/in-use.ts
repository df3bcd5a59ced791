/** Finds other connections to a MariaDB database: a server or a worker always has one. */
import { systemClock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import type { Database } from '../../store/base/database.js';

/** A process that has just ended is still listed for a moment. */
const attempts = 20;
const pauseMs = 100;

const others = `SELECT user, host FROM information_schema.processlist
  WHERE db = DATABASE() AND id <> CONNECTION_ID() ORDER BY id`;

/** The pool of `database` must have one connection. Only a user with the right PROCESS sees other users. */
export async function checkConnections(database: Database): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await database.primary.select({ sql: others, params: [] });
    if (found.length === 0) return;
    if (attempt < attempts) {
      await systemClock.sleep(pauseMs);
      continue;
    }
    const places = found.slice(0, 3).map(([user, host]) => `${user}@${host}`);
    throw new AppError('target_in_use', {
      message: `Other programs use the database (${places.join(', ')}${found.length > 3 ? ', …' : ''})`,
    });
  }
}
