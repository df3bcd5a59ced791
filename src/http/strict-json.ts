/**
 * JSON from strangers: what RFC 8259 accepts, with one meaning for every parser. A name stands once in an object, names
 * that reach a prototype are refused, nesting has a limit, and text is storable: no NUL and no half of a surrogate pair.
 */

/** Levels of objects and arrays within one another. */
export const maxJsonDepth = 32;

const blank = /[ \t\r\n]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const word = /true|false|null/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  /** One sentence without a full stop; never repeats the text. */
  | { readonly ok: false; readonly problem: string };

/** Reads a whole text. */
export function readStrictJson(text: string): JsonReading {
  try {
    return { ok: true, value: new Reader(text).read() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message };
    throw error;
  }
}

class Refusal extends Error {}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    this.#take(blank);
    const value = this.#value(0);
    this.#take(blank);
    if (this.#at < this.#text.length) throw this.#malformed();
    return value;
  }

  #value(depth: number): unknown {
    const next = this.#text[this.#at];
    if (next === '{' || next === '[') {
      if (depth === maxJsonDepth) throw new Refusal(`The JSON is nested deeper than ${maxJsonDepth} levels`);
      return next === '{' ? this.#object(depth + 1) : this.#array(depth + 1);
    }
    if (next === '"') return this.#string();
    const digits = this.#take(number);
    if (digits !== '') return finite(Number(digits));
    const value = words[this.#take(word)];
    if (value === undefined) throw this.#malformed();
    return value;
  }

  #object(depth: number): Readonly<Record<string, unknown>> {
    const members: Record<string, unknown> = {};
    this.#entries('}', () => {
      if (this.#text[this.#at] !== '"') throw this.#malformed();
      const name = this.#string();
      if (prototypeNames.has(name)) throw new Refusal(`The JSON has a name that is not accepted: ${name}`);
      if (Object.hasOwn(members, name)) throw new Refusal('The JSON has the same name twice in one object');
      this.#take(blank);
      if (!this.#skip(':')) throw this.#malformed();
      this.#take(blank);
      members[name] = this.#value(depth);
    });
    return members;
  }

  #array(depth: number): readonly unknown[] {
    const items: unknown[] = [];
    this.#entries(']', () => items.push(this.#value(depth)));
    return items;
  }

  /** Entries between commas up to the closing bracket. */
  #entries(close: '}' | ']', readEntry: () => void): void {
    this.#at += 1;
    this.#take(blank);
    if (this.#skip(close)) return;
    for (;;) {
      readEntry();
      this.#take(blank);
      if (this.#skip(close)) return;
      if (!this.#skip(',')) throw this.#malformed();
      this.#take(blank);
    }
  }

  #string(): string {
    const taken = this.#take(string);
    if (taken === '') throw this.#malformed();
    // Without an escape the text stands there as it is meant.
    const value = taken.includes('\\') ? String(JSON.parse(taken)) : taken.slice(1, -1);
    if (value.includes('\0')) throw new Refusal('The JSON has a text with a NUL character');
    // Only escapes can make one: the bytes were valid UTF-8.
    if (/\p{Cs}/u.test(value)) throw new Refusal('The JSON has a text with half of a surrogate pair');
    return value;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const taken = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += taken.length;
    return taken;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #malformed(): Refusal {
    return new Refusal(`Malformed JSON at character ${this.#at + 1}`);
  }
}

/** `1e999` is no number that could be stored or written again. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new Refusal('The JSON has a number that is too large');
}
