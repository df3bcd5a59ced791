/** Our log of changed rows, the CMS's log of editors' actions, and the times that MariaDB keeps of its tables. */
import { Op } from 'sequelize';
import type { Database, Reader } from '../../store/base/database.js';
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

export const changes = defineModel('hcd_changes', {
  generation: key(integer()),
  createdOn: time(),
  /** Null or a missing row: anything may have changed, so a process drops all that it keeps. */
  payload: orNull(text()),
  readOn: readTime(),
});

/** Milliseconds that a change is kept for processes that fell behind. */
const lifetime = 300_000;
const batch = 1000;

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

const timedEngines: ReadonlySet<string> = new Set(['INNODB', 'MYISAM']);

export interface TableTime {
  readonly mark: string;
  /** A further change may have the same time, or this one may not be visible yet. */
  readonly isRecent: boolean;
}

/** By name; tables without a time, and those that the user of the database may not see, are left out. */
export async function readTimes(reader: Reader, tables: readonly string[]): Promise<ReadonlyMap<string, TableTime>> {
  const marks = tables.map(() => '?').join(', ');
  const rows = await reader.select({
    sql: `SELECT TABLE_NAME, ENGINE, UNIX_TIMESTAMP(CREATE_TIME), UNIX_TIMESTAMP(UPDATE_TIME), UNIX_TIMESTAMP()
FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${marks})`,
    params: tables,
  });
  const times = new Map<string, TableTime>();
  for (const [name, engine, made, changed, now] of rows) {
    if (!timedEngines.has(String(engine).toUpperCase())) continue;
    // The server forgets the time when it restarts; that counts as a change.
    times.set(String(name), { mark: `${made} ${changed}`, isRecent: Number(changed) + 1 >= Number(now) });
  }
  return times;
}
