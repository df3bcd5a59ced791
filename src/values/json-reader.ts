/** Reads JSON of RFC 8259 within limits, knowing its position; its maker builds the values and words the errors. */
import { accept, type Checked, refuse } from './checked.js';

export interface JsonLimits {
  readonly members: number;
  /** In the whole text: objects, arrays and what is in them. */
  readonly values: number;
  readonly depth: number;
}

/** An offset counts the UTF-16 units before it. */
export interface JsonMaker<T> {
  leaf(value: string | number | boolean | null, at: number): T;
  list(at: number): ListMaker<T>;
  object(at: number, depth: number): ObjectMaker<T>;
}

export interface ListMaker<T> {
  /** The item, or the value of the member that was named last. */
  add(value: T): void;
  done(): T;
}

export interface ObjectMaker<T> extends ListMaker<T> {
  /** Throws for a name that is refused. */
  name(name: string, at: number): void;
}

export class Items implements ListMaker<unknown> {
  readonly #items: unknown[] = [];

  add(value: unknown): void {
    this.#items.push(value);
  }

  done(): readonly unknown[] {
    return this.#items;
  }
}

type JsonFaultKind =
  | 'value'
  | 'more'
  | 'name'
  | 'colon'
  | 'object end'
  | 'list end'
  | 'open text'
  | 'escape'
  | 'control'
  | keyof JsonLimits;

export class JsonFault extends Error {
  readonly kind: JsonFaultKind;
  readonly at: number;
  /** The start of the wrong value or name. */
  readonly from: number;

  constructor(kind: JsonFaultKind, at: number, from = at) {
    super(kind);
    this.kind = kind;
    this.at = at;
    this.from = from;
  }
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;
const blanks = /[ \t\n\r]*/y;
const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these in strings.
const needsParser = /[\\\u0000-\u001f]/;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

export class JsonReader<T> {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #maker: JsonMaker<T>;
  #at: number;
  #values = 0;

  constructor(
    text: string,
    { limits, maker, from = 0 }: { readonly limits: JsonLimits; readonly maker: JsonMaker<T>; readonly from?: number },
  ) {
    this.#text = text;
    this.#limits = limits;
    this.#maker = maker;
    this.#at = from;
  }

  /** Throws a JsonFault, or what the maker throws, at the first thing that is wrong. */
  read(): T {
    this.#skipBlanks();
    const value = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#fault('more');
    return value;
  }

