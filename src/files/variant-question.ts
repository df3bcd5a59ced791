/** What an address asks of a picture: `?w=&h=&fit=&format=&q=`. */
import type { Settings } from '../config/settings.js';
import { badParameter } from '../errors/app-error.js';

export const fits = ['cover', 'contain', 'inside'] as const;
const formats = ['avif', 'webp', 'jpeg', 'png'] as const;
export const askedFormats = ['auto', ...formats] as const;
export const variantNames = ['w', 'h', 'fit', 'format', 'q'] as const;

export type Format = (typeof formats)[number];

export interface VariantQuestion {
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: (typeof fits)[number];
  readonly format: Format;
  readonly quality: number | null;
  /** Of a moving picture the first frame. */
  readonly isStill?: true;
}

interface Asked {
  readonly parameter: (name: (typeof variantNames)[number]) => string | undefined;
  readonly accept: string | undefined;
  readonly type: string;
  readonly sizes: Settings['media_sizes'];
}

/** Null: the file as it is. Throws bad_request with what is accepted. */
export function readVariant({ parameter, accept, type, sizes }: Asked): VariantQuestion | null {
  const asked = variantNames.map(parameter);
  if (asked.every((value) => value === undefined)) return null;
  const [w, h, fit = 'cover', format = ownFormat(type), quality] = asked;
  const size = (name: 'w' | 'h', text: string | undefined): number | null => {
    if (text === undefined) return null;
    const found = sizes.find((one) => String(one) === text);
    return found ?? refuse(name, `one of ${sizes.join(', ')} (media_sizes)`);
  };
  const [width, height] = [size('w', w), size('h', h)];
  return {
    ...{ width, height, fit: fits.find((one) => one === fit) ?? refuse('fit', `one of ${fits.join(', ')}`) },
    format:
      format === 'auto'
        ? acceptedFormat(accept, type)
        : (formats.find((one) => one === format) ?? refuse('format', `one of ${askedFormats.join(', ')}`)),
    quality: quality === undefined ? null : readQuality(quality),
  };
}

function refuse(name: string, accepted: string): never {
  throw badParameter(name, `must be ${accepted}`);
}

function readQuality(text: string): number {
  return /^(?:[1-9]\d?|100)$/.test(text) ? Number(text) : refuse('q', 'a whole number from 1 to 100');
}

/** Moving pictures stay moving ones. */
function ownFormat(type: string): Format {
  const name = type.replace('image/', '');
  return formats.find((one) => one === name) ?? (name === 'gif' ? 'webp' : 'jpeg');
}

/** WebP first: AVIF takes several times as long to make. */
export function acceptedFormat(accept: string | undefined, type: string): Format {
  const members = (accept ?? '').toLowerCase().split(',');
  const takes = (format: Format) => members.some((member) => isWanted(member, `image/${format}`));
  return takes('webp') ? 'webp' : takes('avif') ? 'avif' : ownFormat(type);
}

function isWanted(member: string, type: string): boolean {
  const [name, ...parameters] = member.split(';').map((part) => part.trim());
  return name === type && !parameters.some((one) => /^q=0(?:\.0{0,3})?$/.test(one));
}
