/**
 * JSON from strangers: what RFC 8259 accepts, with one meaning for every parser. A name stands once in an object, names
 * that reach a prototype are refused, size and nesting have limits, and text is storable: no NUL and no half of a
 * surrogate pair.
 */

export interface JsonLimits {
  /** Members of one object. */
  readonly members: number;
  /** Values in the whole text: objects, arrays and what is in them. */
  readonly values: number;
  /** Levels of objects and arrays within one another. */
  readonly depth: number;
}

export const defaultJsonLimits: JsonLimits = Object.freeze({ members: 1000, values: 20_000, depth: 64 });

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const needsParser = /[\\\u0000-\u001f]/;
const word = /true|false|null/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  /** One sentence without a full stop; never repeats the text. */
  | { readonly ok: false; readonly problem: string };

/** Reads a whole text; gives up at the first limit that it exceeds. */
export function readStrictJson(text: string, limits: JsonLimits = defaultJsonLimits): JsonReading {
  try {
    return { ok: true, value: new Reader(text, limits).read() };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, problem: error.message };
    throw error;
  }
}

class Refusal extends Error {}

class Reader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  #at = 0;
  #values = 0;

  constructor(text: string, limits: JsonLimits) {
    this.#text = text;
    this.#limits = limits;
  }

  read(): unknown {
    this.#skipBlanks();
    const value = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#malformed();
    return value;
  }

  #value(depth: number): unknown {
    const { values, depth: deepest } = this.#limits;
    this.#values += 1;
    if (this.#values > values) throw new Refusal(`The JSON has more than ${values} values`);
    const next = this.#text[this.#at];
    if (next === '{' || next === '[') {
      if (depth === deepest) throw new Refusal(`The JSON is nested deeper than ${deepest} levels`);
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
    const most = this.#limits.members;
    let count = 0;
    this.#entries('}', () => {
      count += 1;
      if (count > most) throw new Refusal(`The JSON has an object with more than ${most} members`);
      if (this.#text[this.#at] !== '"') throw this.#malformed();
      const name = this.#string();
      if (prototypeNames.has(name)) throw new Refusal(`The JSON has a name that is not accepted: ${name}`);
      if (Object.hasOwn(members, name)) throw new Refusal('The JSON has the same name twice in one object');
      this.#skipBlanks();
      if (!this.#skip(':')) throw this.#malformed();
      this.#skipBlanks();
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
    this.#skipBlanks();
    if (this.#skip(close)) return;
    for (;;) {
      readEntry();
      this.#skipBlanks();
      if (this.#skip(close)) return;
      if (!this.#skip(',')) throw this.#malformed();
      this.#skipBlanks();
    }
  }

  #string(): string {
    const end = this.#text[this.#at] === '"' ? this.#closingQuote() : -1;
    if (end === -1) throw this.#malformed();
    const raw = this.#text.slice(this.#at + 1, end);
    // Without an escape the text stands there as it is meant.
    const value = needsParser.test(raw) ? this.#unescape(`"${raw}"`) : raw;
    if (value.includes('\0')) throw new Refusal('The JSON has a text with a NUL character');
    // Only escapes can make one: the bytes were valid UTF-8.
    if (/\p{Cs}/u.test(value)) throw new Refusal('The JSON has a text with half of a surrogate pair');
    this.#at = end + 1;
    return value;
  }

  /** Where the string that begins here ends; -1 when it does not. A pattern would need memory for each escape. */
  #closingQuote(): number {
    let end = this.#text.indexOf('"', this.#at + 1);
    while (end !== -1 && this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    return end;
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === '\\') backslashes += 1;
    return backslashes % 2 === 1;
  }

  #unescape(quoted: string): string {
    try {
      return String(JSON.parse(quoted));
    } catch {
      // A quoted text has no other failure than a character or an escape that JSON does not have.
      throw this.#malformed();
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return '';
    const taken = this.#text.slice(this.#at, pattern.lastIndex);
    this.#at = pattern.lastIndex;
    return taken;
  }

  #skipBlanks(): void {
    for (;;) {
      switch (this.#text.charCodeAt(this.#at)) {
        case 0x20:
        case 0x09:
        case 0x0a:
        case 0x0d:
          this.#at += 1;
          break;
        default:
          return;
      }
    }
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
