/** Servers and workers, one row for each, which it writes again every few seconds. */
import { Op } from 'sequelize';
import type { Reader, Tx } from '../../store/base/database.js';
import { commaList, fromNow, integer, json, key, orNull, readTime, text, time } from '../../store/models/columns.js';
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
  counts: json(readCounts),
  /** When a worker had sent the deliveries that were due; null for a server. */
  lastPassOn: orNull(time()),
  readOn: readTime(),
});

export type InterfaceName = 'gateway' | 'pages' | 'banners';

/** Errors are answers from 500 on. */
type Figure = 'requests' | 'errors' | 'limited';

export interface Counts {
  readonly requests: Record<InterfaceName, Record<Figure, number>>;
  /** Anonymous answers from memory, and those that had to be made. */
  readonly cache: { readonly hits: number; readonly misses: number };
}

export const writeEveryMs = 5000;
/** A process that has not written for so long has ended. */
const aliveMs = 20_000;
const keptMs = 300_000;

export function readAlive(reader: Reader): Promise<ProcessRow[]> {
  const where = { seenOn: { [Op.gt]: fromNow(reader, -aliveMs) } };
  return processes.on(reader).findAll({ where, order: ['startedOn', 'id'] });
}

/** Unix milliseconds of the database; null when no worker has run. */
export function readLastPass(reader: Reader): Promise<number | null> {
  return processes.on(reader).max('lastPassOn', { where: { role: 'worker' } });
}

export async function removeEndedProcesses(tx: Tx): Promise<void> {
  const lastPass = await readLastPass(tx);
  const isNoPass = { [Op.or]: [{ lastPassOn: null }, { lastPassOn: { [Op.lt]: lastPass ?? 0 } }] };
  await processes.on(tx).destroy({ where: { seenOn: { [Op.lt]: fromNow(tx, -keptMs) }, ...isNoPass } });
}

function readCounts(value: unknown): Counts {
  const requests = memberOf(value, 'requests');
  const cache = memberOf(value, 'cache');
  return {
    requests: requestsOf((name, figure) => numberOf(memberOf(requests, name), figure)),
    cache: { hits: numberOf(cache, 'hits'), misses: numberOf(cache, 'misses') },
  };
}

function requestsOf(read: (name: InterfaceName, figure: Figure) => number): Counts['requests'] {
  const of = (name: InterfaceName) => ({
    requests: read(name, 'requests'),
    errors: read(name, 'errors'),
    limited: read(name, 'limited'),
  });
  return { gateway: of('gateway'), pages: of('pages'), banners: of('banners') };
}

/** What several minutes or processes have counted, as one; all zero for none. */
export function sumOfRequests(counts: readonly Pick<Counts, 'requests'>[]): Counts['requests'] {
  return requestsOf((name, figure) => counts.reduce((all, { requests }) => all + requests[name][figure], 0));
}

function memberOf(value: unknown, name: string): JsonObject {
  const member = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(member) ? member : {};
}

function numberOf(value: JsonObject, name: string): number {
  return Number(value[name]) || 0;
}
