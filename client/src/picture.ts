/** Pictures of `images: 'full'` for the attributes of `<img>`. */

/** What an image variable is with `images: 'full'`. */
export interface Picture {
  readonly url: string;
  readonly width: number | null;
  readonly height: number | null;
  readonly type: string | null;
  /** A few pixels as a data address. */
  readonly placeholder: string | null;
  /** `media_sizes` of the server, where they are not the usual ones. */
  readonly widths?: readonly number[];
}

export interface SizeOptions {
  /** Some of `media_sizes` of the server (default: all, or the usual ones). */
  readonly widths?: readonly number[];
  readonly format?: 'auto' | 'avif' | 'webp' | 'jpeg' | 'png';
  /** 1 to 100. */
  readonly quality?: number;
}

const usualWidths: readonly number[] = [384, 640, 828, 1080, 1280, 1920, 2560];

/** `src`, `srcset`, `width` and `height`; pictures that the server cannot change have no placeholder, and get no `srcset`. */
export function pictureAttributes(picture: Picture, options: SizeOptions = {}) {
  const { url, width, height, placeholder } = picture;
  const { format = 'auto', quality } = options;
  const widths = options.widths ?? sorted(picture.widths) ?? usualWidths;
  if (width === null || height === null) return { src: url };
  if (placeholder === null) return { src: url, width, height };
  const rest = `&format=${format}${quality === undefined ? '' : `&q=${quality}`}`;
  const addressOf = (size: number): string => `${url}${url.includes('?') ? '&' : '?'}w=${size}${rest}`;
  const smaller = widths.filter((size) => size < width);
  const next = widths.find((size) => size >= width);
  const sizes = next === undefined ? smaller : [...smaller, next];
  // The server never makes a picture larger.
  const srcset = sizes.map((size) => `${addressOf(size)} ${Math.min(size, width)}w`).join(', ');
  const last = sizes.at(-1);
  return { src: last === undefined ? url : addressOf(last), srcset, width, height };
}

function sorted(widths: readonly number[] | undefined): readonly number[] | undefined {
  return widths && [...widths].sort((one, other) => one - other);
}
