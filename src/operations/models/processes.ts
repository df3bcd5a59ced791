/** Servers and workers, one row for each, which it writes again every few seconds. */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { commaList, integer, json, key, orNull, text, time } from '../../store/models/columns.js';
import { fromNow, readTime } from '../../store/models/database-time.js';
import { defineModel, type RowOf } from '../../store/models/model.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';

export type ProcessRow = RowOf<typeof processes>;

export const processes = defineModel('hcd_processes', {
  id: key(text(32)),
  host: text(190),
  pid: integer(),
  /** `server` or `worker`. */
  role: text(8),
  /** Where a server listens; empty for a worker. */
  url: text(190),
  apis: commaList(64),
  version: text(64),
  startedOn: time(),
  /** 0 after an orderly end, which only the row of a worker survives. */
  seenOn: time(),
  rssBytes: time(),
  /** What it counted in the last minutes, as `Counts`. */
  counts: json(readCounts),
  /** When a worker had looked for deliveries and sent those that were due; null for a server. */
  lastPassOn: orNull(time()),
  readOn: readTime(),
});

export interface Requests {
  readonly requests: number;
  /** Answers from 500 on. */
  readonly errors: number;
  /** Refused because a limit was reached (429). */
  readonly limited: number;
}

export type InterfaceName = 'gateway' | 'pages' | 'banners';

export interface Counts {
  readonly requests: Readonly<Record<InterfaceName, Requests>>;
  /** Anonymous answers from memory, and those that had to be made. */
  readonly cache: { readonly hits: number; readonly misses: number };
}

/** Milliseconds between two writes of a row. */
export const writeEveryMs = 5000;
/** A process that has not written for so many milliseconds has ended. */
const aliveMs = 20_000;
/** Milliseconds after which a row without a living process is removed. */
const keptMs = 300_000;

/** The processes that are alive, the oldest first. */
export function readAlive(reader: Reader): Promise<ProcessRow[]> {
  const where = { seenOn: { [Op.gt]: fromNow(reader, -aliveMs) } };
  return processes.on(reader).findAll({ where, order: ['startedOn', 'id'] });
}

/** When the last pass of any worker ended, in Unix milliseconds of the database; null when no worker has run. */
export function readLastPass(reader: Reader): Promise<number | null> {
  return processes.on(reader).max('lastPassOn', { where: { role: 'worker' } });
}

/** Removes rows of processes that have ended, except that of the last pass of a worker. */
export async function removeEndedProcesses(tx: Tx): Promise<void> {
  const lastPass = await readLastPass(tx);
  const isNoPass = { [Op.or]: [{ lastPassOn: null }, { lastPassOn: { [Op.lt]: lastPass ?? 0 } }] };
  await processes.on(tx).destroy({ where: { seenOn: { [Op.lt]: fromNow(tx, -keptMs) }, ...isNoPass } });
}

function readCounts(value: unknown): Counts {
  const requests = memberOf(value, 'requests');
  const cache = memberOf(value, 'cache');
  const of = (name: InterfaceName): Requests => {
    const counted = memberOf(requests, name);
    return {
      requests: numberOf(counted, 'requests'),
      errors: numberOf(counted, 'errors'),
      limited: numberOf(counted, 'limited'),
    };
  };
  return {
    requests: { gateway: of('gateway'), pages: of('pages'), banners: of('banners') },
    cache: { hits: numberOf(cache, 'hits'), misses: numberOf(cache, 'misses') },
  };
}

function memberOf(value: unknown, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function numberOf(value: JsonObject, name: string): number {
  return Number(value[name]) || 0;
}
