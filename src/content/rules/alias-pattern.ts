/**
 * Turns the PCRE text of `friendly_alias_restrict_chars_pattern` into a function that removes its matches. Only a
 * subset that matches in linear time is accepted; the expression is written from parsed code points, never copied.
 */
import { accept, type Checked, refuse } from '../../values/checked.js';

type PatternResult = Checked<(text: string) => string>;

const maxLength = 1000;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

export function parseAliasPattern(setting: string): PatternResult {
  if (setting.length > maxLength) return unusable(`is longer than ${maxLength} characters`);
  const parts = splitDelimiters(setting.trimStart());
  if (parts === undefined) return unusable('has no delimiters');
  const unknown = [...parts.flags].find((flag) => !'iusmDSX'.includes(flag));
  if (unknown !== undefined) return unusable(`uses the modifier "${unknown}", which is not supported`);

  const unicode = parts.flags.includes('u');
  const ignoreCase = parts.flags.includes('i');
  // Without the modifier u PCRE sees bytes: a class may then name single bytes of a longer character.
  const body = unicode ? parts.body : toBytes(parts.body);
  const sets: ClassSets = { unicode, ignoreCase: ignoreCase && !unicode, dotAll: parts.flags.includes('s') };
  const written = writeAlternatives(body, sets);
  if (typeof written !== 'string') return unusable(written.problem);
  let expression: RegExp;
  try {
    expression = new RegExp(written, unicode && ignoreCase ? 'giv' : 'gv');
  } catch {
    return unusable('names a range or property that does not exist');
  }
  return accept(
    unicode ? (text) => text.replace(expression, '') : (text) => fromBytes(toBytes(text).replace(expression, '')),
  );
}

function unusable(problem: string): PatternResult {
  return refuse(`friendly_alias_restrict_chars_pattern ${problem}`);
}

function splitDelimiters(text: string): { body: string; flags: string } | undefined {
  const open = text.charAt(0);
  if (open === '' || /[A-Za-z0-9\s\\\0]/.test(open)) return undefined;
  const close = closers[open] ?? open;
  let depth = 1;
  for (let at = 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === close && --depth === 0) return { body: text.slice(1, at), flags: text.slice(at + 1).trim() };
    else if (char === open && close !== open) depth += 1;
  }
  return undefined;
}

function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Bytes that no longer form a character are dropped: a JavaScript text cannot hold them. */
function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\uFFFD', '');
}

interface Unusable {
  readonly problem: string;
}

function writeAlternatives(body: string, sets: ClassSets): string | Unusable {
  let source = '';
  let closedByQuantifier = false;
  let at = 0;
  while (at < body.length) {
    if (body.charAt(at) === '|') {
      source += '|';
      closedByQuantifier = false;
      at += 1;
      continue;
    }
    if (closedByQuantifier)
      return { problem: 'has a quantifier before the end of an alternative, which is not supported' };
    const atom = readAtom(body, at, sets);
    if ('problem' in atom) return atom;
    const quantifier = /^(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})/.exec(body.slice(atom.end))?.[0] ?? '';
    at = atom.end + quantifier.length;
    source += atom.source + quantifier;
    if (quantifier === '') continue;
    closedByQuantifier = true;
    if (body.charAt(at) === '?') source += '?';
    // At the end of an alternative a possessive quantifier matches what a greedy one does.
    if (body.charAt(at) === '?' || body.charAt(at) === '+') at += 1;
  }
  return source;
}

type Atom = { readonly source: string; readonly end: number } | Unusable;

function readAtom(body: string, at: number, sets: ClassSets): Atom {
  const char = body.charAt(at);
  if (char === '[') return readClass(body, at, sets);
  if (char === '.') return { source: sets.dotAll ? '[\\s\\S]' : '[^\\n]', end: at + 1 };
  if ('()^$*+?'.includes(char)) return { problem: `uses "${char}", which is not supported here` };
  const item = classItem({ text: body, at, sets, inClass: false });
  return item === undefined
    ? { problem: `has an escape that is not supported at offset ${at}` }
    : { source: `[${writeItem(item, sets)}]`, end: item.end };
}

