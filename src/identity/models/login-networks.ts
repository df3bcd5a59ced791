/** Digests of a user with a network from which a log-in succeeded recently. */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { fromNow, key, text, time } from '../../store/models/columns.js';
import { defineModel } from '../../store/models/model.js';

export const loginNetworks = defineModel('hcd_login_networks', { pairHash: key(text(64)), endsOn: time() });

export async function isLoginNetwork(reader: Reader, pairHash: string): Promise<boolean> {
  return (await loginNetworks.on(reader).count({ where: { pairHash, endsOn: { [Op.gt]: fromNow(reader) } } })) > 0;
}

/** Returns how many there were. */
export function removeEndedLoginNetworks(tx: Tx, limit: number): Promise<number> {
  return loginNetworks.on(tx).destroy({ where: { endsOn: { [Op.lte]: fromNow(tx) } }, limit });
}
