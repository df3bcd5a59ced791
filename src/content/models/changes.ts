/** Our log of changed rows, and the CMS's log of editors' actions. A process that missed rows drops all it keeps. */
import { Op } from 'sequelize';
import type { Database, Tx } from '../../store/base/database.js';
import {
  dateText,
  id,
  integer,
  key,
  named,
  orNull,
  readTime,
  text,
  time,
  withDefaults,
} from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { nowMilliseconds } from '../../store/state/state.js';

export const changes = defineModel('hcd_changes', {
  generation: key(integer()),
  createdOn: time(),
  /** Null or no row: anything may have changed. */
  payload: orNull(text()),
  readOn: readTime(),
});

/** Milliseconds that a change is kept for processes that fell behind. */
const lifetime = 300_000;
const batch = 1000;

export async function writeChange(
  tx: Tx,
  { generation, payload }: Pick<RowOf<typeof changes>, 'generation' | 'payload'>,
): Promise<void> {
  const sql = `INSERT INTO \`hcd_changes\` (\`generation\`, \`created_on\`, \`payload\`) VALUES (?, ${nowMilliseconds(tx.dialect)}, ?)`;
  await tx.run({ sql, params: [generation, payload] });
}

export async function removeOldChanges(own: Database): Promise<boolean> {
  // The oldest rows by their key, so that few rows are read.
  const oldest = await changes
    .on(own.primary)
    .lookUpAll({}, { attributes: ['generation', 'createdOn', 'readOn'], order: ['generation'], limit: batch });
  const old = oldest.filter(({ createdOn, readOn }) => createdOn < readOn - lifetime);
  const last = old.at(-1);
  if (last === undefined) return false;
  await own.write((tx) => changes.on(tx).destroy({ where: { generation: { [Op.lte]: last.generation } } }));
  return old.length >= batch;
}

export const managerLog = defineModel('manager_log', {
  id: id(),
  ...withDefaults({
    occurred: dateText(),
    action: text(100),
    classKey: named('classKey', text(100)),
    item: text(255),
  }),
});

export type ManagerLogRow = RowOf<typeof managerLog>;
