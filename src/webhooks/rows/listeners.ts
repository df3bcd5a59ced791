/** Where the servers of this store listen, in `hcd_state`: each notes it again and again, so what is old has ended. */
import type { Database, Reader } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';
import { writeState } from '../../store/state/state.js';

export interface Listener {
  /** Name of the machine. */
  readonly machine: string;
  /** Address or name that it is bound to. */
  readonly host: string;
  readonly port: number;
  /** Addresses of the machine. */
  readonly addresses: readonly string[];
}

const prefix = 'listener:';

/** Notes that the server listens now. `key` names it among the servers of the store. */
export async function noteListener(own: Database, key: string, listener: Listener): Promise<void> {
  await own.write((tx) => writeState(tx, `${prefix}${key}`, JSON.stringify(listener)), {
    // To note it once more does no harm.
    outcome: async () => undefined,
  });
}

/** Those that were noted in the last `withinMs` milliseconds, by the clock of the database. */
export async function readListeners(reader: Reader, withinMs: number): Promise<Listener[]> {
  const rows = await reader.select({
    sql: `SELECT \`value\` FROM \`hcd_state\` WHERE \`key\` LIKE '${prefix}%' AND \`updated_at\` > ${nowMilliseconds(reader.dialect)} - ? ORDER BY \`key\``,
    params: [withinMs],
  });
  return rows.flatMap(([value]) => listenerOf(String(value)));
}

/** Rows are ours; one of a newer version that this one does not understand is left out. */
function listenerOf(text: string): Listener[] {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) return [];
  const { machine, host, port, addresses } = value as Partial<Record<keyof Listener, unknown>>;
  if (typeof machine !== 'string' || typeof host !== 'string' || typeof port !== 'number') return [];
  const known = Array.isArray(addresses) ? addresses.filter((one) => typeof one === 'string') : [];
  return [{ machine, host, port, addresses: known }];
}

/** Removes those that have not been noted for so long. */
export async function removeOldListeners(own: Database, olderThanMs: number): Promise<void> {
  await own.write(
    (tx) =>
      tx.run({
        sql: `DELETE FROM \`hcd_state\` WHERE \`key\` LIKE '${prefix}%' AND \`updated_at\` < ${nowMilliseconds(tx.dialect)} - ?`,
        params: [olderThanMs],
      }),
    { outcome: async () => undefined },
  );
}
