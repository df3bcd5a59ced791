/** The commands that write resources. Their flags are the fields that can be written, under their own names. */
import { refusal } from '../../src/config/value-type.js';
import { resources } from '../../src/content/objects/core-objects.js';
import { isJsonObject } from '../../src/values/json.js';
import { anyText, optional, type Parameter, type Readable, repeated, toggle } from '../parameters.js';
import { camelCase, wholeParameters } from '../whole-object.js';

/** Other commands delete and restore, which changes more than this one field. */
const written = Object.keys(resources.fields).filter(
  (name) => !resources.immutable.includes(name) && !resources.hidden.includes(name) && name !== 'deleted',
);

type TextFlags = Readonly<Record<string, Parameter<string | undefined>>>;

const tvAccepts = 'NAME=VALUE';

const tvValue: Readable<readonly [name: string, value: string]> = {
  kind: 'text',
  accepts: tvAccepts,
  parse(text) {
    const [, name, value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    return name === undefined ? refusal(tvAccepts, text) : { ok: true, value: [name, value] };
  },
};

const fieldFlags: TextFlags = {
  ...Object.fromEntries(
    written.map((name) => [
      camelCase(name),
      optional(anyText, { placeholder: placeholderOf(name), description: `Value of ${name}` }),
    ]),
  ),
  template: optional(anyText, 'Template: its id or name (see hcd element list templates)'),
  parent: optional(anyText, { placeholder: 'ID_OR_URI', description: 'Resource above it: its id or URI; 0 for none' }),
};

export const writeParameters = {
  ...wholeParameters('{"pagetitle": "News"}', 'Fields by name, and tvs; flags override them'),
  tv: repeated(tvValue, { placeholder: tvAccepts, members: 'tvs.', description: 'Template variable to set' }),
  ...fieldFlags,
  trust: toggle('Write values that the content system evaluates, such as @CHUNK or @EVAL'),
};

type WriteFlags = Readonly<Record<string, unknown>> & {
  readonly data?: string | undefined;
  readonly file?: string | undefined;
  readonly tv: readonly (readonly [name: string, value: string])[];
};

/** The whole record first, single flags over it. */
export function bodyOf(flags: WriteFlags, whole: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fields = written.flatMap((name) => {
    const value = flags[camelCase(name)];
    return value === undefined ? [] : [[name, isNoTime(name, value) ? null : value] as const];
  });
  const { tvs } = whole;
  const named = Object.fromEntries(flags.tv);
  const together = flags.tv.length === 0 ? {} : { tvs: { ...(isJsonObject(tvs) ? tvs : {}), ...named } };
  return { ...whole, ...Object.fromEntries(fields), ...together };
}

function isNoTime(name: string, value: unknown): boolean {
  return value === 'null' && resources.fields[name]?.type === 'datetime';
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
