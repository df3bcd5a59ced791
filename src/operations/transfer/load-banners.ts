/** Writes the records of an export that belong to the banners, in the transaction of the caller. */

import { appendLink } from '../../banners/management/banner-links.js';
import { checkPosition, insertPosition } from '../../banners/management/positions.js';
import { checkPreset } from '../../banners/management/presets.js';
import { addBanner } from '../../banners/models/ads.js';
import { positions as positionModel } from '../../banners/models/positions.js';
import { presets } from '../../banners/models/presets.js';
import { largestWeight } from '../../banners/rules/banner.js';
import { bannerValueNames } from '../../banners/rules/banner-fields.js';
import { completeBanner, readBannerBody } from '../../banners/rules/read-banner-body.js';
import type { Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/database-time.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import { linkPages, readResource, reference } from './members.js';
import { type Names, WrongValue } from './names.js';
import { fieldProblems, listProblems, type Problems, type TransferRecord } from './read-records.js';

interface BannerLoad {
  readonly records: AsyncIterable<TransferRecord>;
  /** Of the content, which may be in another database. */
  readonly names: Names;
  readonly problems: Problems;
}

/** Ids by name. */
export interface LoadedBanners {
  readonly banners: ReadonlyMap<string, number>;
  readonly positions: ReadonlyMap<string, number>;
}

interface Load {
  readonly names: Names;
  readonly banners: Map<string, number>;
  readonly positions: Map<string, number>;
  /** Of the record, each after the name of its member. */
  readonly problems: string[];
}

type Loader = (tx: Tx, record: JsonObject, load: Load) => Promise<unknown>;

export const bannerKinds: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ['positions', loadPosition],
  ['banners', loadBanner],
  ['presets', loadPreset],
]);

/** Throws `refused` with all problems by line; then the transaction must not be kept. */
export async function loadBanners(tx: Tx, { records, names, problems }: BannerLoad): Promise<LoadedBanners> {
  const loaded = { banners: new Map<string, number>(), positions: new Map<string, number>() };
  for await (const { at, object, record } of records) {
    const loader = bannerKinds.get(object);
    if (loader === undefined) {
      problems.add(at, `object ${JSON.stringify(object)} is unknown; known are ${[...bannerKinds.keys()].join(', ')}`);
      continue;
    }
    const load: Load = { ...loaded, names, problems: [] };
    try {
      await loader(tx, record, load);
    } catch (error) {
      load.problems.push(...fieldProblems(error));
    }
    for (const problem of load.problems) problems.add(at, `${object}.${problem}`);
  }
  problems.refuseAny();
  return loaded;
}

async function loadPosition(tx: Tx, record: JsonObject, { names, positions, problems }: Load): Promise<void> {
  noteUnknown(record, ['name', 'context_key'], problems);
  const { name, context_key: context = '' } = record;
  if (typeof name !== 'string') problems.push('name: must be a text');
  if (typeof context !== 'string') problems.push('context_key: must be a text');
  else if (context !== '') await tryTo('context_key', problems, () => names.idOf('contexts', context));
  if (typeof name !== 'string' || typeof context !== 'string' || problems.length > 0) return;
  positions.set(name, await insertPosition(tx, checkPosition({ name, context_key: context })));
}

/** Members that refer to something, with the field of a banner that gets its id. */
const referring = {
  source: ['source', reference('media_sources', 'source').read],
  target_resource: ['target_resource_id', readResource],
  target_parent: ['target_parent_id', readResource],
} as const;
const members = [
  ...bannerValueNames.filter((name) => !name.startsWith('target_')),
  'target_resource',
  'target_parent',
  'positions',
];

async function loadBanner(tx: Tx, record: JsonObject, load: Load): Promise<void> {
  const { names, problems } = load;
  noteUnknown(record, members, problems);
  const { source, target_resource, target_parent, positions = [], url, ...plain } = record;
  const body: Record<string, unknown> = { ...plain, ...(url === undefined ? {} : { url }) };
  for (const [member, [field, read]] of Object.entries(referring)) {
    const given = record[member] ?? null;
    if (given !== null) await tryTo(member, problems, async () => (body[field] = await read(given, names)));
  }
  if (typeof url === 'string') await tryTo('url', problems, async () => (body['url'] = await linkPages(url, names)));
  let links: readonly LinkTo[] = [];
  await tryTo('positions', problems, async () => (links = await readLinks(tx, positions, load)));
  // Unknown members are reported above.
  const known = Object.entries(body).filter(([name]) => bannerValueNames.some((field) => field === name));
  const request = readBannerBody(Object.fromEntries(known));
  const values = completeBanner(request);
  problems.push(...listProblems(request.problems.fields));
  if (values === null || problems.length > 0) return;
  const ad = await addBanner(tx, values);
  load.banners.set(values.name, ad);
  for (const { position, weight } of links) await appendLink(tx, { ad, position, weight });
}

/** Adds a wrong value to the problems. */
async function tryTo(name: string, problems: string[], read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error;
    problems.push(`${name}: ${error.message}`);
  }
}

interface LinkTo {
  readonly position: number;
  readonly weight: number;
}

/** `[{"position": "header", "weight": 2}]`; a banner comes behind those that the position has. */
async function readLinks(tx: Tx, given: unknown, { positions }: Load): Promise<readonly LinkTo[]> {
  const wrong = new WrongValue(`must be a list of {"position": "…", "weight": 1 to ${largestWeight}}`);
  if (!Array.isArray(given)) throw wrong;
  const links: LinkTo[] = [];
  for (const one of given) {
    if (!isJsonObject(one)) throw wrong;
    const { position: name, weight = 1, ...others } = one;
    const isWeight = typeof weight === 'number' && Number.isInteger(weight) && weight >= 1 && weight <= largestWeight;
    if (typeof name !== 'string' || !isWeight || Object.keys(others).length > 0) throw wrong;
    const position = positions.get(name) ?? (await positionModel.on(tx).lookUpAll({ name }, { order: ['id'] }))[0]?.id;
    if (position === undefined) throw new WrongValue(`there is no position ${JSON.stringify(name)}`);
    links.push({ position, weight });
  }
  return links;
}

async function loadPreset(tx: Tx, record: JsonObject, { problems }: Load): Promise<void> {
  noteUnknown(record, ['name', 'type', 'tpl', 'defaults'], problems);
  const { name, type, tpl = '', defaults = {} } = record;
  if (typeof name !== 'string') problems.push('name: must be a text');
  if (typeof type !== 'string') problems.push('type: must be a text');
  if (typeof tpl !== 'string') problems.push('tpl: must be a text');
  if (!isJsonObject(defaults)) problems.push('defaults: must be an object');
  if (problems.length > 0 || typeof name !== 'string' || typeof type !== 'string') return;
  if (typeof tpl !== 'string' || !isJsonObject(defaults)) return;
  const preset = checkPreset({ name, type, tpl, defaults });
  if ((await presets.on(tx).lookUp({ name })) !== null) problems.push('name: the name is already in use');
  else await presets.on(tx).create({ ...preset, createdOn: fromNow(tx) });
}

function noteUnknown(record: JsonObject, known: readonly string[], problems: string[]): void {
  const unknown = Object.keys(record).filter((name) => !known.includes(name));
  problems.push(...unknown.map((name) => `${name}: is unknown; known are ${known.join(', ')}`));
}
