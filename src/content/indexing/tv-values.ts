/**
 * The index of template variable values. Resources below a written one are indexed again, because they may inherit. Defaults are rows
 * too: joined at query time, an order would have three parts and no index could count a filter.
 */

import type { Reader, Tx } from '../../store/base/database.js';
import { groupBy } from '../../values/batches.js';
import { contextSettings, systemSettings } from '../models/settings.js';
import { readTvRows, type TvRow, type TvRowFacts, tvs, tvTemplates } from '../models/template-variables.js';
import {
  hasInheriting,
  inheritingRow,
  readIndexedIds,
  readInheriting,
  readTvIndex,
  replaceTvIndex,
  type TvIndexRow,
  tvIndex,
  tvParts,
  writeTvIndex,
} from '../models/tv-values.js';
import { readDescendants, resolveInherited } from '../reading/ancestors.js';
import { type IndexedValue, indexReader } from '../rules/tv-index.js';
import { isInherited, knownTimeZone } from '../rules/tv-values.js';
import type { ContentIndex, Source } from './content-index.js';

/** If more resources are below a written one, the sweep finds the others. */
const mostBelow = 1000;
/** Version of the index. */
const form = 2;
/** Marks the index as complete. No resource has this id, so no sweep meets it. */
const whole: TvIndexRow = { resource: 0, tv: 0, part: 0, place: 0, number: form, text: null, whole: null };

export const tvValues: ContentIndex = {
  async compare(own, source, { ids, areNew, range }) {
    const all = areNew || range ? ids : [...new Set([...ids, ...(await inheritingBelow(own, source, ids))])];
    const known = areNew ? [] : range ? await readIndexedIds(own, range) : all;
    const [wanted, stored] = [
      byResource(await wantedRows(source, all)),
      byResource(known.length === 0 ? [] : await readTvIndex(own, known)),
    ];
    const changed = [...new Set([...wanted.keys(), ...stored.keys()])].filter(
      (id) => textOf(wanted.get(id)) !== textOf(stored.get(id)),
    );
    const [former, rows] = [changed.filter((id) => stored.has(id)), changed.flatMap((id) => wanted.get(id) ?? [])];
    return { ids: changed, write: (tx) => replaceTvIndex(tx, former, rows) };
  },

  isWhole: async (own) =>
    (await tvIndex.on(own).lookUpAll({ resource: whole.resource }, { limit: 1 }))[0]?.number === whole.number,
  setWhole: (tx) => writeTvIndex(tx, [whole]),
};

/** Without prefix: what they hold decides entries of many resources. */
export const tablesOfTvs: readonly string[] = [tvs.table, tvTemplates.table];

/** Until all resources have been looked at again. */
export async function distrustTvValues(tx: Tx): Promise<void> {
  await tvIndex.on(tx).destroy({ where: { resource: whole.resource } });
}

async function inheritingBelow(
  own: Reader,
  { reader: db, prefix }: Source,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0 || !(await hasInheriting(own))) return [];
  const below = await readDescendants({ db, prefix }, { ids, most: mostBelow });
  return below === null || below.length === 0 ? [] : readInheriting(own, below);
}

function byResource(rows: readonly TvIndexRow[]): ReadonlyMap<number, readonly TvIndexRow[]> {
  return groupBy(rows, ({ resource }) => resource);
}

function textOf(rows: readonly TvIndexRow[] = []): string {
  return rows
    .map(({ tv, part, place, number, text, whole }) => JSON.stringify([tv, part, place, number, text, whole]))
    .sort()
    .join();
}

async function wantedRows({ reader: db, prefix }: Source, ids: readonly number[]): Promise<readonly TvIndexRow[]> {
  const found = await readTvRows(db, prefix, { resources: ids, names: null, withFacts: true });
  const met = new Set<string>();
  // Old databases may hold a value twice: the first row counts (docs/reference/storage.md#stored-values).
  const tvs = found.filter(({ resource, tv }) => met.size < met.add(`${resource} ${tv}`).size);
  const { values } = await resolveInherited({ db, prefix }, tvs);
  const zoneOf = tvs.some(({ facts }) => facts?.type === 'date') ? await readZones(db, prefix) : () => 'UTC';
  const readers = new Map<number, ReturnType<typeof indexReader>>();
  const rows: TvIndexRow[] = [];
  const inheriting = new Set<number>();
  for (const tv of tvs) {
    if (tv.facts === null) continue;
    if (isInherited(tv.stored ?? tv.defaultText)) inheriting.add(tv.resource);
    const read = readers.get(tv.tv) ?? indexReader(tv.facts);
    readers.set(tv.tv, read);
    const value = read(values(tv), zoneOf(tv.facts));
    if (value !== null) rows.push(...rowsOf(tv, value));
  }
  return [...rows, ...[...inheriting].map(inheritingRow)];
}

function rowsOf({ resource, tv }: TvRow, { number, text, whole: rest, members }: IndexedValue): TvIndexRow[] {
  return [
    { resource, tv, part: tvParts.value, place: 0, number, text, whole: rest },
    ...members.map((one, place) => ({ resource, tv, part: tvParts.member, place, number: null, ...one })),
  ];
}

async function readZones(reader: Reader, prefix: string): Promise<(facts: TvRowFacts) => string> {
  const key = 'date_timezone';
  const system = await systemSettings.on(reader, prefix).lookUpAll({ key }, { attributes: ['value'] });
  const ofContexts = await contextSettings.on(reader, prefix).lookUpAll({ key });
  const zones = new Map(ofContexts.map(({ contextKey, value }) => [contextKey, value]));
  return ({ context }) => knownTimeZone(zones.get(context) ?? system[0]?.value ?? '');
}
