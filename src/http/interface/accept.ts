/** Chooses the media type of an answer by the Accept header. */

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
}

/** The first offered one among equals; null when the header excludes all. */
export function chooseMediaType(accept: string | undefined, offered: readonly string[]): string | null {
  const first = offered[0] ?? null;
  if (accept === undefined || accept === '*/*' || accept === first) return first;
  const ranges = parseRanges(accept);
  // A header without one readable range says nothing.
  if (ranges.length === 0) return first;
  let best: string | null = null;
  let bestQuality = 0;
  for (const type of offered) {
    const quality = qualityOf(type, ranges);
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return best;
}

/** Of the most specific range that covers the type; 0 when none does. */
function qualityOf(mediaType: string, ranges: readonly MediaRange[]): number {
  const [type, subtype] = mediaType.split('/', 2);
  let specificity = 0;
  let quality = 0;
  for (const range of ranges) {
    const found =
      range.type === '*' ? 1 : range.type !== type ? 0 : range.subtype === '*' ? 2 : range.subtype === subtype ? 3 : 0;
    if (found > specificity) {
      specificity = found;
      quality = range.quality;
    } else if (found === specificity && found > 0) {
      quality = Math.max(quality, range.quality);
    }
  }
  return quality;
}

const rangeForm = /^([a-z0-9!#$&^_.+-]+|\*)\/([a-z0-9!#$&^_.+-]+|\*)$/;
const qualityForm = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** Unreadable ranges are left out. Parameters other than `q` do not narrow a range. */
function parseRanges(accept: string): readonly MediaRange[] {
  return accept
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
      const [, type, subtype] = rangeForm.exec(range) ?? [];
      if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return [];
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return qualityForm.test(weight) ? [{ type, subtype, quality: Number(weight) }] : [];
    });
}
