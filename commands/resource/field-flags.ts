/** The flags with which commands write a resource: one for each field that can be written, under its own name. */
import { fileValue, refusal, textValue, type ValueType } from '../../src/config/value-type.js';
import { resources } from '../../src/content/objects/resources.js';
import { optional, type Parameter, repeated, toggle } from '../parameters.js';

/** Commands of their own delete and restore, which touches more than this one field. */
const written = Object.keys(resources.fields).filter(
  (name) => !resources.immutable.includes(name) && !resources.hidden.includes(name) && name !== 'deleted',
);

type TextFlags = Readonly<Record<string, Parameter<string | undefined>>>;

/** What a field is checked for is decided by the rules of the gateway: any text may be given. */
const anyText = textValue({ pattern: /^/ });

const jsonObject: ValueType<string> = {
  ...textValue({ accepts: 'a JSON object such as {"pagetitle": "News"}' }),
  parse(text) {
    return readObject(text) === undefined
      ? refusal('a JSON object such as {"pagetitle": "News"}', text)
      : { ok: true, value: text };
  },
};

const tvAccepts = 'NAME=VALUE';
const tvValue: ValueType<readonly [name: string, value: string]> = {
  kind: 'text',
  accepts: tvAccepts,
  parse(text) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    return name === undefined ? refusal(tvAccepts, text) : { ok: true, value: [name, value] };
  },
  format: ([name, value]) => `${name}=${value}`,
};

const fieldFlags: TextFlags = Object.fromEntries(
  written.map((name) => [
    camelCase(name),
    optional(anyText, { placeholder: placeholderOf(name), description: `Set ${name}` }),
  ]),
);

/** Every field, template variables, and the whole record at once. */
export const writeParameters = {
  data: optional(jsonObject, { placeholder: 'JSON', description: 'Fields by name, with tvs; flags win over it' }),
  file: optional(fileValue, { placeholder: 'FILE', description: 'The same from a file, or - for standard input' }),
  tv: repeated(tvValue, { placeholder: tvAccepts, description: 'Set a template variable of the resource' }),
  ...fieldFlags,
};

export const eventsParameter = toggle('Tell the subscribers of webhooks, as a change through the gateway would');

/** The values of all flags, by the name of the flag in camelCase. */
export type WriteFlags = Readonly<Record<string, unknown>> & {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
  readonly tv: readonly (readonly [name: string, value: string])[];
};

/** The JSON object of a text; undefined for anything else. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The body as a client of the gateway would send it: the whole record first, single flags over it. */
export function bodyOf(flags: WriteFlags, whole: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = written.flatMap((name) => {
    const value = flags[camelCase(name)];
    return value === undefined ? [] : [[name, isNoTime(name, value) ? null : value] as const];
  });
  const { tvs } = whole;
  const named = Object.fromEntries(flags.tv);
  const together = flags.tv.length === 0 ? {} : { tvs: { ...(isObject(tvs) ? tvs : {}), ...named } };
  return { ...whole, ...Object.fromEntries(fields), ...together };
}

/** A flag is text: this is how one says that a time is not set. */
function isNoTime(name: string, value: unknown): boolean {
  return value === 'null' && resources.fields[name]?.type === 'datetime';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

function placeholderOf(name: string): string {
  switch (resources.fields[name]?.type) {
    case 'integer':
      return 'N';
    case 'boolean':
      return 'FLAG';
    case 'datetime':
      return 'TIME';
    default:
      return 'TEXT';
  }
}
