/** Example values made of schemas, and JSON as coloured HTML. */

import type { JsonSchema } from '../openapi/openapi-types.js';
import { type Html, type HtmlPart, html } from './docs-html.js';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** References are followed so deep at most; the document has no cycles beyond it. */
const maxDepth = 8;

/** The schema that a reference names; itself when it is none. */
export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = refName(schema);
  return name === undefined ? schema : (schemas[name] ?? {});
}

/** Name of the component schema that a reference leads to. */
export function refName(schema: JsonSchema): string | undefined {
  return schema.$ref?.replace(/^#\/components\/schemas\//, '');
}

/** A value that fits the schema: given examples first, then what its keywords allow. */
export function exampleValue(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const found = resolveSchema(schema, schemas);
  if (found.examples !== undefined) return found.examples[0];
  if (found.const !== undefined) return found.const;
  if (found.enum !== undefined) return found.enum[0];
  if (found.default !== undefined) return found.default;
  const first = found.anyOf?.[0];
  if (first !== undefined) return exampleValue(first, schemas, depth);
  const type = typeof found.type === 'object' ? found.type[0] : found.type;
  switch (type) {
    case 'object':
      return depth >= maxDepth ? {} : exampleObject(found, schemas, depth);
    case 'array':
      return depth >= maxDepth || found.items === undefined ? [] : [exampleValue(found.items, schemas, depth + 1)];
    case 'integer':
    case 'number':
      return found.minimum ?? 0;
    case 'boolean':
      return true;
    case 'string':
      return exampleText(found);
    default:
      return null;
  }
}

function exampleObject(schema: JsonSchema, schemas: Schemas, depth: number): unknown {
  const properties = Object.entries(schema.properties ?? {});
  const shown = properties.filter(([name, member]) => isShown(schema, name, member));
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleValue(member, schemas, depth + 1)]));
}

/** Members that always occur; of a record, what a plain read without special rights shows. */
function isShown(schema: JsonSchema, name: string, member: JsonSchema): boolean {
  if (schema.required !== undefined) return schema.required.includes(name);
  const object = schema['x-object'];
  if (object === undefined) return true;
  const isProtected = Array.isArray(object['protected']) && object['protected'].includes(name);
  // Relations and template variables have no example of their own: they come only when asked for.
  return !isProtected && (member.examples ?? member.anyOf) !== undefined;
}

function exampleText({ format }: JsonSchema): string {
  if (format === 'date-time') return '2026-11-21T09:30:00Z';
  return format === 'uri-reference' ? '/api/v1/resources?limit=20&offset=0' : 'text';
}

/** Indented JSON with its parts marked for colour. */
export function jsonHtml(value: unknown): Html {
  return html`${jsonPart(value, '')}`;
}

function jsonPart(value: unknown, indent: string): HtmlPart {
  if (typeof value === 'string') return html`<span class="j-s">${JSON.stringify(value)}</span>`;
  if (typeof value !== 'object' || value === null) return html`<span class="j-v">${String(value)}</span>`;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item: unknown) => html`${inner}${jsonPart(item, inner)}`)
    : Object.entries(value).map(
        ([key, item]) => html`${inner}<span class="j-k">${JSON.stringify(key)}</span>: ${jsonPart(item, inner)}`,
      );
  const [open, close] = isList ? '[]' : '{}';
  if (members.length === 0) return `${open}${close}`;
  const lines = members.map((member, index) => [member, index < members.length - 1 ? ',\n' : '\n']);
  return [`${open}\n`, lines, indent, close ?? ''];
}
