/**
 * What the index of the values of template variables holds of a value: numbers, flags, times and ids as numbers, texts and the members of
 * lists as texts that an index can hold. A value that has no meaning in its type is none.
 */
import { sha256Hex } from '../../crypto/hash.js';
import { type TvFacts, tvKind, tvReader } from './tv-types.js';

export interface IndexedValue {
  /** For numbers, flags (0 and 1), times (Unix seconds) and ids. */
  readonly number: number | null;
  readonly text: string | null;
  /** The whole of a text that is too long for the index. */
  readonly whole: string | null;
  /** Of a list: each member once. */
  readonly members: readonly Pick<IndexedValue, 'text' | 'whole'>[];
}

/** Characters of a text that the index holds. */
const longestText = 255;
/** Characters of a longer text that decide its order; the rest of its place has a digest, by which it is equal to itself only. */
const orderedText = 191;

/** A text as the index holds it. */
export function indexText(text: string): string {
  // A character has at most two units.
  if (text.length <= longestText) return text;
  const characters = Array.from(text.slice(0, 2 * longestText + 2));
  if (characters.length <= longestText) return text;
  return characters.slice(0, orderedText).join('') + sha256Hex(text);
}

/** Reads the values of a variable; null for one that is empty or means nothing. */
export function indexReader(facts: TvFacts): (stored: string, timeZone: string) => IndexedValue | null {
  const kind = tvKind(facts);
  const read = tvReader(facts);
  return (stored, timeZone) => {
    const value = read(stored, timeZone);
    if (value === undefined || value === null) return null;
    switch (kind) {
      case 'number':
      case 'reference':
      case 'boolean':
        return ofNumber(Number(value));
      case 'date':
        return ofNumber(Date.parse(String(value)) / 1000);
      case 'list': {
        const members = [...new Set(Array.isArray(value) ? value.map(String) : [])];
        return members.length === 0 ? null : { ...ofText(members.join(',')), members: members.map(ofText) };
      }
      case 'json':
        return { number: null, text: null, whole: null, members: [] };
      case 'text':
        return ofText(String(value));
    }
  };
}

function ofNumber(number: number): IndexedValue {
  return { number, text: null, whole: null, members: [] };
}

function ofText(text: string): IndexedValue {
  const indexed = indexText(text);
  return { number: null, text: indexed, whole: indexed === text ? null : text, members: [] };
}