function readClass(body: string, start: number, sets: ClassSets): Atom {
  let at = start + 1;
  const negated = body.charAt(at) === '^';
  if (negated) at += 1;
  let source = '';
  let first = true;
  for (; at < body.length; first = false) {
    // A bracket right after the opening is a plain character in PCRE.
    if (body.charAt(at) === ']' && !first) return { source: `[${negated ? '^' : ''}${source}]`, end: at + 1 };
    const item = posixClass(body, at, sets) ?? classItem({ text: body, at, sets, inClass: true });
    if (item === undefined) return { problem: `has a class member that is not supported at offset ${at}` };
    at = item.end;
    const rangeEnd =
      item.kind === 'character' && body.charAt(at) === '-' && ![']', ''].includes(body.charAt(at + 1))
        ? classItem({ text: body, at: at + 1, sets, inClass: true })
        : undefined;
    if (item.kind === 'character' && rangeEnd?.kind === 'character') {
      if (rangeEnd.code < item.code) return { problem: `has a range out of order at offset ${at}` };
      source += writeRange({ from: item.code, to: rangeEnd.code, sets });
      at = rangeEnd.end;
    } else {
      source += writeItem(item, sets);
    }
  }
  return { problem: 'has a class without end' };
}

function writeItem(item: Item, sets: ClassSets): string {
  return item.kind === 'set' ? item.source : writeRange({ from: item.code, to: item.code, sets });
}

function writeRange(range: { from: number; to: number; sets: ClassSets }): string {
  const plain = `${codePoint(range.from)}-${codePoint(range.to)}`;
  if (!range.sets.ignoreCase) return plain;
  // In byte mode only ASCII letters have two cases; the engine's own case folding would also fold Latin-1 letters.
  return plain + otherCase({ ...range, first: 65, shift: 32 }) + otherCase({ ...range, first: 97, shift: -32 });
}

function otherCase(range: { from: number; to: number; first: number; shift: number }): string {
  const from = Math.max(range.from, range.first);
  const to = Math.min(range.to, range.first + 25);
  return from > to ? '' : `${codePoint(from + range.shift)}-${codePoint(to + range.shift)}`;
}

