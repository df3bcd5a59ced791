/** The kinds of element that commands write, with the fields of a body and what a new record starts with. */
import { AppError } from '../../errors/app-error.js';
import * as objects from '../objects/core-objects.js';
import type { FieldDefinition, ObjectDefinition } from '../objects/definition.js';
import type { JsonValue } from '../objects/values.js';

export interface ElementKind {
  readonly object: string;
  readonly singular: string;
  readonly nameField: string;
  readonly definition: ObjectDefinition;
  /** The definition of bodies: columns of serialized text and joins are further fields. */
  readonly written: ObjectDefinition;
  /** Columns of PHP's serialize text, which a body has as JSON. */
  readonly serialized: readonly string[];
  readonly join: 'tvs' | 'templates' | null;
  /** Of a new record; other fields start empty. */
  readonly initial: Readonly<Record<string, JsonValue>>;
}

type KindDraft = Pick<ElementKind, 'singular'> & Partial<ElementKind>;

function kindOf(definition: ObjectDefinition, draft: KindDraft): ElementKind {
  const { nameField = 'name', serialized = ['properties'], join = null, initial = {} } = draft;
  const { name: object, fields } = definition;
  const json = (column: string): FieldDefinition => ({ type: 'json', column, nullable: true });
  const added = [...serialized, ...(join === null ? [] : [join])].map((name) => [name, json(name)] as const);
  const own = Object.entries(fields).filter(([, field]) => field.isMediaSource !== true);
  const written: ObjectDefinition = {
    ...definition,
    fields: Object.fromEntries([...own, ...added]),
    required: [nameField],
    immutable: fields['id'] === undefined ? [] : ['id'],
    hidden: [],
  };
  return Object.freeze({ object, nameField, definition, written, serialized, join, initial, singular: draft.singular });
}

const noProperties: JsonValue = [];

export const elementKinds: readonly ElementKind[] = [
  kindOf(objects.contexts, { singular: 'context', nameField: 'key', serialized: [] }),
  kindOf(objects.chunks, { singular: 'chunk', initial: { snippet: '' } }),
  kindOf(objects.templates, { singular: 'template', nameField: 'templatename', join: 'tvs' }),
  kindOf(objects.snippets, { singular: 'snippet', initial: { snippet: '' } }),
  kindOf(objects.tvs, {
    singular: 'tv',
    join: 'templates',
    serialized: ['input_properties', 'output_properties', 'properties'],
    initial: {
      ...{ type: 'text', display: 'default', elements: '', default_text: '' },
      ...{ input_properties: noProperties, output_properties: noProperties },
    },
  }),
  kindOf(objects.categories, { singular: 'category', nameField: 'category', serialized: [] }),
  kindOf(objects.contentTypes, { singular: 'content_type', serialized: ['headers'] }),
  kindOf(objects.mediaSources, { singular: 'media_source', initial: { is_stream: true } }),
];

export function kindNamed(object: string): ElementKind {
  const kind = elementKinds.find((one) => one.object === object);
  if (kind === undefined) throw new AppError('internal_error', { message: `${object} is not a kind of element` });
  return kind;
}

/** The field that names a category, by its id in a stored row. */
export function categoryField({ object, definition }: ElementKind): string | undefined {
  return object === 'categories' ? 'parent' : definition.visibility.category;
}

export function joinedKind({ join }: ElementKind): ElementKind | undefined {
  return elementKinds.find(({ object }) => object === join);
}
