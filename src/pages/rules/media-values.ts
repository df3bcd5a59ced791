/**
 * Readers of values with an address in them: files, pictures, videos, maps, buttons. Addresses that a player or a map
 * needs besides the given one are worked out here, when a draft is saved, so that readers find them in the document.
 */
import { isJsonObject, objectOf } from '../../values/json.js';
import { parseUrl } from '../../values/parse-url.js';
import { pageLimits } from './page-limits.js';
import { memberReading, type Reading, readItems, readObject, readOneOf, readText, refuse } from './reading.js';
import { readSource, readUrl } from './text-values.js';

const sizes = { width: readSize, height: readSize };

const mediaShape = {
  url: readSource,
  id: readMediaId,
  ...{ path: readText, filename: readText, extension: readText, name: readText, title: readText, type: readText },
  ...sizes,
  size: readSize,
  crops: readCrops,
};

/** A file or picture; a text is its address alone. */
export function readMedia(reading: Reading): unknown {
  return readObject(byAddress(reading), mediaShape, { defaults: { url: '' } });
}

export function readMediaList(reading: Reading): unknown {
  return readItems(reading, { of: 'files' }, readMedia);
}

function byAddress(reading: Reading): Reading {
  return typeof reading.value === 'string' ? { ...reading, value: { url: reading.value } } : reading;
}

function readMediaId(reading: Reading): unknown {
  const { value } = reading;
  if (typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value))) return value;
  return refuse(reading, 'must be a whole number or a text');
}

function readSize(reading: Reading): number | undefined {
  const { value } = reading;
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value + 0;
  return refuse(reading, 'must be a number from 0');
}

/** Cut-outs of a picture by name, each with its address and smaller ones. */
function readCrops(reading: Reading): unknown {
  const { value } = reading;
  if (!isJsonObject(value) || Object.keys(value).length > pageLimits.rules) {
    return refuse(reading, `must be an object of at most ${pageLimits.rules} crops`);
  }
  const crops = Object.keys(value).map((name): [string, unknown] => {
    const crop = memberReading(reading, value, name);
    if (!/^[\w-]{1,100}$/.test(name)) refuse(crop, 'is not a name of letters, digits and hyphens');
    return [name, readObject(crop, { url: readSource, variants: readVariants }, { required: ['url'] })];
  });
  return Object.freeze(objectOf(crops));
}

function readVariants(reading: Reading): unknown {
  return readItems(reading, { most: pageLimits.rules, of: 'variants' }, (variant) =>
    readObject(variant, { url: readSource, ...sizes }, { required: ['url'] }),
  );
}

/** Members that follow from the others: they are worked out again, never taken from the caller. */
const workedOut = (): undefined => undefined;
const addresses = { embed_url: workedOut, provider: workedOut, watch_url: workedOut };

/** A video by its address; the provider and the address of its player follow from it. A text is its address alone. */
export function readVideo(reading: Reading): unknown {
  const video = readObject<{ readonly url: string }>(
    byAddress(reading),
    { url: readSource, poster: readSource, ...addresses },
    { required: ['url'], defaults: { url: '' } },
  );
  return video && Object.freeze({ ...video, ...playerOf(video.url) });
}

interface Point {
  readonly lat: number;
  readonly lng: number;
  readonly zoom: number;
  readonly provider: 'yandex' | 'osm';
}

/** A point on a map. */
export function readMap(reading: Reading): unknown {
  const point = readObject<Point>(
    reading,
    {
      lat: (member) => readWithin(member, { least: -90, most: 90 }),
      lng: (member) => readWithin(member, { least: -180, most: 180 }),
      zoom: (member) => readWithin(member, { least: 0, most: 22 }),
      provider: (member) => readOneOf(member, ['yandex', 'osm']),
      embed_url: workedOut,
      watch_url: workedOut,
    },
    { required: ['lat', 'lng', 'zoom', 'provider'], defaults: { zoom: 14, provider: 'yandex' } },
  );
  return point && Object.freeze({ ...point, ...mapOf(point) });
}

function readWithin(reading: Reading, { least, most }: { readonly least: number; readonly most: number }) {
  const { value } = reading;
  if (typeof value === 'number' && value >= least && value <= most) return value + 0;
  return refuse(reading, `must be a number from ${least} to ${most}`);
}

function mapOf({ lat, lng, zoom, provider }: Point): Readonly<Record<string, string>> {
  if (provider === 'osm') {
    return {
      embed_url: `https://www.openstreetmap.org/export/embed.html?marker=${lat}%2C${lng}`,
      watch_url: `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lng}#map=${zoom}/${lat}/${lng}`,
    };
  }
  const at = `?ll=${lng}%2C${lat}&z=${zoom}&pt=${lng}%2C${lat}`;
  return { embed_url: `https://yandex.com/map-widget/v1/${at}`, watch_url: `https://yandex.com/maps/${at}` };
}

/** A button or link: it is shown when both `label` and `url` are there. */
export function readButton(reading: Reading): unknown {
  return readObject(reading, { label: readText, url: readUrl, target: readTarget });
}

function readTarget(reading: Reading): unknown {
  return reading.value === '' ? '' : readOneOf(reading, ['_self', '_blank']);
}

/** What the address of a video site says about its player; nothing for a file or another site. Looks nothing up. */
function playerOf(address: string): Readonly<Record<string, string>> {
  const full = address.startsWith('//') ? `https:${address}` : address;
  const url = /^https?:/i.test(full) ? parseUrl(full) : null;
  const host = url?.hostname.replace(/^(www|m|player)\./, '') ?? '';
  return (url && players.get(host)?.(url, host)) ?? {};
}

type Player = (url: URL, host: string) => Readonly<Record<string, string>> | null;

const players: ReadonlyMap<string, Player> = new Map([
  ['youtube.com', youtube],
  ['youtube-nocookie.com', youtube],
  ['youtu.be', youtube],
  ['vimeo.com', vimeo],
  ['rutube.ru', rutube],
]);

function youtube(url: URL, host: string): ReturnType<Player> {
  const [, inPath] = /^\/(?:embed|shorts|live|v)\/([^/]+)/.exec(url.pathname) ?? [];
  const id = host === 'youtu.be' ? url.pathname.slice(1) : (inPath ?? url.searchParams.get('v') ?? '');
  if (!/^[\w-]{6,20}$/.test(id)) return null;
  return {
    // Sets no cookie before the video is played.
    embed_url: `https://www.youtube-nocookie.com/embed/${id}`,
    provider: 'youtube',
    watch_url: `https://www.youtube.com/watch?v=${id}`,
  };
}

function vimeo(url: URL): ReturnType<Player> {
  const [, id] = /^\/(?:video\/)?(\d{4,15})\/?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  return {
    embed_url: `https://player.vimeo.com/video/${id}`,
    provider: 'vimeo',
    watch_url: `https://vimeo.com/${id}`,
  };
}

function rutube(url: URL): ReturnType<Player> {
  const [, id] = /^\/(?:video|play\/embed)\/([0-9a-f]{32}|\d{5,12})\/?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  return {
    embed_url: `https://rutube.ru/play/embed/${id}`,
    provider: 'rutube',
    watch_url: `https://rutube.ru/video/${id}/`,
  };
}