function codePoint(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

interface ClassSets {
  readonly unicode: boolean;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

type Item =
  | { readonly kind: 'character'; readonly code: number; readonly end: number }
  | { readonly kind: 'set'; readonly source: string; readonly end: number };

const space = { ascii: '\\t-\\r\\x20', unicode: '\\p{Z}\\t-\\r\\x85\\u{180e}' };
const digit = { ascii: '0-9', unicode: '\\p{Nd}' };
const word = { ascii: 'A-Za-z0-9_', unicode: '\\p{L}\\p{N}_' };

const shorthands: Readonly<Record<string, { readonly ascii: string; readonly unicode: string }>> = {
  d: digit,
  w: word,
  s: space,
  h: {
    ascii: '\\t\\x20\\xa0',
    unicode: '\\t\\x20\\xa0\\u{1680}\\u{180e}\\u{2000}-\\u{200a}\\u{202f}\\u{205f}\\u{3000}',
  },
  v: { ascii: '\\n-\\r\\x85', unicode: '\\n-\\r\\x85\\u{2028}\\u{2029}' },
};

const asciiPunctuation = '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e';

const posix: Readonly<Record<string, { readonly ascii: string; readonly unicode: string }>> = {
  alpha: { ascii: 'A-Za-z', unicode: '\\p{L}' },
  digit,
  alnum: { ascii: 'A-Za-z0-9', unicode: '\\p{L}\\p{N}' },
  lower: { ascii: 'a-z', unicode: '\\p{Ll}' },
  upper: { ascii: 'A-Z', unicode: '\\p{Lu}' },
  space,
  word,
  punct: { ascii: asciiPunctuation, unicode: `\\p{P}${asciiPunctuation}` },
  xdigit: { ascii: '0-9A-Fa-f', unicode: '0-9A-Fa-f' },
};

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

const generalCategory = /^(?:C[cfnos]?|L[CMTlmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

function posixClass(text: string, at: number, sets: ClassSets): Item | undefined {
  const match = /^\[:(\^?)([a-z]+):\]/.exec(text.slice(at, at + 16));
  const members = match ? posix[match[2] ?? ''] : undefined;
  if (!match || members === undefined) return undefined;
  const source = sets.unicode ? members.unicode : members.ascii;
  return { kind: 'set', source: match[1] ? `[^${source}]` : source, end: at + match[0].length };
}

function classItem(place: { text: string; at: number; sets: ClassSets; inClass: boolean }): Item | undefined {
  const { text, at } = place;
  const code = text.codePointAt(at);
  if (code === undefined) return undefined;
  if (code !== 0x5c) return { kind: 'character', code, end: at + (code > 0xffff ? 2 : 1) };
  return escapedItem(place);
}

function escapedItem(place: { text: string; at: number; sets: ClassSets; inClass: boolean }): Item | undefined {
  const { text, at, sets, inClass } = place;
  const letter = text.charAt(at + 1);
  const rest = text.slice(at + 2, at + 40);
  if (letter === 'p' || letter === 'P') return propertyItem({ rest, negated: letter === 'P', at, sets });
  const shorthand = shorthands[letter.toLowerCase()];
  if (shorthand !== undefined) {
    const source = sets.unicode ? shorthand.unicode : shorthand.ascii;
    return { kind: 'set', source: letter === letter.toLowerCase() ? source : `[^${source}]`, end: at + 2 };
  }
  const character = (code: number, length: number): Item | undefined =>
    code <= (sets.unicode ? 0x10ffff : 0xff) ? { kind: 'character', code, end: at + 2 + length } : undefined;
  if (letter === 'x') {
    const braced = /^\{([0-9a-fA-F]{1,6})\}/.exec(rest);
    if (braced) return character(Number.parseInt(braced[1] ?? '', 16), braced[0].length);
    const digits = /^[0-9a-fA-F]{0,2}/.exec(rest)?.[0] ?? '';
    return character(Number.parseInt(digits || '0', 16), digits.length);
  }
  // Outside a class \1 to \9 are back references, which the subset does not have.
  if (letter === '0' || (inClass && /[1-7]/.test(letter))) {
    const digits = /^[0-7]{0,2}/.exec(rest)?.[0] ?? '';
    return character(Number.parseInt(letter + digits, 8), digits.length);
  }
  const control = letter === 'b' && inClass ? 8 : controls[letter];
  if (control !== undefined) return character(control, 0);
  if (letter === '' || /[A-Za-z0-9]/.test(letter)) return undefined;
  const code = text.codePointAt(at + 1) ?? 0;
  return character(code, code > 0xffff ? 1 : 0);
}

function propertyItem(place: { rest: string; negated: boolean; at: number; sets: ClassSets }): Item | undefined {
  // In byte mode a property would apply to single bytes.
  if (!place.sets.unicode) return undefined;
  const match = /^(?:([A-Z])|\{(\^?)([A-Za-z_]{1,30}|L&)\})/.exec(place.rest);
  if (!match) return undefined;
  const name = (match[1] ?? match[3] ?? '').replace('L&', 'LC');
  const negated = place.negated !== (match[2] === '^');
  const property = generalCategory.test(name) ? name : `Script=${name}`;
  return { kind: 'set', source: `\\${negated ? 'P' : 'p'}{${property}}`, end: place.at + 2 + match[0].length };
}
