/** Makes a function of `friendly_alias_restrict_chars_pattern` (PCRE): only one class of characters, in linear time. */
import { accept, type Checked, refuse } from '../../values/checked.js';

type PatternResult = Checked<(text: string) => string>;

const maxLength = 1000;

export function parseAliasPattern(setting: string): PatternResult {
  if (setting.length > maxLength) return unusable(`is longer than ${maxLength} characters`);
  const text = setting.trimStart();
  const delimiter = text.charAt(0);
  const end = text.lastIndexOf(delimiter);
  const body = text.slice(1, end);
  const isEarlier = body.replace(/\\./gs, '').includes(delimiter);
  if (end < 1 || isEarlier || /[A-Za-z0-9\s\\\0]/.test(delimiter)) return unusable('has no delimiters');
  const flags = text.slice(end + 1).trim();
  const unknown = [...flags].find((flag) => !'iusmDSX'.includes(flag));
  if (unknown !== undefined) return unusable(`uses the modifier "${unknown}", which is not supported`);

  const modes: Modes = { unicode: flags.includes('u'), ignoreCase: flags.includes('i') };
  // Without the modifier u PCRE sees bytes: a class may then name single bytes of a longer character.
  const [, negation = '', members] = /^\[(\^?)(.*)\]\+?$/s.exec(modes.unicode ? body : toBytes(body)) ?? [];
  const written = members && writeMembers(members, modes);
  if (!written) return unusable('is not one class of plain characters such as /[^a-z0-9-]/, which is not supported');
  try {
    const expression = new RegExp(`[${negation}${written}]+`, modes.unicode && modes.ignoreCase ? 'giv' : 'gv');
    return accept(
      modes.unicode
        ? (name) => name.replace(expression, '')
        : (name) => fromBytes(toBytes(name).replace(expression, '')),
    );
  } catch {
    return unusable('names a range or property that does not exist');
  }
}

function unusable(problem: string): PatternResult {
  return refuse(`friendly_alias_restrict_chars_pattern ${problem}`);
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Bytes that no longer form a character are dropped: a JavaScript text cannot hold them. */
function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\uFFFD', '');
}

interface Modes {
  readonly unicode: boolean;
  readonly ignoreCase: boolean;
}

const set = String.raw`(\\[dDsSwW]|\\[pP]\{[A-Z][A-Za-z_]*\})`;
const character = String.raw`(\\(?:x(?:\{[0-9a-fA-F]{1,6}\}|[0-9a-fA-F]{1,2})|0[0-7]{0,2}|[aefnrt]|[^A-Za-z0-9])|[^\\\][]|\[(?![:.=]))`;
const member = new RegExp(`${set}|${character}(?:-${character})?`, 'guys');

function writeMembers(members: string, modes: Modes): string | undefined {
  const last = modes.unicode ? 0x10ffff : 0xff;
  let written = '';
  let length = 0;
  for (const [text, ofSet, from = '', to = from] of members.matchAll(member)) {
    length += text.length;
    if (ofSet !== undefined) {
      // In byte mode a property would apply to single bytes.
      if (!modes.unicode && /p/i.test(ofSet)) return undefined;
      written += setSource(ofSet, modes);
      continue;
    }
    const range = { from: codeOf(from), to: codeOf(to) };
    if (Math.max(range.from, range.to) > last) return undefined;
    written += rangeSource(range, modes);
  }
  return length === members.length ? written : undefined;
}

const asciiLetters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((letter) => letter.charCodeAt(0));

function rangeSource({ from, to }: { from: number; to: number }, { unicode, ignoreCase }: Modes): string {
  const plain = `${codePoint(from)}-${codePoint(to)}`;
  if (unicode || !ignoreCase) return plain;
  // In byte mode only ASCII letters have two cases; the engine's own case folding would also fold Latin-1 letters.
  const inRange = asciiLetters.filter((code) => code >= from && code <= to);
  return plain + inRange.map((code) => codePoint(code ^ 0x20)).join('');
}

const sets: Readonly<Record<string, { readonly ascii: string; readonly unicode: string }>> = {
  d: { ascii: '0-9', unicode: '\\p{Nd}' },
  w: { ascii: 'A-Za-z0-9_', unicode: '\\p{L}\\p{N}_' },
  s: { ascii: '\\t-\\r\\x20', unicode: '\\p{Z}\\t-\\r\\x85\\u{180e}' },
};

function setSource(text: string, { unicode }: Modes): string {
  const letter = text.charAt(1);
  const members = sets[letter.toLowerCase()]?.[unicode ? 'unicode' : 'ascii'];
  if (members !== undefined) return letter === letter.toLowerCase() ? members : `[^${members}]`;
  const name = text.slice(3, -1);
  return `\\${letter}{${name.length > 2 ? 'Script=' : ''}${name}}`;
}

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

function codeOf(text: string): number {
  const [first = '', kind] = text;
  if (first !== '\\' || kind === undefined) return first.codePointAt(0) ?? 0;
  if (kind === 'x') return Number.parseInt(text.replace(/[\\x{}]/g, ''), 16);
  if (kind === '0') return Number.parseInt(text.slice(1), 8);
  return controls[kind] ?? kind.codePointAt(0) ?? 0;
}

function codePoint(code: number): string {
  return `\\u{${code.toString(16)}}`;
}
