/** Schemas in words and tables, example values, and JSON as coloured HTML. */
import type { JsonSchema } from '../openapi/openapi-types.js';
import { anchor, type Html, type HtmlPart, html, prose } from './docs-html.js';

export type Schemas = Readonly<Record<string, JsonSchema>>;

/** The document has no deeper cycles. */
const maxDepth = 8;

export function resolveSchema(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = refName(schema);
  return name === undefined ? schema : (schemas[name] ?? {});
}

function refName(schema: JsonSchema): string | undefined {
  return schema.$ref?.replace(/^#\/components\/schemas\//, '');
}

/** Given examples first, then what the keywords allow. */
export function exampleValue(schema: JsonSchema, schemas: Schemas, depth = 0): unknown {
  const found = resolveSchema(schema, schemas);
  if (found.examples !== undefined) return found.examples[0];
  if (found.const !== undefined) return found.const;
  if (found.enum !== undefined) return found.enum[0];
  if (found.default !== undefined) return found.default;
  const first = (found.anyOf ?? found.oneOf)?.[0];
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
  // Relations and template variables are only in answers to requests that name them.
  return !isProtected && (member.examples ?? member.anyOf) !== undefined;
}

function exampleText({ format }: JsonSchema): string {
  if (format === 'date-time') return '2026-11-21T09:30:00Z';
  return format === 'uri-reference' ? '/api/v1/resources?limit=20&offset=0' : 'text';
}

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

const maxLevels = 5;
const shownValues = 8;

export function typeOf(schema: JsonSchema, schemas: Schemas): HtmlPart {
  const object = objectName(resolveSchema(schema, schemas));
  if (object !== undefined) return html`<a href="#${anchor('object', object)}">${object}</a>`;
  const found = resolveSchema(schema, schemas);
  const choices = found.anyOf ?? found.oneOf;
  if (choices !== undefined) {
    const parts = choices.map((one) => typeOf(one, schemas));
    return parts.map((part, index) => (index === 0 ? part : [' or ', part]));
  }
  const types = typeof found.type === 'object' ? found.type : [found.type ?? 'any'];
  return types.map((type, index) => [index === 0 ? '' : ' or ', typeWord(type, found, schemas)]);
}

function typeWord(type: string, schema: JsonSchema, schemas: Schemas): HtmlPart {
  switch (type) {
    case 'array':
      return ['list of ', typeOf(schema.items ?? {}, schemas)];
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? ['map to ', typeOf(schema.additionalProperties, schemas)]
        : 'object';
    case 'string':
      return schema.format === 'date-time' ? 'date-time' : 'string';
    default:
      return type;
  }
}

function objectName(schema: JsonSchema): string | undefined {
  const name = schema['x-object']?.['name'];
  return typeof name === 'string' ? name : undefined;
}

export function limitsOf(schema: JsonSchema): HtmlPart {
  const { minimum, maximum, maxLength } = schema;
  const values = schema.enum;
  const words = [
    minimum !== undefined && `from ${minimum}`,
    maximum !== undefined && `up to ${maximum}`,
    maxLength !== undefined && `at most ${maxLength} characters`,
    schema.default !== undefined && `default ${String(schema.default)}`,
  ].filter((word) => word !== false);
  return [
    words.length > 0 && html`<span class="limits">${words.join(', ')}</span>`,
    values !== undefined && allowedValues(values),
  ];
}

function allowedValues(values: readonly unknown[]): Html {
  const list = values.map((value, index) => [index === 0 ? '' : ' ', html`<code>${String(value)}</code>`]);
  if (values.length <= shownValues) return html`<span class="values">${list}</span>`;
  return html`<details class="values"><summary>${values.length} values</summary><p class="allowed">${list}</p></details>`;
}

/** Records of registered objects are linked, not repeated. */
export function memberRows(schema: JsonSchema, schemas: Schemas): HtmlPart {
  return rowsOf({ schema, schemas, path: '', level: 0 });
}

interface Branch {
  readonly schema: JsonSchema;
  readonly schemas: Schemas;
  readonly path: string;
  readonly level: number;
}

function rowsOf({ schema, schemas, path, level }: Branch): HtmlPart {
  const found = inner(schema, schemas);
  if (level >= maxLevels || objectName(found) !== undefined) return null;
  const required = new Set(found.required);
  return Object.entries(found.properties ?? {}).map(([name, member]) => {
    const described = resolveSchema(member, schemas);
    const memberPath = path === '' ? name : `${path}.${name}`;
    const isList = described.type === 'array';
    return html`<tr>
<th scope="row" class="level-${level}"><code>${memberPath}</code></th>
<td>${typeOf(member, schemas)}${required.has(name) ? null : html` <span class="optional">optional</span>`}</td>
<td>${prose(described.description ?? '')} ${limitsOf(described)}</td>
</tr>
${rowsOf({ schema: member, schemas, path: isList ? `${memberPath}[]` : memberPath, level: level + 1 })}`;
  });
}

function inner(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const found = resolveSchema(schema, schemas);
  return found.type === 'array' && found.items !== undefined ? resolveSchema(found.items, schemas) : found;
}

export function hasMembers(schema: JsonSchema, schemas: Schemas): boolean {
  return refName(schema) !== undefined || Object.keys(resolveSchema(schema, schemas).properties ?? {}).length > 0;
}
