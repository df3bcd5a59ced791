/** A database for tests of commands: migrated, filled, and given to every run of the command line. */
import type { Param } from '../../src/store/base/database.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { type CliOptions, type CliOutcome, runCli } from './cli.js';
import { migrate } from './migrate.js';
import { patientLimits } from './patient-limits.js';

/** A command on a busy machine takes the time that it takes. */
const openPatiently: typeof openStore = (options) => openStore({ ...options, limits: patientLimits });

export interface CliDatabase {
  readonly url: string;
  /** Runs a command on the database. */
  run(line: string | readonly string[], options?: CliOptions): Promise<CliOutcome>;
  /** Runs it with `--json` and gives what was printed, decoded. */
  json(line: string | readonly string[], options?: CliOptions): Promise<unknown>;
  /** Runs a statement on the program's own tables, once for each list of parameters. */
  sql(sql: string, rows?: readonly (readonly Param[])[]): Promise<void>;
  /** Works on the open store, between two runs. */
  change(work: (store: Store) => Promise<void>): Promise<void>;
}

/** Migrates the database and fills it. */
export async function prepareCliDatabase(
  url: string,
  fill: (store: Store) => Promise<void> = async () => undefined,
): Promise<CliDatabase> {
  const target = { databaseUrl: url, prefix: 'modx_', limits: patientLimits };
  const withStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
    const store = await openStore(target);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };
  await migrate(target);
  await withStore(fill);
  const run: CliDatabase['run'] = (line, options = {}) =>
    runCli(line, {
      openStore: openPatiently,
      ...options,
      env: { HCD_DATABASE_URL: url, NO_COLOR: '1', ...options.env },
    });
  return {
    url,
    run,
    async json(line, options) {
      const words = typeof line === 'string' ? `${line} --json` : [...line, '--json'];
      return JSON.parse((await run(words, options)).stdout);
    },
    sql: (sql, rows = [[]]) =>
      withStore(({ own }) =>
        own.write(async (tx) => {
          for (const params of rows) await tx.run({ sql, params });
        }),
      ),
    change: withStore,
  };
}
