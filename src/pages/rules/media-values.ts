/**
 * Readers of values with an address in them: files, pictures, videos, maps, buttons. Addresses that a player or a map
 * needs beside the given one are worked out here, when a draft is saved, so that readers find them in the document.
 */
import { isJsonObject, type JsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import { pageLimits } from './page-limits.js';
import { safeLink, safeSource } from './safe-url.js';
import { readText } from './text-values.js';
import type { ValueReading } from './value-reading.js';
import { embedOf } from './video-embed.js';

type Reading = Omit<ValueReading, 'field'>;
type Pairs = [string, unknown][];

const mediaTexts = ['path', 'filename', 'extension', 'name', 'title', 'type'];
const mediaNumbers = ['width', 'height', 'size'];

/** A file or picture; a text is its address alone. */
export function readMedia(reading: Reading): unknown {
  const { value, path, problems } = reading;
  if (typeof value === 'string') return readMedia({ ...reading, value: { url: value } });
  const known = ['url', 'id', ...mediaTexts, ...mediaNumbers, 'crops'];
  const given = readMembers(reading, known, 'a file');
  if (!given) return undefined;
  const pairs: Pairs = [];
  put(pairs, 'url', readSource({ value: memberOf(given, 'url') ?? '', path: `${path}.url`, problems }));
  const id = memberOf(given, 'id');
  if (typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id))) pairs.push(['id', id]);
  else if (id !== undefined && id !== null) problems.add(`${path}.id`, 'must be a whole number or a text');
  putTexts(pairs, { given, names: mediaTexts, path, problems });
  for (const name of mediaNumbers) {
    const number = memberOf(given, name);
    if (typeof number === 'number' && Number.isFinite(number) && number >= 0) pairs.push([name, number + 0]);
    else if (number !== undefined && number !== null) problems.add(`${path}.${name}`, 'must be a number from 0');
  }
  const crops = memberOf(given, 'crops');
  if (crops !== undefined && crops !== null)
    put(pairs, 'crops', readCrops({ value: crops, path: `${path}.crops`, problems }));
  return Object.freeze(objectOf(pairs));
}

export function readMediaList({ value, path, problems }: ValueReading): unknown {
  if (!Array.isArray(value) || value.length > pageLimits.items) {
    problems.add(path, `must be a list of at most ${pageLimits.items} files, not ${kindName(value)}`);
    return undefined;
  }
  const files = value.map((one: unknown, at) => readMedia({ value: one, path: `${path}[${at}]`, problems }));
  return Object.freeze(files.filter((file) => file !== undefined));
}

/** Cut-outs of a picture by name, each with its address and smaller ones. */
function readCrops({ value, path, problems }: Reading): unknown {
  if (!isJsonObject(value) || Object.keys(value).length > pageLimits.rules) {
    problems.add(path, `must be an object of at most ${pageLimits.rules} crops`);
    return undefined;
  }
  const crops = Object.entries(value).map(([name, crop]): [string, unknown] => {
    const reading = { value: crop, path: `${path}.${name}`, problems };
    if (!/^[\w-]{1,100}$/.test(name)) problems.add(reading.path, 'is not a name of letters, digits and hyphens');
    const given = readMembers(reading, ['url', 'variants'], 'a crop');
    const url = readSource({ value: given && memberOf(given, 'url'), path: `${reading.path}.url`, problems });
    const pairs: Pairs = [['url', url ?? '']];
    const variants = given && memberOf(given, 'variants');
    if (Array.isArray(variants))
      pairs.push(['variants', readVariants({ value: variants, path: reading.path, problems })]);
    return [name, Object.freeze(objectOf(pairs))];
  });
  return Object.freeze(objectOf(crops));
}

function readVariants({ value, path, problems }: Reading): unknown {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, pageLimits.rules) : [];
  const variants = list.map((one, at) => {
    const reading = { value: one, path: `${path}.variants[${at}]`, problems };
    const given = readMembers(reading, ['url', 'width', 'height'], 'a variant');
    const url = readSource({ value: given && memberOf(given, 'url'), path: `${reading.path}.url`, problems });
    const pairs: Pairs = [['url', url ?? '']];
    for (const name of ['width', 'height']) {
      const number = given && memberOf(given, name);
      if (typeof number === 'number' && Number.isFinite(number) && number >= 0) pairs.push([name, number + 0]);
    }
    return Object.freeze(objectOf(pairs));
  });
  return Object.freeze(variants);
}

