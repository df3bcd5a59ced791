/** A JSON text as a value, with the places of what is in it. */
import {
  JsonFault,
  type JsonLimits,
  type JsonMaker,
  JsonReader,
  type ListMaker,
  type ObjectMaker,
} from './json-reader.js';
import { pathBelow, quoted } from './reading.js';

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

/** Of a value, or of its name; what is absent is where the name is that would hold it. */
export type PlaceOf = (path: string, part?: 'name') => Place;

/** So that no text exhausts the stack. */
export const maxDepth = 12;
const limits: JsonLimits = { members: Infinity, values: Infinity, depth: maxDepth + 1 };

/** `value` is undefined when the text is not JSON; `source` names the file in places. */
export function readJsonTree(
  text: string,
  source: string,
): { readonly value: unknown; readonly placeOf: PlaceOf; readonly problems: readonly PlacedProblem[] } {
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  const maker = new TreeMaker(placesOf(text, { source, from }));
  const { placeOf, problems } = maker;
  try {
    return { value: new JsonReader(text, { limits, maker, from }).read(), placeOf, problems };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const message = faultText(error, { text, key: maker.key, limits: { ...limits, depth: maxDepth } });
    maker.refuse('', { at: error.at, message });
    return { value: undefined, placeOf, problems };
  }
}

type PlaceAt = (path: string, at: number) => Place;

interface Spot {
  readonly nameAt: number;
  readonly at: number;
}

class TreeMaker implements JsonMaker<unknown> {
  readonly problems: PlacedProblem[] = [];
  key = '';
  readonly #placeAt: PlaceAt;
  readonly #spots = new Map<string, Spot>();
  #path = '';
  #nameAt: number | undefined;

  constructor(placeAt: PlaceAt) {
    this.#placeAt = placeAt;
  }

  readonly placeOf: PlaceOf = (path, part) => {
    const spot = this.#spots.get(path);
    if (spot) return this.#placeAt(path, part === 'name' ? spot.nameAt : spot.at);
    const holder = this.#spots.get(path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['), 0)));
    return this.#placeAt(path, holder?.nameAt ?? 0);
  };

  refuse(path: string, { at, message }: { readonly at: number; readonly message: string }): void {
    this.problems.push({ ...this.#placeAt(path, at), message });
  }

  leaf(value: string | number | boolean | null, at: number): unknown {
    this.#begin(at);
    return value;
  }

  list(at: number): ListMaker<unknown> {
    const path = this.#begin(at);
    const items: unknown[] = [];
    const next = (): void => {
      this.#path = pathBelow(path, items.length);
    };
    next();
    return {
      add(item) {
        items.push(item);
        next();
      },
      done: () => items,
    };
  }

  /** The first of two members with a name counts. */
  object(at: number): ObjectMaker<unknown> {
    const path = this.#begin(at);
    const members = new Map<string, unknown>();
    const lines = new Map<string, number | null>();
    let named = '';
    return {
      name: (key, from) => {
        this.key = key;
        this.#path = pathBelow(path, key);
        this.#nameAt = from;
        named = key;
        const line = lines.get(key);
        if (line === undefined) lines.set(key, this.#placeAt('', from).line);
        else this.refuse(this.#path, { at: from, message: `is given twice, first in line ${line}` });
      },
      add: (value) => {
        if (!members.has(named)) members.set(named, value);
      },
      done: () => Object.fromEntries(members),
    };
  }

  #begin(at: number): string {
    if (!this.#spots.has(this.#path)) this.#spots.set(this.#path, { nameAt: this.#nameAt ?? at, at });
    this.#nameAt = undefined;
    return this.#path;
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

export function faultText(
  { kind, at }: JsonFault,
  { text, key, limits: most }: { readonly text: string; readonly key: string; readonly limits: JsonLimits },
): string {
  const point = text.codePointAt(at);
  const found = point === undefined ? 'the end of the file' : quoted(String.fromCodePoint(point));
  switch (kind) {
    case 'value':
      return `expected a value, found ${found}`;
    case 'more':
      return 'more text after the end of the value';
    case 'name':
      return `expected a key in double quotes, found ${found}`;
    case 'colon':
      return `expected ":" after the key ${quoted(key)}, found ${found}`;
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