  #value(depth: number): T {
    const start = this.#at;
    this.#values += 1;
    if (this.#values > this.#limits.values) throw this.#fault('values');
    const next = this.#text[start];
    if (next === '{' || next === '[') {
      if (depth === this.#limits.depth) throw this.#fault('depth');
      return next === '{' ? this.#object(depth + 1) : this.#list(depth + 1);
    }
    if (next === '"') return this.#maker.leaf(this.#string(), start);
    const digits = this.#take(number);
    if (digits !== '') return this.#maker.leaf(Number(digits), start);
    const value = words[this.#take(word)];
    if (value === undefined) throw this.#fault('value');
    return this.#maker.leaf(value, start);
  }

  #object(depth: number): T {
    const object = this.#maker.object(this.#at, depth);
    const most = this.#limits.members;
    let count = 0;
    this.#entries('}', () => {
      count += 1;
      if (count > most) throw this.#fault('members');
      if (this.#text[this.#at] !== '"') throw this.#fault('name');
      const start = this.#at;
      object.name(this.#string(), start);
      this.#skipBlanks();
      if (!this.#skip(':')) throw new JsonFault('colon', this.#at, start);
      this.#skipBlanks();
      object.add(this.#value(depth));
    });
    return object.done();
  }

  #list(depth: number): T {
    const list = this.#maker.list(this.#at);
    this.#entries(']', () => list.add(this.#value(depth)));
    return list.done();
  }

  #entries(close: '}' | ']', readEntry: () => void): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#skip(close)) return;
    for (;;) {
      readEntry();
      this.#skipBlanks();
      if (this.#skip(close)) return;
      if (!this.#skip(',')) throw this.#fault(close === '}' ? 'object end' : 'list end');
      this.#skipBlanks();
    }
  }

  #string(): string {
    const start = this.#at;
    const end = this.#closingQuote();
    if (end === -1) throw this.#textFault(this.#text.length);
    const raw = this.#text.slice(start + 1, end);
    this.#at = end + 1;
    // A text without an escape needs no decoding.
    if (!needsParser.test(raw)) return raw;
    try {
      return String(JSON.parse(`"${raw}"`));
    } catch {
      // A quoted text has no other failure than a character or an escape that JSON does not have.
      this.#at = start;
      throw this.#textFault(end);
    }
  }

  /** -1 when the string does not end; a pattern would need memory for each escape. */
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

  #textFault(end: number): JsonFault {
    const start = this.#at;
    let at = start + 1;
    while (at < end) {
      const character = this.#text[at] ?? '';
      escaped.lastIndex = at;
      if (character === '\\' && !escaped.test(this.#text)) return new JsonFault('escape', at, start);
      if (character === '\n' || character === '\r') return new JsonFault('open text', at, start);
      if (character < ' ') return new JsonFault('control', at, start);
      at = character === '\\' ? escaped.lastIndex : at + 1;
    }
    return new JsonFault('open text', at, start);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text)) return '';
    const taken = this.#text.slice(this.#at, pattern.lastIndex);
    this.#at = pattern.lastIndex;
    return taken;
  }

  #skipBlanks(): void {
    blanks.lastIndex = this.#at;
    blanks.test(this.#text);
    this.#at = blanks.lastIndex;
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #fault(kind: JsonFaultKind): JsonFault {
    return new JsonFault(kind, this.#at);
  }
}

export const defaultJsonLimits: JsonLimits = Object.freeze({ members: 1000, values: 20_000, depth: 64 });

const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** As every parser would: each name once, nothing that reaches a prototype, storable text. A problem never repeats the text. */
export function readStrictJson(text: string, limits: JsonLimits = defaultJsonLimits): Checked<unknown> {
  try {
    return accept(new JsonReader(text, { limits, maker }).read());
  } catch (error) {
    if (error instanceof Refusal) return refuse(error.message);
    if (error instanceof JsonFault) return refuse(problemOf(error, limits));
    throw error;
  }
}

class Refusal extends Error {}

const maker: JsonMaker<unknown> = {
  leaf: (value) => (typeof value === 'string' ? storable(value) : typeof value === 'number' ? finite(value) : value),
  list: () => new Items(),
  object: () => new Members(),
};

class Members implements ObjectMaker<unknown> {
  readonly #members: Record<string, unknown> = {};
  #name = '';

  name(name: string): void {
    storable(name);
    if (prototypeNames.has(name)) throw new Refusal(`The JSON has a name that is not accepted: ${name}`);
    if (Object.hasOwn(this.#members, name)) throw new Refusal('The JSON has the same name twice in one object');
    this.#name = name;
  }

  add(value: unknown): void {
    this.#members[this.#name] = value;
  }

  done(): Readonly<Record<string, unknown>> {
    return this.#members;
  }
}

function storable(text: string): string {
  if (text.includes('\0')) throw new Refusal('The JSON has a text with a NUL character');
  // Only escapes can make one: the bytes were valid UTF-8.
  if (!text.isWellFormed()) throw new Refusal('The JSON has a text with half of a surrogate pair');
  return text;
}

/** `1e999` cannot be stored or written again. */
function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new Refusal('The JSON has a number that is too large');
}

function problemOf({ kind, at, from }: JsonFault, { members, values, depth }: JsonLimits): string {
  switch (kind) {
    case 'members':
      return `The JSON has an object with more than ${members} members`;
    case 'values':
      return `The JSON has more than ${values} values`;
    case 'depth':
      return `The JSON is nested deeper than ${depth} levels`;
    case 'colon':
      return `Malformed JSON at character ${at + 1}`;
    default:
      return `Malformed JSON at character ${from + 1}`;
  }
}
