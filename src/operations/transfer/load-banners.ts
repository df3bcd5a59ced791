/** Writes the records of an export that belong to the banners, in the transaction of the caller. */

import { appendLink } from '../../banners/management/banner-links.js';
import { checkPosition, insertPosition } from '../../banners/management/positions.js';
import { checkPreset } from '../../banners/management/presets.js';
import { addBanner } from '../../banners/models/ads.js';
import { positions as positionModel } from '../../banners/models/positions.js';
import { presets } from '../../banners/models/presets.js';
import { type BannerValues, largestWeight } from '../../banners/rules/banner.js';
import { bannerValueNames } from '../../banners/rules/banner-fields.js';
import { completeBanner, readBannerBody } from '../../banners/rules/read-banner-body.js';
import { ValueProblem } from '../../content/objects/values.js';
import { AppError } from '../../errors/app-error.js';
import type { Tx } from '../../store/base/database.js';
import { fromNow } from '../../store/models/database-time.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import { linkPages, readResource } from './members.js';
import { Missing, type Names } from './names.js';
import type { Problems, TransferRecord } from './read-records.js';

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
}

/** The problems of a record. */
type Loader = (tx: Tx, record: JsonObject, load: Load) => Promise<readonly string[]>;

export const bannerKinds: ReadonlyMap<string, Loader> = new Map<string, Loader>([
  ['positions', loadPosition],
  ['banners', loadBanner],
  ['presets', loadPreset],
]);

/** Throws `refused` with all problems by line; then the transaction must not be kept. */
export async function loadBanners(tx: Tx, { records, names, problems }: BannerLoad): Promise<LoadedBanners> {
  const load = { names, banners: new Map<string, number>(), positions: new Map<string, number>() };
  for await (const { at, object, record } of records) {
    const loader = bannerKinds.get(object);
    if (loader === undefined) {
      problems.add(at, `object ${JSON.stringify(object)} is unknown; known are ${[...bannerKinds.keys()].join(', ')}`);
    } else
      for (const problem of await tryLoading(loader, { tx, record, load })) problems.add(at, `${object}.${problem}`);
  }
  problems.refuseAny();
  return load;
}

async function tryLoading(
  loader: Loader,
  { tx, record, load }: { readonly tx: Tx; readonly record: JsonObject; readonly load: Load },
): Promise<readonly string[]> {
  try {
    return await loader(tx, record, load);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'validation_failed' || !error.details.fields) throw error;
    return problemsOf(error.details.fields);
  }
}

async function loadPosition(tx: Tx, record: JsonObject, { names, positions }: Load): Promise<readonly string[]> {
  const problems = unknownMembers(record, ['name', 'context_key']);
  const { name, context_key: context = '' } = record;
  if (typeof name !== 'string') problems.push('name: must be a text');
  if (typeof context !== 'string') problems.push('context_key: must be a text');
  else if (context !== '' && (await names.idOf('contexts', context)) instanceof Missing) {
    problems.push(`context_key: there is no context ${JSON.stringify(context)}`);
  }
  if (typeof name !== 'string' || typeof context !== 'string' || problems.length > 0) return problems;
  positions.set(name, await insertPosition(tx, checkPosition({ name, context_key: context })));
  return [];
}

/** Members whose values are ids in the fields of a banner. */
const referring = {
  source: 'source',
  target_resource: 'target_resource_id',
  target_parent: 'target_parent_id',
} as const;
const members = [
  ...bannerValueNames.filter((name) => !name.startsWith('target_')),
  'target_resource',
  'target_parent',
  'positions',
];

