/** TypeScript as text. Names and texts of a site may be anything, and must not end a comment or a name early. */
import type { FieldDefinition } from '../../content/objects/definition.js';
import { isJsonObject } from '../../values/json.js';

export interface Member {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  readonly about?: string;
}

/** What an editor does not show, or what changes the direction of a line there. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

export function literal(text: string): string {
  return JSON.stringify(text).replace(unseen, escaped);
}

function escaped(text: string): string {
  return Array.from({ length: text.length }, (_, at) => `\\u${hexOf(text.charCodeAt(at))}`).join('');
}

function hexOf(code: number): string {
  return code.toString(16).padStart(4, '0');
}

export function union(texts: readonly string[]): string {
  return texts.length === 0 ? 'never' : texts.map(literal).join(' | ');
}

const longestComment = 200;

export function comment(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(unseen, '').trim();
  const cut = line.length > longestComment ? `${line.slice(0, longestComment)}…` : line;
  return `/** ${cut.replaceAll('*/', '*\\/')} */`;
}

const plainName = /^[A-Za-z_$][\w$]*$/;

export function block(members: readonly Member[], indent = ''): string {
  if (members.length === 0) return '{}';
  const lines = members.map(({ name, type, isOptional = false, about }) => {
    const word = plainName.test(name) ? name : literal(name);
    const said = about === undefined ? '' : `${indent}  ${comment(about)}\n`;
    return `${said}${indent}  ${word}${isOptional ? '?' : ''}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

/** Unique: the first text has its own name, later ones get a number. */
export function typeNames<Key>(
  wanted: readonly (readonly [key: Key, text: string])[],
  {
    otherwise,
    ending,
    taken,
  }: { readonly otherwise: string; readonly ending: string; readonly taken: Iterable<string> },
): ReadonlyMap<Key, string> {
  const used = new Set(taken);
  const names = new Map<Key, string>();
  for (const [key, text] of wanted) {
    const stem = pascalCase(text, otherwise);
    let name = `${stem}${ending}`;
    for (let number = 2; used.has(name); number += 1) name = `${stem}${number}${ending}`;
    used.add(name);
    names.set(key, name);
  }
  return names;
}

/** Any script; a name without a letter, or with a digit first, gets the other word. */
function pascalCase(text: string, otherwise: string): string {
  const words = text.normalize('NFC').match(/[\p{ID_Start}\p{Nd}][\p{ID_Continue}]*/gu) ?? [];
  const stem = words
    .flatMap((word) => word.split('_'))
    .map((word) => word.replace(/^./u, (first) => first.toUpperCase()))
    .join('');
  return /^\p{ID_Start}/u.test(stem) ? stem : `${otherwise}${stem}`;
}

export const anyJson = 'JsonValue';

/** The types of values of objects and of template variables, as answers have them. */
export function fieldType(field: FieldDefinition): string {
  const orNull = (type: string): string => (field.nullable ? `${type} | null` : type);
  switch (field.type) {
    case 'integer':
    case 'number':
      return orNull('number');
    case 'boolean':
      return 'boolean';
    case 'string':
      return orNull('string');
    case 'datetime':
      return 'string | null';
    case 'json':
      return field.isMediaSource ? '{ id: number; name: string } | null' : anyJson;
  }
}

const words: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

export function schemaType(schema: Readonly<Record<string, unknown>>): string {
  const { type, items } = schema;
  const types = (Array.isArray(type) ? type : [type]).map((word: unknown) => {
    if (word !== 'array') return typeof word === 'string' ? words[word] : undefined;
    return `${isJsonObject(items) ? schemaType(items) : anyJson}[]`;
  });
  return types.every((one) => one !== undefined) ? types.join(' | ') : anyJson;
}

export const jsonTypes = `export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };
`;

const noMembers = 'Record<never, never>';

/** A type without members, which `{}` does not express. */
export function shape(members: Parameters<typeof block>[0], indent = ''): string {
  return members.length === 0 ? noMembers : block(members, indent);
}
