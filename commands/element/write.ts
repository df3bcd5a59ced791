/** The commands that write elements. Their flags are the fields of all kinds, under their own names. */
import { type ElementKind, elementKinds } from '../../src/content/elements/element-kinds.js';
import { parseJson } from '../../src/values/json.js';
import { anyText, flagOf, optional, type Parameter, toggle, usageError } from '../parameters.js';
import { camelCase, type Members, wholeParameters } from '../whole-object.js';
import { eventsParameter } from './shared.js';

const fields = [...new Set(elementKinds.flatMap(fieldsOf))];

function fieldsOf({ written, object }: ElementKind): readonly string[] {
  // The key of a context is an argument, and never changes.
  return Object.keys(written.fields).filter(
    (name) => !written.immutable.includes(name) && !(object === 'contexts' && name === 'key'),
  );
}

const described: Readonly<Record<string, string>> = {
  category: 'Category of the element: its id or name; the name of a category itself',
  tvs: 'Template variables of a template: ids or names, separated by commas',
  templates: 'Templates of a template variable: ids or names, separated by commas',
  parent: 'Category above a category: its id or name',
  type: 'Type of a template variable, such as text, number or image (default: text)',
  input_properties: 'Rules of a template variable, such as {"minValue": 1, "maxValue": 9} or {"maxLength": 60}',
  elements: 'Choices of a template variable: Red==red||Blue==blue',
};

function descriptionOf(name: string): string {
  const kinds = elementKinds.filter((kind) => fieldsOf(kind).includes(name)).map(({ object }) => object);
  const value = elementKinds.some(({ serialized }) => serialized.includes(name)) ? 'JSON for' : 'Value of';
  return described[name] ?? `${value} ${name} (${kinds.length > 3 ? 'most kinds' : kinds.join(', ')})`;
}

const fieldFlags: Readonly<Record<string, Parameter<string | undefined>>> = Object.fromEntries(
  fields.map((name) => [
    camelCase(name),
    optional(anyText, { placeholder: placeholderOf(name), description: descriptionOf(name) }),
  ]),
);

function placeholderOf(name: string): string {
  const type = elementKinds.map(({ written }) => written.fields[name]?.type).find((one) => one !== undefined);
  if (name === 'category' || name === 'parent') return 'ID_OR_NAME';
  if (elementKinds.some(({ join }) => join === name)) return 'LIST';
  return type === 'integer' ? 'N' : type === 'boolean' ? 'FLAG' : type === 'json' ? 'JSON' : 'TEXT';
}

export const writeParameters = {
  ...wholeParameters('{"name": "price", "type": "number"}', 'Fields by name; flags override them'),
  ...fieldFlags,
  trust: toggle('Write texts that the content system evaluates, such as @SELECT or @EVAL'),
  events: eventsParameter,
};

/** The whole record first, single flags over it. Throws usage for a flag of another kind. */
export function bodyOf(kind: ElementKind, flags: Readonly<Record<string, unknown>>, whole: Members): Members {
  const known = fieldsOf(kind);
  const problems: Record<string, string> = {};
  const given: Record<string, unknown> = {};
  for (const name of fields) {
    const text = flags[camelCase(name)];
    if (typeof text !== 'string') continue;
    const value = valueIn(kind, name, text);
    if (!known.includes(name)) {
      problems[flagOf(camelCase(name))] = `is not a field of ${kind.object}: they have ${known.join(', ')}`;
    } else if (value === undefined) problems[flagOf(camelCase(name))] = 'must be JSON, such as {"maxLength": 60}';
    else given[name] = value;
  }
  if (Object.keys(problems).length > 0) throw usageError(problems);
  return { ...whole, ...given };
}

/** Undefined for a text that is not JSON. */
function valueIn(kind: ElementKind, name: string, text: string): unknown {
  if (kind.serialized.includes(name)) return parseJson(text);
  if (name !== kind.join) return text;
  return text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}
