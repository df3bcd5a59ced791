/**
 * The index of template variable values. Resources below a written one are indexed again, because they may inherit. Defaults are rows
 * too: joined at query time, an order would have three parts and no index could count a filter.
 */

import type { Reader, Tx } from '../../store/base/database.js';
import { contextSettings, systemSettings } from '../models/settings.js';
import { readTvRows, type TvRow, tvs, tvTemplates } from '../models/template-variables.js';
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
    const wanted = byText(await wantedRows(source, all));
    const stored = byText(known.length === 0 ? [] : await readTvIndex(own, known));
    const differing = [...wanted].filter(([text]) => !stored.has(text));
    const places = new Set(differing.map(([, row]) => placeOf(row)));
    const gone = [...stored].filter(([text, row]) => !wanted.has(text) && !places.has(placeOf(row)));
    const former = new Set(gone.map(([, { resource }]) => resource));
    const rows = [...wanted].filter(([text, { resource }]) => former.has(resource) || !stored.has(text));
    const changed = [...new Set([...former, ...rows.map(([, { resource }]) => resource)])];
    return {
      ids: changed,
      write: (tx) =>
        replaceTvIndex(
          tx,
          [...former],
          rows.map(([, row]) => row),
        ),
    };
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

function byText(rows: readonly TvIndexRow[]): ReadonlyMap<string, TvIndexRow> {
  const textOf = ({ resource, tv, part, place, number, text, whole }: TvIndexRow) =>
    JSON.stringify([resource, tv, part, place, number, text, whole]);
  return new Map(rows.map((row) => [textOf(row), row]));
}

function placeOf({ resource, tv, part, place }: TvIndexRow): string {
  return JSON.stringify([resource, tv, part, place]);
}

async function wantedRows({ reader: db, prefix }: Source, ids: readonly number[]): Promise<readonly TvIndexRow[]> {
  const tvs = await readTvRows(db, prefix, { resources: ids, names: null });
  const { values } = await resolveInherited({ db, prefix }, tvs);
  const zoneOf = tvs.some(({ variable }) => variable.type === 'date') ? await readZones(db, prefix) : () => 'UTC';
  const readers = new Map<number, ReturnType<typeof indexReader>>();
  const rows: TvIndexRow[] = [];
  const inheriting = new Set<number>();
  for (const tv of tvs) {
    const { variable } = tv;
    if (isInherited(tv.stored ?? variable.defaultText)) inheriting.add(tv.resource);
    const read = readers.get(variable.id) ?? indexReader(variable);
    readers.set(variable.id, read);
    const value = read(values(tv), zoneOf(tv));
    if (value !== null) rows.push(...rowsOf(tv, value));
  }
  return [...rows, ...[...inheriting].map(inheritingRow)];
}

function rowsOf(
  { resource, variable: { id: tv } }: TvRow,
  { number, text, whole: rest, members }: IndexedValue,
): TvIndexRow[] {
  return [
    { resource, tv, part: tvParts.value, place: 0, number, text, whole: rest },
    ...members.map((one, place) => ({ resource, tv, part: tvParts.member, place, number: null, ...one })),
  ];
}

async function readZones(reader: Reader, prefix: string): Promise<(tv: TvRow) => string> {
  const key = 'date_timezone';
  const system = await systemSettings.on(reader, prefix).lookUpAll({ key }, { attributes: ['value'] });
  const ofContexts = await contextSettings.on(reader, prefix).lookUpAll({ key });
  const zones = new Map(ofContexts.map(({ contextKey, value }) => [contextKey, value]));
  return ({ context }) => knownTimeZone(zones.get(context) ?? system[0]?.value ?? '');
}
