/** Requests that servers refused (4xx), for `hcd explain`. Neither addresses nor credentials. */
import { Op } from 'sequelize';
import type { Tx } from '../../store/base/database.js';
import { fromNow, id, integer, orNull, text, time } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { dayMs } from '../../values/dates.js';

export const refusals = defineModel('hcd_refusals', {
  id: id(),
  requestId: text(64),
  createdOn: time(),
  api: text(32),
  method: text(16),
  /** The pattern, such as `/resources/:id`; null when no route fits. */
  route: orNull(text(190)),
  status: integer(),
  checkName: text(16),
  code: text(32),
  reason: text(),
  wouldPass: text(),
});

export type RefusalRow = RowOf<typeof refusals>;

/** The newest rows are kept even when they are older than a day. */
const leastKept = 1000;
/** A few megabytes. */
const mostKept = 20_000;

export async function removeOldRefusals(tx: Tx): Promise<void> {
  const beyond = (rows: number) =>
    refusals.on(tx).findOne({ attributes: ['id'], order: [['id', 'DESC']], offset: rows });
  const surplus = await beyond(mostKept);
  if (surplus !== null) await refusals.on(tx).destroy({ where: { id: { [Op.lte]: surplus.id } } });
  const last = await beyond(leastKept);
  if (last === null) return;
  const isOld = { createdOn: { [Op.lt]: fromNow(tx, -dayMs) } };
  await refusals.on(tx).destroy({ where: { id: { [Op.lte]: last.id }, ...isOld } });
}
