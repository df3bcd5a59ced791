/** The Range header (RFC 9110, 14): one range of bytes; a list of ranges is answered with the whole. */
import type { Call } from '../../http/interface/endpoint.js';

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

interface Whole {
  readonly size: number;
  /** Strong. */
  readonly tag: string;
  /** Milliseconds. */
  readonly modified: number;
}

const form = /^bytes=(\d{0,15})-(\d{0,15})$/i;

/** Null: the whole. */
export function readRange(call: Pick<Call, 'header'>, whole: Whole): ByteRange | 'none of it' | null {
  const [, first, last] = form.exec(call.header('range')?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return null;
  if (!isCurrent(call.header('if-range'), whole)) return null;
  const { size } = whole;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (first !== '' && last !== '' && Number(last) < start) return null;
  return start >= size || start === end ? 'none of it' : { start, end };
}

/** A client that has a part of another version gets the whole of this one. */
function isCurrent(condition: string | undefined, { tag, modified }: Whole): boolean {
  if (condition === undefined || condition === tag) return true;
  return Date.parse(condition) === Math.floor(modified / 1000) * 1000;
}
