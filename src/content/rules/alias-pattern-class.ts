/**
 * The members of a PCRE character class as parsed values: single characters with their code, and sets such as `\w`,
 * `\p{L}` or `[:alpha:]` as the text of a JavaScript class (flag v). Unknown escapes give undefined.
 */

export interface ClassSets {
  /** With the modifier u the sets are Unicode aware, without it they know ASCII only. */
  readonly unicode: boolean;
  readonly ignoreCase: boolean;
  readonly dotAll: boolean;
}

export type Item =
  | { readonly kind: 'character'; readonly code: number; readonly end: number }
  | { readonly kind: 'set'; readonly source: string; readonly end: number };

const asciiSpace = '\\t-\\r\\x20';
const unicodeSpace = '\\p{Z}\\t-\\r\\x85\\u{180e}';

const shorthands: Readonly<Record<string, { readonly ascii: string; readonly unicode: string }>> = {
  d: { ascii: '0-9', unicode: '\\p{Nd}' },
  w: { ascii: 'A-Za-z0-9_', unicode: '\\p{L}\\p{N}_' },
  s: { ascii: asciiSpace, unicode: unicodeSpace },
  h: {
    ascii: '\\t\\x20\\xa0',
    unicode: '\\t\\x20\\xa0\\u{1680}\\u{180e}\\u{2000}-\\u{200a}\\u{202f}\\u{205f}\\u{3000}',
  },
  v: { ascii: '\\n-\\r\\x85', unicode: '\\n-\\r\\x85\\u{2028}\\u{2029}' },
};

const asciiPunctuation = '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e';

const posix: Readonly<Record<string, { readonly ascii: string; readonly unicode: string }>> = {
  alpha: { ascii: 'A-Za-z', unicode: '\\p{L}' },
  digit: { ascii: '0-9', unicode: '\\p{Nd}' },
  alnum: { ascii: 'A-Za-z0-9', unicode: '\\p{L}\\p{N}' },
  lower: { ascii: 'a-z', unicode: '\\p{Ll}' },
  upper: { ascii: 'A-Z', unicode: '\\p{Lu}' },
  space: { ascii: asciiSpace, unicode: unicodeSpace },
  word: { ascii: 'A-Za-z0-9_', unicode: '\\p{L}\\p{N}_' },
  punct: { ascii: asciiPunctuation, unicode: `\\p{P}${asciiPunctuation}` },
  xdigit: { ascii: '0-9A-Fa-f', unicode: '0-9A-Fa-f' },
};

const controls: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

const generalCategory = /^(?:C[cfnos]?|L[CMTlmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;

/** `[:name:]` at this place, or undefined when there is none. */
export function posixClass(text: string, at: number, sets: ClassSets): Item | undefined {
  const match = /^\[:(\^?)([a-z]+):\]/.exec(text.slice(at, at + 16));
  const members = match ? posix[match[2] ?? ''] : undefined;
  if (!match || members === undefined) return undefined;
  const source = sets.unicode ? members.unicode : members.ascii;
  return { kind: 'set', source: match[1] ? `[^${source}]` : source, end: at + match[0].length };
}

/** The character or set at this place. */
export function classItem(place: { text: string; at: number; sets: ClassSets; inClass: boolean }): Item | undefined {
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
  // In byte mode a property would be asked of single bytes, which nobody means.
  if (!place.sets.unicode) return undefined;
  const match = /^(?:([A-Z])|\{(\^?)([A-Za-z_]{1,30}|L&)\})/.exec(place.rest);
  if (!match) return undefined;
  const name = (match[1] ?? match[3] ?? '').replace('L&', 'LC');
  const negated = place.negated !== (match[2] === '^');
  const property = generalCategory.test(name) ? name : `Script=${name}`;
  return { kind: 'set', source: `\\${negated ? 'P' : 'p'}{${property}}`, end: place.at + 2 + match[0].length };
}