/** A video by its address; the provider and the address of its player follow from it. A text is its address alone. */
export function readVideo(reading: ValueReading): unknown {
  const { value, path, problems } = reading;
  if (typeof value === 'string') return readVideo({ ...reading, value: { url: value } });
  const given = readMembers(reading, ['url', 'poster', 'embed_url', 'provider', 'watch_url'], 'a video');
  if (!given) return undefined;
  const url = readSource({ value: memberOf(given, 'url') ?? '', path: `${path}.url`, problems });
  if (url === undefined) return undefined;
  const pairs: Pairs = [['url', url]];
  const poster = memberOf(given, 'poster');
  if (poster !== undefined && poster !== null) {
    put(pairs, 'poster', readSource({ value: poster, path: `${path}.poster`, problems }));
  }
  // Never taken from the caller: what goes into a frame follows from the address.
  const embed = embedOf(url);
  if (embed) pairs.push(['embed_url', embed.embedUrl], ['provider', embed.provider], ['watch_url', embed.watchUrl]);
  return Object.freeze(objectOf(pairs));
}

const mapProviders = ['yandex', 'osm'] as const;

/** A point on a map. */
export function readMap(reading: ValueReading): unknown {
  const { path, problems } = reading;
  const given = readMembers(reading, ['lat', 'lng', 'zoom', 'provider', 'embed_url', 'watch_url'], 'a point');
  if (!given) return undefined;
  const lat = readWithin({ value: memberOf(given, 'lat'), path: `${path}.lat`, problems }, { least: -90, most: 90 });
  const lng = readWithin({ value: memberOf(given, 'lng'), path: `${path}.lng`, problems }, { least: -180, most: 180 });
  const zoom = readWithin(
    { value: memberOf(given, 'zoom') ?? 14, path: `${path}.zoom`, problems },
    { least: 0, most: 22 },
  );
  const name = memberOf(given, 'provider') ?? 'yandex';
  const provider = mapProviders.find((one) => one === name);
  if (!provider) problems.add(`${path}.provider`, `must be one of: ${mapProviders.join(', ')}`);
  if (lat === undefined || lng === undefined || zoom === undefined || !provider) return undefined;
  const embed =
    provider === 'osm'
      ? `https://www.openstreetmap.org/export/embed.html?marker=${lat}%2C${lng}`
      : `https://yandex.com/map-widget/v1/?ll=${lng}%2C${lat}&z=${zoom}&pt=${lng}%2C${lat}`;
  const watch =
    provider === 'osm'
      ? `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=${zoom}/${lat}/${lng}`
      : `https://yandex.com/maps/?ll=${lng}%2C${lat}&z=${zoom}&pt=${lng}%2C${lat}`;
  return Object.freeze(objectOf(Object.entries({ lat, lng, zoom, provider, embed_url: embed, watch_url: watch })));
}

/** A button or link: it is shown when both `label` and `url` are there. */
export function readButton(reading: ValueReading): unknown {
  const { path, problems } = reading;
  const given = readMembers(reading, ['label', 'url', 'target'], 'a button');
  if (!given) return undefined;
  const pairs: Pairs = [];
  putTexts(pairs, { given, names: ['label'], path, problems });
  const url = memberOf(given, 'url');
  if (url !== undefined && url !== null)
    put(pairs, 'url', readAddress({ value: url, path: `${path}.url`, problems }, safeLink));
  const target = memberOf(given, 'target');
  if (target === '' || target === '_self' || target === '_blank') pairs.push(['target', target]);
  else if (target !== undefined && target !== null) problems.add(`${path}.target`, 'must be one of: _self, _blank');
  return Object.freeze(objectOf(pairs));
}

function readWithin({ value, path, problems }: Reading, range: { readonly least: number; readonly most: number }) {
  if (typeof value === 'number' && value >= range.least && value <= range.most) return value + 0;
  problems.add(path, `must be a number from ${range.least} to ${range.most}`);
  return undefined;
}

function readSource(reading: Reading): string | undefined {
  return readAddress(reading, safeSource);
}

function readAddress(reading: Reading, rule: (address: string) => string | null): string | undefined {
  const text = readText(reading, pageLimits.textCharacters);
  if (text === undefined || text.trim() === '') return text?.trim();
  const address = rule(text);
  if (address === null) reading.problems.add(reading.path, 'must be a relative address, or one of http or https');
  return address ?? undefined;
}

function readMembers({ value, path, problems }: Reading, known: readonly string[], what: string): JsonObject | null {
  if (!isJsonObject(value)) {
    problems.add(path, `must be ${what}: an object with ${known.join(', ')}; not ${kindName(value)}`);
    return null;
  }
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      problems.add(`${path}.${name.slice(0, 100)}`, `is not known; known are ${known.join(', ')}`);
  }
  return value;
}

function putTexts(
  pairs: Pairs,
  {
    given,
    names,
    path,
    problems,
  }: { given: JsonObject; names: readonly string[]; path: string } & Pick<Reading, 'problems'>,
): void {
  for (const name of names) {
    const value = memberOf(given, name);
    if (value === undefined || value === null) continue;
    put(pairs, name, readText({ value, path: `${path}.${name}`, problems }, pageLimits.textCharacters));
  }
}

function put(pairs: Pairs, name: string, value: unknown): void {
  if (value !== undefined) pairs.push([name, value]);
}
