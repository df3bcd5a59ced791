/** Where the servers of this store listen, in `hcd_state`. Old notes belong to servers that have ended. */
import { Op } from 'sequelize';
import { type Database, type Reader, repeatable, type Tx } from '../../store/base/database.js';
import { fromNow, key, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';
import { writeState } from '../../store/state/state.js';
import { isJsonObject, parseJson } from '../../values/json.js';

export interface Listener {
  readonly machine: string;
  /** Address or name that it is bound to. */
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

export const state = defineModel('hcd_state', { key: key(text(100)), value: text(), updatedAt: time() });

const prefix = 'listener:';

/** `key` names the server among those of the store. */
export async function noteListener(own: Database, name: string, listener: Listener): Promise<void> {
  await own.write((tx) => writeState(tx, `${prefix}${name}`, JSON.stringify(listener)), {
    outcome: async () => undefined,
  });
}

/** By the clock of the database. */
export async function readListeners(reader: Reader, withinMs: number): Promise<Listener[]> {
  const where = { key: { [Op.startsWith]: prefix }, updatedAt: { [Op.gt]: fromNow(reader, -withinMs) } };
  const rows = await state.on(reader).findAll({ where, order: ['key'] });
  return rows.flatMap(({ value }) => listenerOf(parseJson(value)));
}

/** Leaves out a row of a newer version that this one does not understand. */
function listenerOf(value: unknown): Listener[] {
  if (!isJsonObject(value)) return [];
  const { machine, host, port, addresses } = value;
  if (typeof machine !== 'string' || typeof host !== 'string' || typeof port !== 'number') return [];
  const known = Array.isArray(addresses) ? addresses.filter((one) => typeof one === 'string') : [];
  return [{ machine, host, port, addresses: known }];
}

export async function removeOldListeners(own: Database, olderThanMs: number): Promise<void> {
  const remove = (tx: Tx) => {
    const where = { key: { [Op.startsWith]: prefix }, updatedAt: { [Op.lt]: fromNow(tx, -olderThanMs) } };
    return state.on(tx).destroy({ where });
  };
  await own.write(remove, repeatable);
}
