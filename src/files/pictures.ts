/** Pictures through sharp, which is installed only where they are wanted in other sizes. */
import type Sharp from 'sharp';
import { AppError, invalidField } from '../errors/app-error.js';
import { loadOptional } from '../errors/optional-package.js';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Of a moving picture; 1 for others. */
  readonly frames: number;
}

/** Formats that sharp reads without running anything, unlike drawings and documents. */
const readable: ReadonlySet<string> = new Set(
  ['avif', 'gif', 'jpeg', 'png', 'tiff', 'webp'].map((name) => `image/${name}`),
);

export function isPicture(type: string): boolean {
  return readable.has(type);
}

/** Throws package_missing. */
export async function loadSharp(): Promise<typeof Sharp> {
  try {
    const { default: sharp } = await loadOptional(
      { user: 'A picture in another size', spec: 'sharp@0' },
      () => import('sharp'),
    );
    return sharp;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'configuration_invalid') throw error;
    throw new AppError('package_missing', { message: error.message, cause: error });
  }
}

/** As it is shown, turned by its EXIF mark. Null for other files, unreadable ones, and without sharp. */
export async function readPixels(place: string, type: string): Promise<Pixels | null> {
  if (!isPicture(type)) return null;
  return pixelsOf(place).catch(() => null);
}

async function pixelsOf(place: string): Promise<Pixels> {
  const sharp = await loadSharp();
  const { autoOrient, pages = 1, delay } = await sharp(place, { limitInputPixels: false }).metadata();
  return { width: autoOrient.width, height: autoOrient.height, frames: delay === undefined ? 1 : pages };
}

/** Throws validation_failed, unsupported_media_type. Bombs are small files of many pixels. */
export async function checkPicture(
  place: string,
  { type, most }: { readonly type: string; readonly most: number },
): Promise<void> {
  if (!isPicture(type)) return;
  const { width, height } = await pixelsOf(place).catch((cause: unknown) => {
    if (cause instanceof AppError && cause.code === 'package_missing') return { width: 0, height: 0, frames: 1 };
    throw new AppError('unsupported_media_type', {
      message: `The file is not a readable picture of type ${type}`,
      cause,
    });
  });
  if (width * height <= most) return;
  throw invalidField('file', `has ${width} x ${height} pixels; at most ${most} are taken (media_max_pixels)`);
}
