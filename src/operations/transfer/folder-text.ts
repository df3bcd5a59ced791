/** Writes a file of a folder as Gitify does: members by need in quotes, the long text below a line of dashes. */
import { shortDigest } from '../../crypto/primitives.js';

export type Written = string | number | null | readonly string[] | Readonly<Record<string, string>>;

export const separator = '-----';

export function fileText(values: ReadonlyMap<string, Written>, body: string): string {
  const head = [...values].map(([name, value]) => memberText(name, value)).join('');
  return body === '' ? head : `${head}\n${separator}\n\n${body}`;
}

export function memberText(name: string, value: Written): string {
  if (Array.isArray(value)) return `${scalar(name)}: [${value.map(scalar).join(', ')}]\n`;
  if (typeof value !== 'object' || value === null) return `${scalar(name)}: ${scalar(value)}\n`;
  const members = Object.entries(value).map(([key, text]) => `    ${scalar(key)}: ${scalar(text)}\n`);
  return members.length === 0 ? `${scalar(name)}: {  }\n` : `${scalar(name)}:\n${members.join('')}`;
}

const words = new Set(['', 'null', '~', 'true', 'false', 'y', 'n', 'yes', 'no', 'on', 'off']);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what double quotes are for.
const controls = /[\0-\x1f\x7f\x85\xa0\u2028\u2029\ufeff]/;
const special = /[\s'":{}[\],&*#?]|^[-?|<>=!%@`\p{Zs}]/u;
const numeric = /^[-+.]?\d|^[-+]?\.(?:inf|nan)$/i;

function scalar(value: string | number | null): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  if (controls.test(value)) return JSON.stringify(value).replace(/[\x7f\x85\xa0\u2028\u2029\ufeff]/g, escaped);
  if (words.has(value.toLowerCase()) || special.test(value) || numeric.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  return value;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const longestName = 200;
/** Windows keeps them for devices, with any extension. */
export const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** As file systems compare that fold case and forms of accents. */
export function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** A name that every file system takes: no path, no reserved character, not too long. */
export function fileName(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them.
  const name = text.normalize('NFC').replace(/[\s/\\<>:"|?*\0-\x1f\x7f]+/g, '-');
  const trimmed = name.replace(/^[-.]{1,99}/, '').replace(/-{2,99}/g, '-');
  const bytes = Buffer.from(trimmed === '' ? `-${shortDigest(text)}` : trimmed);
  if (bytes.length <= longestName) return reserved.test(trimmed) ? `_${trimmed}` : bytes.toString();
  const cut = bytes
    .subarray(0, longestName - 20)
    .toString()
    .replace(/\ufffd$/, '');
  return `${cut}-${shortDigest(text).slice(0, 12).replace(/[^\w]/g, '_')}`;
}
