/** Schemas in words and tables: the type of a value, and the members of an answer as rows with their path. */

import type { JsonSchema } from '../openapi/openapi-types.js';
import { anchor, type Html, type HtmlPart, html, prose } from './docs-html.js';
import { refName, resolveSchema, type Schemas } from './docs-json.js';

/** Members are listed so many levels deep. */
const maxLevels = 5;
/** Longer lists of allowed values are folded. */
const shownValues = 8;

/** The type of a value in words: `integer`, `list of text`, a link to the object that it shows. */
export function typeOf(schema: JsonSchema, schemas: Schemas): HtmlPart {
  const object = objectName(resolveSchema(schema, schemas));
  if (object !== undefined) return html`<a href="#${anchor('object', object)}">${object}</a>`;
  const found = resolveSchema(schema, schemas);
  if (found.anyOf !== undefined) {
    const parts = found.anyOf.map((one) => typeOf(one, schemas));
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

/** Registered object of a record schema. */
function objectName(schema: JsonSchema): string | undefined {
  const name = schema['x-object']?.['name'];
  return typeof name === 'string' ? name : undefined;
}

/** What a value must keep to: allowed values, range, length, default. */
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

/** The members of a schema as table rows; records of registered objects are linked, not repeated. */
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

/** The schema whose members count: of lists the item. */
function inner(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const found = resolveSchema(schema, schemas);
  return found.type === 'array' && found.items !== undefined ? resolveSchema(found.items, schemas) : found;
}

/** True when the schema has members to list. */
export function hasMembers(schema: JsonSchema, schemas: Schemas): boolean {
  return refName(schema) !== undefined || Object.keys(resolveSchema(schema, schemas).properties ?? {}).length > 0;
}
