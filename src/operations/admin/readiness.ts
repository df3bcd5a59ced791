/** The checks of readiness that need the store (docs/monitoring.md#health). */
import type { Clock } from '../../clock/clock.js';
import { AppError } from '../../errors/app-error.js';
import { checkMigrated, type MigrationRun } from '../../store/migrations/migrate.js';
import type { Checks } from './admin-server.js';

interface ReadinessDeps {
  readonly run: MigrationRun;
  readonly clock: Pick<Clock, 'sleep'>;
}

const answerWithin = 2000;

export async function checkStore({ run, clock }: ReadinessDeps): Promise<Checks> {
  const { content, own } = run;
  const [database, ownDatabase] = await Promise.all([
    reasonOf(clock, content.ping()),
    own === content ? null : reasonOf(clock, own.ping()),
  ]);
  return {
    database,
    ...(ownDatabase === null ? {} : { own_database: ownDatabase }),
    migrations: (ownDatabase ?? database) === 'ok' ? await reasonOf(clock, checkMigrated(run)) : 'unknown',
  };
}

async function reasonOf(clock: Pick<Clock, 'sleep'>, work: Promise<unknown>): Promise<string> {
  const done = new AbortController();
  const late = clock.sleep(answerWithin, done.signal).then(() => 'no answer in time');
  const outcome = work.then(
    () => 'ok',
    // Messages of the catalogue hold neither addresses with passwords nor SQL.
    (error: unknown) => (error instanceof AppError ? error.message : 'failed'),
  );
  try {
    return await Promise.race([outcome, late]);
  } finally {
    late.catch(() => undefined);
    done.abort();
  }
}