async function loadBanner(tx: Tx, record: JsonObject, load: Load): Promise<readonly string[]> {
  const { names } = load;
  const problems = unknownMembers(record, members);
  const { source, target_resource, target_parent, positions = [], url, ...plain } = record;
  const body: Record<string, unknown> = { ...plain };
  const take = (member: keyof typeof referring, read: number | string | Missing | ValueProblem): void => {
    if (read instanceof Missing || read instanceof ValueProblem) problems.push(`${member}: ${read.problem}`);
    else body[referring[member]] = read;
  };
  if (typeof source === 'string') {
    const id = await names.idOf('media_sources', source);
    take('source', id instanceof Missing ? id : Number(id));
  } else if (source !== undefined && source !== null) take('source', new ValueProblem('must be a name'));
  for (const [member, place] of Object.entries({ target_resource, target_parent })) {
    if (place === undefined || place === null) continue;
    take(member === 'target_parent' ? member : 'target_resource', await readResource(place, names));
  }
  const linked = typeof url === 'string' ? await linkPages(url, names) : url;
  if (linked instanceof Missing) problems.push(`url: ${linked.problem}`);
  else if (linked !== undefined) body['url'] = linked;
  const links = await readLinks(tx, positions, load);
  if (links instanceof ValueProblem) problems.push(`positions: ${links.problem}`);
  const values = readValues(body, problems);
  if (values === null || links instanceof ValueProblem || problems.length > 0) return problems;
  const ad = await addBanner(tx, values);
  load.banners.set(values.name, ad);
  for (const { position, weight } of links) {
    await appendLink(tx, { ad, position, weight });
  }
  return [];
}

function readValues(body: JsonObject, problems: string[]): BannerValues | null {
  // What is unknown was named already.
  const known = Object.entries(body).filter(([name]) => bannerValueNames.some((field) => field === name));
  const request = readBannerBody(Object.fromEntries(known));
  const values = completeBanner(request);
  problems.push(...problemsOf(request.problems.fields));
  return values;
}

interface LinkTo {
  readonly position: number;
  readonly weight: number;
}

/** `[{"position": "header", "weight": 2}]`; a banner comes behind those that the position has. */
async function readLinks(tx: Tx, given: unknown, { positions }: Load): Promise<readonly LinkTo[] | ValueProblem> {
  const wrong = new ValueProblem(`must be a list of {"position": "…", "weight": 1 to ${largestWeight}}`);
  if (!Array.isArray(given)) return wrong;
  const links: LinkTo[] = [];
  for (const one of given) {
    if (!isJsonObject(one)) return wrong;
    const { position: name, weight = 1, ...others } = one;
    const isWeight = typeof weight === 'number' && Number.isInteger(weight) && weight >= 1 && weight <= largestWeight;
    if (typeof name !== 'string' || !isWeight || Object.keys(others).length > 0) return wrong;
    const position = positions.get(name) ?? (await positionModel.on(tx).lookUpAll({ name }, { order: ['id'] }))[0]?.id;
    if (position === undefined) return new ValueProblem(`there is no position ${JSON.stringify(name)}`);
    links.push({ position, weight });
  }
  return links;
}

async function loadPreset(tx: Tx, record: JsonObject): Promise<readonly string[]> {
  const problems = unknownMembers(record, ['name', 'type', 'tpl', 'defaults']);
  const { name, type, tpl = '', defaults = {} } = record;
  if (typeof name !== 'string') problems.push('name: must be a text');
  if (typeof type !== 'string') problems.push('type: must be a text');
  if (typeof tpl !== 'string') problems.push('tpl: must be a text');
  if (!isJsonObject(defaults)) problems.push('defaults: must be an object');
  if (problems.length > 0 || typeof name !== 'string' || typeof type !== 'string') return problems;
  if (typeof tpl !== 'string' || !isJsonObject(defaults)) return problems;
  const preset = checkPreset({ name, type, tpl, defaults });
  if ((await presets.on(tx).lookUp({ name })) !== null) return ['name: the name is already in use'];
  await presets.on(tx).create({ ...preset, createdOn: fromNow(tx) });
  return [];
}

function unknownMembers(record: JsonObject, known: readonly string[]): string[] {
  const unknown = Object.keys(record).filter((name) => !known.includes(name));
  return unknown.map((name) => `${name}: is unknown; known are ${known.join(', ')}`);
}

function problemsOf(fields: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(fields).flatMap(([name, problems]) => problems.map((problem) => `${name}: ${problem}`));
}
