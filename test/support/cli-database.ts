/** A database for tests of commands: migrated, filled, and given to every run of the command line. */
import type { Param, RawRow } from '../../src/store/base/database.js';
import { type OpenStoreOptions, openStore, type Store } from '../../src/store/open/open.js';
import { atFileEnd } from './at-file-end.js';
import { type CliOptions, type CliOutcome, runCli } from './cli.js';
import { migrate } from './migrate.js';
import { patientLimits } from './patient-limits.js';

/**
 * Opening a store takes most of the time of a command: those that run one after another share one, until a test works on
 * the store or takes another database.
 */
let kept: { readonly key: string; readonly store: Store; readonly forget: () => void } | undefined;
let isTaken = false;

async function closeKept(): Promise<void> {
  const last = kept;
  kept = undefined;
  last?.forget();
  await last?.store.close();
}

/** At the end of a file: commands close what they open. */
async function closeLast(): Promise<void> {
  const wasTaken = isTaken;
  isTaken = false;
  await closeKept();
  if (wasTaken) throw new Error('a command left its store open');
}

/** A command on a busy machine takes the time that it takes. */
const openPatiently: typeof openStore = (options) => openStore({ ...options, limits: patientLimits });

/** A command that runs next to another has its own store, as in two processes. */
async function openShared(options: OpenStoreOptions): Promise<Store> {
  if (isTaken) return openPatiently(options);
  isTaken = true;
  const { databaseUrl, ownDatabaseUrl, prefix, readUrls = [], repairEncoding = false } = options;
  const key = JSON.stringify([databaseUrl, ownDatabaseUrl, prefix, readUrls, repairEncoding]);
  try {
    if (kept?.key !== key) {
      await closeKept();
      kept = { key, store: await openPatiently(options), forget: atFileEnd(closeLast) };
    }
    const close = async () => {
      isTaken = false;
    };
    return { ...kept.store, close };
  } catch (error) {
    isTaken = false;
    throw error;
  }
}

/** Commands that make or replace tables. */
const makesTables = /^(?:migrate|restore|db|demo|init)\b/;

export interface CliDatabase {
  readonly url: string;
  /** Runs a command on the database. */
  run(line: string | readonly string[], options?: CliOptions): Promise<CliOutcome>;
  /** Runs it with `--json` and gives what was printed, decoded. */
  json(line: string | readonly string[], options?: CliOptions): Promise<unknown>;
  /** Runs a statement on the program's own tables, once for each list of parameters. */
  sql(sql: string, rows?: readonly (readonly Param[])[]): Promise<void>;
  /** The rows that a statement finds. */
  rows(sql: string, params?: readonly Param[]): Promise<readonly RawRow[]>;
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
    const store = await openShared(target);
    try {
      await work(store);
    } finally {
      await store.close();
    }
  };
  const closeUnused = async () => {
    if (!isTaken) await closeKept();
  };
  const change: CliDatabase['change'] = (work) => withStore(work).finally(closeUnused);
  await migrate(target);
  await change(fill);
  const run: CliDatabase['run'] = async (line, options = {}) => {
    const isAlone = makesTables.test(typeof line === 'string' ? line : (line[0] ?? ''));
    if (isAlone) await closeUnused();
    return runCli(line, {
      openStore: isAlone ? openPatiently : openShared,
      ...options,
      env: { HCD_DATABASE_URL: url, NO_COLOR: '1', ...options.env },
    });
  };
  return {
    url,
    run,
    async json(line, options) {
      const words = typeof line === 'string' ? `${line} --json` : [...line, '--json'];
      return JSON.parse((await run(words, options)).stdout);
    },
    sql: (sql, rows = [[]]) =>
      change(({ own }) =>
        own.write(async (tx) => {
          for (const params of rows) await tx.run({ sql, params });
        }),
      ),
    async rows(sql, params = []) {
      let found: readonly RawRow[] = [];
      await withStore(async ({ own }) => {
        found = await own.primary.select({ sql, params: [...params] });
      });
      return found;
    },
    change,
  };
}
