/** Reads JSON as every parser would: each name once, nothing that reaches a prototype, storable text. */
import { accept, type Checked, refuse } from './checked.js';
import { Items, JsonFault, type JsonLimits, type JsonMaker, JsonReader, type ObjectMaker } from './json-reader.js';

export const defaultJsonLimits: JsonLimits = Object.freeze({ members: 1000, values: 20_000, depth: 64 });

const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Stops at the first exceeded limit; a problem never repeats the text. */
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
