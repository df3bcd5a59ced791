/** The types of values of objects and of template variables, as answers have them. */
import type { FieldDefinition } from '../../content/objects/definition.js';
import { isJsonObject } from '../../values/json.js';
import { block } from './type-text.js';

export const anyJson = 'JsonValue';

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
