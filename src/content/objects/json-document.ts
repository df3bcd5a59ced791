/**
 * A JSON text as a tree whose nodes know where they stand, which JSON.parse does not tell. Accepts what RFC 8259
 * accepts, except that a key may stand only once in an object and that nesting has a limit.
 */
import { type Checked, type ObjectProblem, type Place, problemAt, quote } from './object-problem.js';

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

/** Deeper values are refused, so that no text exhausts the stack. */
export const maxDepth = 12;

const blank = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const stringStart = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*/y;
const word = /true|false|null/y;

/** Reads a text; the value is null when it is no JSON. `source` names the file in places. */
export function readJson(text: string, source: string): Checked<JsonNode> {
  return new Reader(text, source).read();
}

/** The path of a member or item below `path`. */
export function pathBelow(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${quote(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

class Reader {
  readonly #text: string;
  readonly #source: string;
  readonly #lineStarts: readonly number[];
  readonly #problems: ObjectProblem[] = [];
  #offset: number;
  #failed = false;

  constructor(text: string, source: string) {
    this.#text = text;
    this.#source = source;
    this.#offset = text.startsWith('\uFEFF') ? 1 : 0;
    this.#lineStarts = [this.#offset, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
  }

  read(): Checked<JsonNode> {
    this.#take(blank);
    const value = this.#value('', 0);
    this.#take(blank);
    if (value && !this.#failed && this.#offset < this.#text.length) this.#fail('more text after the end of the value');
    return { value: this.#failed ? null : value, problems: this.#problems };
  }

  /** Null only after a failure. */
  #value(path: string, depth: number): JsonNode | null {
    const place = this.#place(path);
    if (depth > maxDepth) return this.#fail(`nested deeper than ${maxDepth} levels`);
    const next = this.#text[this.#offset];
    if (next === '{') return this.#object(place, depth);
    if (next === '[') return this.#array(place, depth);
    if (next === '"') {
      const value = this.#string();
      return value === null ? null : { kind: 'string', value, place };
    }
    const digits = this.#take(number);
    if (digits !== '') return { kind: 'number', value: Number(digits), place };
    switch (this.#take(word)) {
      case 'true':
        return { kind: 'boolean', value: true, place };
      case 'false':
        return { kind: 'boolean', value: false, place };
      case 'null':
        return { kind: 'null', place };
      default:
        return this.#fail(`expected a value, found ${this.#found()}`);
    }
  }

  #object(place: Place, depth: number): JsonNode | null {
    const members: JsonMember[] = [];
    const seen = new Map<string, Place>();
    const closed = this.#list('}', () => {
      if (this.#text[this.#offset] !== '"')
        return this.#fail(`expected a key in double quotes, found ${this.#found()}`);
      const start = this.#offset;
      const key = this.#string();
      if (key === null) return null;
      const path = pathBelow(place.path, key);
      const keyPlace = this.#place(path, start);
      const first = seen.get(key);
      if (first) this.#problems.push(problemAt(keyPlace, `is given twice, first in line ${first.line}`));
      else seen.set(key, keyPlace);
      this.#take(blank);
      if (!this.#skip(':')) return this.#fail(`expected ":" after the key ${quote(key)}, found ${this.#found()}`);
      this.#take(blank);
      const value = this.#value(path, depth + 1);
      if (value) members.push({ key, keyPlace, value });
      return value;
    });
    return closed ? { kind: 'object', members, place } : null;
  }

  #array(place: Place, depth: number): JsonNode | null {
    const items: JsonNode[] = [];
    const closed = this.#list(']', () => {
      const item = this.#value(pathBelow(place.path, items.length), depth + 1);
      if (item) items.push(item);
      return item;
    });
    return closed ? { kind: 'array', items, place } : null;
  }

  /** Entries between commas up to the closing bracket; false after a failure. */
  #list(close: '}' | ']', readEntry: () => JsonNode | null): boolean {
    this.#offset += 1;
    this.#take(blank);
    if (this.#skip(close)) return true;
    for (;;) {
      if (!readEntry()) return false;
      this.#take(blank);
      if (this.#skip(close)) return true;
      if (!this.#skip(',')) {
        this.#fail(`expected "," or "${close}", found ${this.#found()}`);
        return false;
      }
      this.#take(blank);
    }
  }

  #string(): string | null {
    const start = this.#offset;
    this.#take(stringStart);
    if (this.#skip('"')) return JSON.parse(this.#text.slice(start, this.#offset));
    const next = this.#text[this.#offset];
    if (next === '\\')
      return this.#fail('unknown escape in a text; known are \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX');
    if (next === undefined || next === '\n' || next === '\r') return this.#fail('the text is not closed');
    return this.#fail('a control character in a text must be written as \\uXXXX');
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#offset += taken.length;
    return taken;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset += 1;
    return true;
  }

  #found(): string {
    const point = this.#text.codePointAt(this.#offset);
    return point === undefined ? 'the end of the file' : quote(String.fromCodePoint(point));
  }

  #fail(message: string): null {
    if (!this.#failed) this.#problems.push(problemAt(this.#place(''), message));
    this.#failed = true;
    return null;
  }

  #place(path: string, offset = this.#offset): Place {
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { source: this.#source, path, line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }
}
