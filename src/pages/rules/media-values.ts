/** Readers of values with addresses. Players and maps get theirs when a draft is saved, so the document has them. */

import {
  listOf,
  namedMembers,
  oneOf,
  type Reader,
  type Reading,
  readText,
  refuse,
  shapedObject,
} from '../../values/reading.js';
import { parseUrl } from '../../values/text.js';
import { pageLimits } from './page-document.js';
import { readSource, readUrl } from './text-values.js';

const sizes = { width: readSize, height: readSize };
const cropName = { pattern: /^[\w-]{1,100}$/, says: 'a name of letters, digits and hyphens' };
const readVariants = listOf(
  { most: pageLimits.rules, of: 'variants' },
  shapedObject({ url: readSource, ...sizes }, { required: ['url'] }),
);
const readCrops = namedMembers(
  { of: 'crops', form: cropName },
  shapedObject({ url: readSource, variants: readVariants }, { required: ['url'] }),
);

const readMediaObject = shapedObject(
  {
    url: readSource,
    id: readMediaId,
    ...{ path: readText, filename: readText, extension: readText, name: readText, title: readText, type: readText },
    ...sizes,
    size: readSize,
    crops: readCrops,
  },
  { defaults: { url: '' } },
);

export const readMedia: Reader = (reading) => readMediaObject(byAddress(reading));
export const readMediaList = listOf({ of: 'files' }, readMedia);

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

/** Derived again each time, never taken from the caller. */
const workedOut = (): undefined => undefined;
const addresses = { embed_url: workedOut, watch_url: workedOut };

const readVideoObject = shapedObject<{ readonly url: string }>(
  { url: readSource, poster: readSource, provider: workedOut, ...addresses },
  { required: ['url'], defaults: { url: '' } },
);

/** The provider and the player's address follow from the address. A text is the address alone. */
export function readVideo(reading: Reading): unknown {
  const video = readVideoObject(byAddress(reading));
  return video && Object.freeze({ ...video, ...playerOf(video.url) });
}

interface Point {
  readonly lat: number;
  readonly lng: number;
  readonly zoom: number;
  readonly provider: 'yandex' | 'osm';
}

const readPoint = shapedObject<Point>(
  {
    lat: numberFrom(-90, 90),
    lng: numberFrom(-180, 180),
    zoom: numberFrom(0, 22),
    provider: oneOf('yandex', 'osm'),
    ...addresses,
  },
  { required: ['lat', 'lng', 'zoom', 'provider'], defaults: { zoom: 14, provider: 'yandex' } },
);

export function readMap(reading: Reading): unknown {
  const point = readPoint(reading);
  return point && Object.freeze({ ...point, ...mapOf(point) });
}

function numberFrom(least: number, most: number): Reader<number> {
  return (reading) => {
    const { value } = reading;
    if (typeof value === 'number' && value >= least && value <= most) return value + 0;
    return refuse(reading, `must be a number from ${least} to ${most}`);
  };
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

const readWindow = oneOf('_self', '_blank');

/** Shown when both `label` and `url` are there. */
export const readButton = shapedObject({
  label: readText,
  url: readUrl,
  target: (reading) => (reading.value === '' ? '' : readWindow(reading)),
});

/** Nothing for a file or an unknown site. Makes no request. */
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
  // This host sets no cookie before the video is played.
  const embed = `https://www.youtube-nocookie.com/embed/${id}`;
  return { embed_url: embed, provider: 'youtube', watch_url: `https://www.youtube.com/watch?v=${id}` };
}

function vimeo(url: URL): ReturnType<Player> {
  const [, id] = /^\/(?:video\/)?(\d{4,15})\/?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  const embed = `https://player.vimeo.com/video/${id}`;
  return { embed_url: embed, provider: 'vimeo', watch_url: `https://vimeo.com/${id}` };
}

function rutube(url: URL): ReturnType<Player> {
  const [, id] = /^\/(?:video|play\/embed)\/([0-9a-f]{32}|\d{5,12})\/?$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  const embed = `https://rutube.ru/play/embed/${id}`;
  return { embed_url: embed, provider: 'rutube', watch_url: `https://rutube.ru/video/${id}/` };
}
