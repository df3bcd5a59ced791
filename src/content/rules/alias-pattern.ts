/**
 * Turns the PCRE text of the setting `friendly_alias_restrict_chars_pattern` into a function that removes its matches.
 * Only a subset is accepted that matches in linear time: alternatives of plain characters and character classes with
 * a quantifier at the end of an alternative. The JavaScript expression is written from parsed code points, never copied.
 */
import { type ClassSets, classItem, type Item, posixClass } from './alias-pattern-class.js';

export type PatternResult =
  | { readonly ok: true; readonly remove: (text: string) => string }
  | { readonly ok: false; readonly problem: string };

const maxLength = 1000;
const closers: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** Problem texts say what is not supported, so that an operator can rewrite the setting. */
export function parseAliasPattern(setting: string): PatternResult {
  if (setting.length > maxLength) return refuse(`is longer than ${maxLength} characters`);
  const parts = splitDelimiters(setting.trimStart());
  if (parts === undefined) return refuse('has no delimiters');
  const unknown = [...parts.flags].find((flag) => !'iusmDSX'.includes(flag));
  if (unknown !== undefined) return refuse(`uses the modifier "${unknown}", which is not supported`);

  const unicode = parts.flags.includes('u');
  const ignoreCase = parts.flags.includes('i');
  // Without the modifier u PCRE sees bytes: a class may then name single bytes of a longer character.
  const body = unicode ? parts.body : toBytes(parts.body);
  const sets: ClassSets = { unicode, ignoreCase: ignoreCase && !unicode, dotAll: parts.flags.includes('s') };
  const written = writeAlternatives(body, sets);
  if (typeof written !== 'string') return refuse(written.problem);
  let expression: RegExp;
  try {
    expression = new RegExp(written, unicode && ignoreCase ? 'giv' : 'gv');
  } catch {
    return refuse('names a range or property that does not exist');
  }
  return {
    ok: true,
    remove: unicode
      ? (text) => text.replace(expression, '')
      : (text) => fromBytes(toBytes(text).replace(expression, '')),
  };
}

function refuse(problem: string): PatternResult {
  return { ok: false, problem: `friendly_alias_restrict_chars_pattern ${problem}` };
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

/** One character per byte of the UTF-8 form. */
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
    : writeSingle(item, sets);
}

function writeSingle(item: Item, sets: ClassSets): Atom {
  return { source: `[${writeItem(item, sets)}]`, end: item.end };
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
