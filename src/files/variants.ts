/** Pictures in other sizes and formats: made once, by few at a time, and kept on the disk within a bound. */
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock/clock.js';
import { WaitingLine } from '../clock/waiting-line.js';
import type { Settings } from '../config/settings.js';
import { sha256Hex } from '../crypto/primitives.js';
import { AppError } from '../errors/app-error.js';
import { codeOf } from '../errors/disk-error.js';
import { joined } from '../values/joined.js';
import { FileChanged, findMediaFile, type MediaFile, mediaFile, mediaType } from './media-folder.js';
import { newUpload, ownFolder } from './own-folder.js';
import { loadSharp, type Pixels, readPixels } from './pictures.js';
import type { VariantQuestion } from './variant-question.js';

type Limits = Pick<Settings, 'media_max_pixels' | 'media_variant_bytes'>;

interface Asked {
  readonly file: MediaFile;
  readonly question: VariantQuestion;
  readonly limits: Limits;
}

const variantsPath = '.hcd/variants';

/** The others of the four threads of Node stay free for files and the database. */
const atOnce = 2;
const mostWaiting = 100;
/** Part of the bound that is written before the folder is counted again: other processes write to it, too. */
const countedAfter = 0.05;
const keptAfterClearing = 0.9;

export class Variants {
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #inLine = joined((name: string, asked: Asked) => this.#line.run(() => this.#make(name, asked)));
  readonly #line = new WaitingLine({
    places: atOnce,
    mostWaiting,
    refusal: () =>
      new AppError('unavailable', {
        message: 'Too many pictures are being made',
        details: { retryAfter: 1, isLoad: true },
      }),
  });
  #written = Number.POSITIVE_INFINITY;

  constructor(folder: string, clock: Pick<Clock, 'now'>) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Null for what is not there. */
  async describe(path: string, limits: Limits) {
    const file = await findMediaFile(this.#folder, path);
    if (file === null) return null;
    const { version, place, type } = file;
    const pixels = await readPixels(place, type);
    const isServed = pixels !== null && sizeProblem(pixels, limits) === null;
    const placeholder = isServed ? await this.#placeholder(file, limits) : null;
    return { version, width: pixels?.width ?? null, height: pixels?.height ?? null, placeholder };
  }

  /** A picture of a few pixels as a data address; null for one that cannot be read, or while too many are made. */
  async #placeholder(file: MediaFile, limits: Limits): Promise<string | null> {
    const question = { width: 16, height: 16, fit: 'inside', format: 'webp', quality: 40, isStill: true } as const;
    try {
      const found = await this.find({ file, question, limits });
      return `data:image/webp;base64,${(found.bytes ?? (await readFile(found.place))).toString('base64')}`;
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof FileChanged)) throw error;
      return null;
    }
  }

  /** Throws package_missing, bad_request, unavailable. */
  async find(asked: Asked): Promise<MediaFile> {
    const { path, version } = asked.file;
    const name = `${sha256Hex(JSON.stringify([path, version, asked.question]))}.${asked.question.format}`;
    return (await this.#kept(name)) ?? this.#inLine(name, asked);
  }

  async #kept(name: string): Promise<MediaFile | null> {
    const path = `${variantsPath}/${name}`;
    const place = join(this.#folder, path);
    try {
      const found = await stat(place, { bigint: true });
      // The time of the last use, which file systems seldom note themselves. The version follows from the other one.
      await utimes(place, this.#clock.now() / 1000, Number(found.mtimeNs / 1_000_000_000n)).catch(() => undefined);
      return mediaFile({ path, place, found });
    } catch (error) {
      if (codeOf(error) === '') throw error;
      return null;
    }
  }

  async #make(name: string, asked: Asked): Promise<MediaFile> {
    const bytes = await makeVariant(asked);
    try {
      const temporary = await newUpload(this.#folder);
      const place = join(await ownFolder(this.#folder, 'variants'), name);
      await writeFile(temporary, bytes, { flag: 'wx' }).catch(async (error: unknown) => {
        await rm(temporary, { force: true });
        throw error;
      });
      const seconds = Math.floor(this.#clock.now() / 1000);
      await utimes(temporary, seconds, seconds);
      await rename(temporary, place);
      await this.#clear(bytes.length, asked.limits.media_variant_bytes);
      return mediaFile({ path: `${variantsPath}/${name}`, place, found: await stat(place, { bigint: true }) });
    } catch (error) {
      // A folder that is full or read-only: the picture is made each time.
      if (codeOf(error) === '') throw error;
      const version = sha256Hex(bytes).slice(0, 16);
      const known = { size: bytes.length, modified: this.#clock.now(), type: mediaType(name) };
      return { path: name, place: '', ...known, version, bytes };
    }
  }

  /** The least recently used ones first. */
  async #clear(added: number, bound: number): Promise<void> {
    this.#written += added;
    if (this.#written <= bound * countedAfter) return;
    this.#written = 0;
    const folder = await ownFolder(this.#folder, 'variants');
    const names = await readdir(folder);
    const found = await Promise.all(
      names.map(async (name) => {
        const place = join(folder, name);
        const { size, atimeMs } = await stat(place).catch(() => ({ size: 0, atimeMs: 0 }));
        return { place, size, atimeMs };
      }),
    );
    let total = found.reduce((sum, { size }) => sum + size, 0);
    if (total <= bound) return;
    for (const { place, size } of found.sort((one, other) => one.atimeMs - other.atimeMs)) {
      if (total <= bound * keptAfterClearing) break;
      await rm(place, { force: true });
      total -= size;
    }
  }
}

/** A visitor waits: hardly larger, and made in a third of the time; AVIF of full colours takes four times as long. */
const encoders: Readonly<Record<string, object>> = {
  ...{ avif: { effort: 0, chromaSubsampling: '4:2:0' }, webp: { effort: 0 } },
};
/** Of large pictures: as good for their bytes, or a third larger. */
const quickest: Readonly<Record<string, object>> = { avif: { tune: 'ssim' }, png: { compressionLevel: 1 } };
const large = 2000;

async function makeVariant({ file, question, limits }: Asked): Promise<Buffer> {
  const sharp = await loadSharp();
  const { width, height, fit, format, quality, isStill } = question;
  const [type = ''] = file.type.split(';');
  const pixels = await readPixels(file.place, type);
  await checkUnchanged(file);
  if (pixels === null) throw unusable('it cannot be read');
  const problem = sizeProblem(pixels, limits);
  if (problem !== null) throw unusable(problem);
  sharp.cache(false);
  sharp.concurrency(1);
  try {
    const made = await sharp(file.place, {
      limitInputPixels: limits.media_max_pixels,
      animated: format === 'webp' && !isStill,
    })
      .autoOrient()
      .resize({
        ...within({ width, height }, pixels),
        fit,
        withoutEnlargement: true,
        background: { r: 255, g: 255, b: 255, alpha: format === 'jpeg' ? 1 : 0 },
      })
      .toFormat(format, {
        ...(quality === null ? {} : { quality }),
        ...encoders[format],
        ...(Math.max(width ?? height ?? pixels.width, height ?? 0) > large ? quickest[format] : {}),
      })
      .toBuffer();
    await checkUnchanged(file);
    return made;
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof FileChanged || codeOf(cause) !== '') throw cause;
    await checkUnchanged(file);
    throw unusable('it cannot be read, or not in this form', cause);
  }
}

/** The memory that it takes follows from the pixels of all frames. */
function sizeProblem({ width, height, frames }: Pixels, { media_max_pixels: most }: Limits): string | null {
  if (width * height * frames <= most) return null;
  const size = `${width} x ${height} pixels${frames > 1 ? ` in ${frames} frames` : ''}`;
  return `it has ${size}, more than ${most} (media_max_pixels)`;
}

/** Throws FileChanged: what was made may be of another file. */
async function checkUnchanged({ path, place, version }: MediaFile): Promise<void> {
  const found = await stat(place, { bigint: true }).catch(() => null);
  if (found === null || mediaFile({ path, place, found }).version !== version)
    throw new FileChanged('the picture was replaced');
}

function unusable(why: string, cause?: unknown): AppError {
  return new AppError('bad_request', { message: `The picture cannot be changed: ${why}`, cause });
}

function within({ width, height }: Pick<VariantQuestion, 'width' | 'height'>, most: Pixels) {
  return {
    ...(width === null ? {} : { width: Math.min(width, most.width) }),
    ...(height === null ? {} : { height: Math.min(height, most.height) }),
  };
}
