/** The index of values, inherited ones and defaults too: joined at query time, no index could count a filter. */

import { Op } from 'sequelize';
import { sha256Hex } from '../../crypto/primitives.js';
import type { Reader, Tx } from '../../store/base/database.js';
import { upsertRows } from '../../store/models/model.js';
import { groupBy } from '../../values/batches.js';
import { contextSettings, systemSettings } from '../models/settings.js';
import { readTvRows, type TvRow, tvs, tvTemplates } from '../models/template-variables.js';
import { type TvIndexRow, tvIndex, tvParts } from '../models/tv-values.js';
import { readDescendants, resolveInherited } from '../reading/ancestors.js';
import { type IndexedValue, indexReader } from '../rules/tv-types.js';
import { isInherited, knownTimeZone } from '../rules/tv-values.js';
import type { ContentIndex, Correction, Range, Source } from './content-index.js';

/** If more resources are below a written one, the sweep finds the others. */
const mostBelow = 1000;
/** Version of the index. */
const form = 2;
/** No sweep meets it. */
const noResource = 0;
const noVariable = 0;
/** Marks the index as complete. */
const whole = {
  ...{ resource: noResource, tv: noVariable, part: tvParts.value, place: 0 },
  ...{ number: form, text: null, whole: null },
} satisfies TvIndexRow;

export const tvValues: ContentIndex = {
  compare: (...asked) => compareValues(null, ...asked),

  async findUnseen(own, source) {
    const marks = new Map((await readTvIndex(own, [noResource])).map((row) => [row.tv, row]));
    const digests = await readDigests(source);
    const isWhole = marks.get(noVariable)?.number === form;
    marks.delete(noVariable);
    const all = new Set([...marks.keys(), ...digests.keys()]);
    const changed = isWhole ? new Set([...all].filter((tv) => marks.get(tv)?.text !== digests.get(tv))) : all;
    if (isWhole && changed.size === 0) return null;
    const made = [...digests].filter(([tv]) => changed.has(tv));
    const rows = made.map(([tv, text]) => ({ ...whole, tv, part: tvParts.made, number: null, text }));
    return {
      isShort: true,
      compare: (...asked) => compareValues(isWhole ? changed : null, ...asked),
      finish: (tx) => replaceTvIndex(tx, [noResource], { rows: [whole, ...rows], only: changed }),
    };
  },
};

async function compareValues(
  only: ReadonlySet<number> | null,
  ...[own, source, { ids, areNew, range }]: Parameters<ContentIndex['compare']>
): Promise<Correction> {
  const all = areNew || range ? ids : [...new Set([...ids, ...(await inheritingBelow(own, source, ids))])];
  const known = areNew ? [] : range && only === null ? await readIndexedIds(own, range) : all;
  const wanted = byText(await wantedRows(source, all, only));
  const stored = byText(known.length === 0 ? [] : await readTvIndex(own, known, only));
  const differing = [...wanted].filter(([text]) => !stored.has(text));
  const places = new Set(differing.map(([, row]) => placeOf(row)));
  const gone = [...stored].filter(([text, row]) => !wanted.has(text) && !places.has(placeOf(row)));
  const former = new Set(gone.map(([, { resource }]) => resource));
  const rows = [...wanted].filter(([text, { resource }]) => former.has(resource) || !stored.has(text));
  const changed = [...new Set([...former, ...rows.map(([, { resource }]) => resource)])];
  const written = { rows: rows.map(([, row]) => row), only };
  return { ids: changed, write: (tx) => replaceTvIndex(tx, [...former], written) };
}

/** Of what decides the entries of a variable. */
async function readDigests({ reader, prefix }: Source): Promise<ReadonlyMap<number, string>> {
  const attributes = ['id', 'type', 'elements', 'display', 'default_text'] as const;
  const found = await tvs.on(reader, prefix).lookUpAll({}, { attributes });
  const links = groupBy(await tvTemplates.on(reader, prefix).lookUpAll({}), ({ tmplvarid }) => tmplvarid);
  return new Map(
    found.map(({ id, ...facts }) => {
      const templates = (links.get(id) ?? []).map(({ templateid }) => templateid).sort((one, other) => one - other);
      return [id, sha256Hex(JSON.stringify([...Object.entries(facts).sort(), templates]))];
    }),
  );
}

/** Without prefix: what they hold decides entries of many resources. */
export const tablesOfTvs: readonly string[] = [tvs.table, tvTemplates.table];

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

async function wantedRows(
  { reader: db, prefix }: Source,
  ids: readonly number[],
  only: ReadonlySet<number> | null,
): Promise<readonly TvIndexRow[]> {
  const tvs = await readTvRows(db, prefix, { resources: ids, names: null, only });
  const { values } = await resolveInherited({ db, prefix }, tvs);
  const zoneOf = tvs.some(({ variable }) => variable.type === 'date') ? await readZones(db, prefix) : () => 'UTC';
  const rows: TvIndexRow[] = [];
  const inheriting = new Set<number>();
  for (const tv of tvs) {
    const { variable } = tv;
    if (isInherited(tv.stored ?? variable.defaultText)) inheriting.add(tv.resource);
    const value = indexReader(variable)(values(tv), zoneOf(tv));
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

const keys = ['resource', 'tv', 'part', 'place'] as const;
const columns = [...keys, 'number', 'text', 'whole'] as const;

type Only = ReadonlySet<number> | null;

export function readTvIndex(reader: Reader, resources: readonly number[], only: Only = null): Promise<TvIndexRow[]> {
  const key = only === null ? { resource: resources } : { resource: resources, tv: [...only] };
  return tvIndex.on(reader).lookUpAll(key, { order: keys });
}

async function readIndexedIds(reader: Reader, { after, upTo }: Range): Promise<readonly number[]> {
  const where = { resource: { [Op.gt]: after, [Op.lte]: upTo } };
  const rows = await tvIndex.on(reader).findAll({ attributes: ['resource'], where });
  return [...new Set(rows.map(({ resource }) => resource))];
}

export async function replaceTvIndex(
  tx: Tx,
  resources: readonly number[],
  { rows, only = null }: { readonly rows: readonly TvIndexRow[]; readonly only?: Only },
): Promise<void> {
  const ofThese = only === null ? {} : { tv: [...only] };
  if (resources.length > 0) await tvIndex.on(tx).destroy({ where: { resource: [...resources], ...ofThese } });
  // Another process may write the same rows meanwhile: they follow from the content.
  await upsertRows(tx, { table: tvIndex.table, columns, key: keys }, rows);
}

const inheriting = { tv: 0, part: tvParts.inherits } as const;

function inheritingRow(resource: number): TvIndexRow {
  return { resource, ...inheriting, place: 0, number: null, text: null, whole: null };
}

async function hasInheriting(reader: Reader): Promise<boolean> {
  return (await tvIndex.on(reader).lookUpAll(inheriting, { attributes: ['resource'], limit: 1 })).length > 0;
}

async function readInheriting(reader: Reader, resources: readonly number[]): Promise<readonly number[]> {
  const rows = await tvIndex.on(reader).lookUpAll({ ...inheriting, resource: resources }, { attributes: ['resource'] });
  return rows.map(({ resource }) => resource);
}
