/** The indexed form of template variable values. A value without a meaning in its type is not indexed. */
import { sha256Hex } from '../../crypto/primitives.js';
import { type TvFacts, tvKind, tvReader } from './tv-types.js';

export interface IndexedValue {
  /** Flags are 0 and 1, times Unix seconds. */
  readonly number: number | null;
  readonly text: string | null;
  readonly whole: string | null;
  readonly members: readonly Pick<IndexedValue, 'text' | 'whole'>[];
}

const longestText = 255;
/** A digest replaces the rest of a longer text, so that it equals only itself. */
const orderedText = 191;

export function indexText(text: string): string {
  // A character has at most two units.
  if (text.length <= longestText) return text;
  const characters = Array.from(text.slice(0, 2 * longestText + 2));
  if (characters.length <= longestText) return text;
  return characters.slice(0, orderedText).join('') + sha256Hex(text);
}

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
