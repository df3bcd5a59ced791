/** Whether a read replica answers, how far it is behind, and whether it still replicates. */
import { QueryTypes } from 'sequelize';
import { parseDatabaseUrl } from '../../config/address-values.js';
import { AppError } from '../../errors/app-error.js';
import { hasTable } from '../../store/base/columns.js';
import type { Database, Reader } from '../../store/base/database.js';
import type { StoreFailure } from '../../store/base/error-codes.js';
import { classifyFailure } from '../../store/base/errors.js';
import { servingLimits } from '../../store/base/limits.js';
import { openDatabase, type Store } from '../../store/open/open.js';
import { readContentGeneration } from '../../store/state/state.js';

interface ReplicaState {
  readonly address: string;
  readonly reachable: boolean;
  /** Why it does not answer or replicate, or why its lag is unknown; null otherwise. */
  readonly reason: string | null;
  /** It answers but does not replicate. */
  readonly stopped: boolean;
  readonly lagSeconds: number | null;
  readonly changesBehind: number | null;
}

const rightForLag = 'GRANT REPLICA MONITOR (MySQL: REPLICATION CLIENT)';

function replicaAddress(url: string): string {
  const address = parseDatabaseUrl(url);
  if (address.dialect === 'sqlite') return address.path;
  const { socketPath, host, port } = address;
  return socketPath ?? `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export async function readReplicas(store: Store, urls: readonly string[]): Promise<readonly ReplicaState[]> {
  if (urls.length === 0) return [];
  // The number of the last change is next to the content only where both are in one database.
  const wanted = store.own === store.content ? await readContentGeneration(store.content.primary) : null;
  return Promise.all(
    urls.map((url) => {
      return withReplica(url, async ({ primary }, address) => {
        const replication = await readReplication(primary);
        const reached = wanted === null ? null : await readReached(primary);
        const changesBehind = wanted === null || reached === null ? null : Math.max(0, wanted - reached);
        return { address, reachable: true, ...replication, changesBehind };
      });
    }),
  );
}

export async function withReplica<T>(
  url: string,
  work: (replica: Database, address: string) => Promise<T>,
): Promise<T | ReplicaState> {
  const address = replicaAddress(url);
  try {
    const replica = await openDatabase({ url, limits: { ...servingLimits, connections: 1 } });
    try {
      return await work(replica, address);
    } finally {
      await replica.close();
    }
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.kind === 'internal') throw cause;
    const reason = reasons[classifyFailure(cause)] ?? 'it refuses the connection';
    const unknown = { stopped: false, lagSeconds: null, changesBehind: null };
    return { address, reachable: false, reason, ...unknown };
  }
}

const late = 'it does not answer in time';

const reasons: Partial<Record<StoreFailure, string>> = {
  unreachable: 'nothing answers there',
  unknown_host: 'the host name is not known',
  denied: 'it refuses the user or the password',
  no_database: 'it has no such database',
  exhausted: 'it has reached its connection limit',
  gone: late,
  timeout: late,
  busy: late,
};

/** Null where the table has not arrived yet. */
export async function readReached(replica: Reader): Promise<number | null> {
  return (await hasTable(replica, 'hcd_state')) ? readContentGeneration(replica) : null;
}

/** The answer has many columns, whose order and names differ by server and version. */
export async function readReplication(
  replica: Reader,
): Promise<Pick<ReplicaState, 'reason' | 'stopped' | 'lagSeconds'>> {
  const unknown = { stopped: false, lagSeconds: null };
  try {
    const [row] = await replica.query('replication', ({ sequelize, transaction }) => {
      return sequelize.query<Record<string, unknown>>('SHOW REPLICA STATUS', { type: QueryTypes.SELECT, transaction });
    });
    if (row === undefined) return { ...unknown, reason: 'this server replicates from no other' };
    const [reading = '', applying = '', seconds = null] = [/_IO_Running$/, /_SQL_Running$/, /^Seconds_Behind_/].map(
      (name) => Object.entries(row).find(([column]) => name.test(column))?.[1],
    );
    if (applying === 'No') return { ...unknown, stopped: true, reason: 'it no longer applies changes' };
    if (reading === 'No') return { ...unknown, stopped: true, reason: 'it no longer receives changes' };
    if (seconds === null) return { ...unknown, reason: 'it has lost its connection to the primary' };
    return { stopped: false, lagSeconds: Number(seconds), reason: null };
  } catch (cause) {
    // A server that went away is reported by withReplica.
    if (!(cause instanceof AppError) || cause.code === 'unavailable') throw cause;
    const isRefused = cause.code === 'database_not_ready';
    return {
      ...unknown,
      reason: isRefused ? `its user may not read the lag: ${rightForLag}` : 'it cannot tell its lag',
    };
  }
}
