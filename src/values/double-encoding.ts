/** UTF-8 stored as Latin-1 characters (`Ã©`); MySQL's latin1 is Windows-1252, with five bytes that stay unchanged. */
import { utf8 } from './text.js';

const upper = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const upperBytes = [
  ...[0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x8e],
  ...[0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c, 0x9e, 0x9f],
];
const byteOf = new Map([...upper].map((letter, at) => [letter.charCodeAt(0), upperBytes[at] ?? 0]));
export const isAscii = /^[\0-\x7f]*$/;
const trace = /[\u00c2-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** Null when not the whole of it is double-encoded, so that no byte is ever lost. */
export function repairedText(text: string): string | null {
  if (isAscii.test(text)) return null;
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const byte = code < 0x100 ? code : byteOf.get(code);
    if (byte === undefined) return null;
    bytes[at] = byte;
  }
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/** For each text also what a site that double-encodes stores. */
export function storedForms(values: readonly (string | number)[]): readonly (string | number)[] {
  const letter = (byte: number): string => upper[upperBytes.indexOf(byte)] ?? String.fromCharCode(byte);
  const doubled = values.map((value) =>
    typeof value === 'number' ? value : Array.from(Buffer.from(value), letter).join(''),
  );
  return [...new Set([...values, ...doubled])];
}

export function hasDoubleEncoding(text: string): boolean {
  return trace.test(text);
}
