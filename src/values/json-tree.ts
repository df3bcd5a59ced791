/** A JSON text as a tree whose nodes have their places. */
import {
  JsonFault,
  type JsonLimits,
  type JsonMaker,
  JsonReader,
  type ListMaker,
  type ObjectMaker,
} from './json-reader.js';

/** Line and column count from 1; a value made by a program has only its path. */
export interface Place {
  /** As shown to people, such as `objects/products.json`. */
  readonly source: string;
  /** Such as `fields.price.type`; empty for the whole. */
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
}

export interface PlacedProblem extends Place {
  readonly message: string;
}

export type JsonNode = { readonly place: Place } & (
  | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
  | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
);

export interface JsonMember {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: JsonNode;
}

/** So that no text exhausts the stack. */
export const maxDepth = 12;
const limits: JsonLimits = { members: Infinity, values: Infinity, depth: maxDepth + 1 };

/** Null when it is not JSON; `source` names the file in places. */
export function readJsonTree(
  text: string,
  source: string,
): { readonly value: JsonNode | null; readonly problems: readonly PlacedProblem[] } {
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  const maker = new TreeMaker(placesOf(text, { source, from }));
  try {
    return { value: new JsonReader(text, { limits, maker, from }).read(), problems: maker.problems };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const message = faultText(error, { text, key: maker.key, limits: { ...limits, depth: maxDepth } });
    maker.refuse('', { at: error.at, message });
    return { value: null, problems: maker.problems };
  }
}

export function pathBelow(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${quote(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Quoted, cut, on one line. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

type PlaceAt = (path: string, at: number) => Place;

class TreeMaker implements JsonMaker<JsonNode> {
  readonly problems: PlacedProblem[] = [];
  key = '';
  readonly #placeAt: PlaceAt;
  #path = '';

  constructor(placeAt: PlaceAt) {
    this.#placeAt = placeAt;
  }

  refuse(path: string, { at, message }: { readonly at: number; readonly message: string }): void {
    this.problems.push({ ...this.#placeAt(path, at), message });
  }

  leaf(value: string | number | boolean | null, at: number): JsonNode {
    const place = this.#placeAt(this.#path, at);
    if (typeof value === 'string') return { kind: 'string', value, place };
    if (typeof value === 'number') return { kind: 'number', value, place };
    return value === null ? { kind: 'null', place } : { kind: 'boolean', value, place };
  }

  list(at: number): ListMaker<JsonNode> {
    const place = this.#placeAt(this.#path, at);
    const items: JsonNode[] = [];
    const next = (): void => {
      this.#path = pathBelow(place.path, items.length);
    };
    next();
    return {
      add(item) {
        items.push(item);
        next();
      },
      done: () => ({ kind: 'array', items, place }),
    };
  }

  object(at: number): ObjectMaker<JsonNode> {
    const place = this.#placeAt(this.#path, at);
    const members: JsonMember[] = [];
    const seen = new Map<string, Place>();
    let named = { key: '', keyPlace: place };
    return {
      name: (key, from) => {
        this.key = key;
        this.#path = pathBelow(place.path, key);
        named = { key, keyPlace: this.#placeAt(this.#path, from) };
        const first = seen.get(key);
        if (first) this.refuse(this.#path, { at: from, message: `is given twice, first in line ${first.line}` });
        else seen.set(key, named.keyPlace);
      },
      add: (value) => members.push({ ...named, value }),
      done: () => ({ kind: 'object', members, place }),
    };
  }
}

function placesOf(text: string, { source, from }: { readonly source: string; readonly from: number }): PlaceAt {
  const lineStarts = [from, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  return (path, at) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { source, path, line: low + 1, column: at - (lineStarts[low] ?? 0) + 1 };
  };
}

/** `key` is the last name before. */
export function faultText(
  { kind, at }: JsonFault,
  { text, key, limits: most }: { readonly text: string; readonly key: string; readonly limits: JsonLimits },
): string {
  const point = text.codePointAt(at);
  const found = point === undefined ? 'the end of the file' : quote(String.fromCodePoint(point));
  switch (kind) {
    case 'value':
      return `expected a value, found ${found}`;
    case 'more':
      return 'more text after the end of the value';
    case 'name':
      return `expected a key in double quotes, found ${found}`;
    case 'colon':
      return `expected ":" after the key ${quote(key)}, found ${found}`;
    case 'object end':
      return `expected "," or "}", found ${found}`;
    case 'list end':
      return `expected "," or "]", found ${found}`;
    case 'open text':
      return 'the text is not closed';
    case 'escape':
      return 'unknown escape in a text; known are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';
    case 'control':
      return 'a control character in a text must be written as \\uXXXX';
    case 'depth':
      return `nested deeper than ${most.depth} levels`;
    case 'members':
      return `an object has more than ${most.members} members`;
    case 'values':
      return `holds more than ${most.values} values`;
  }
}
