/** What the commands for contexts, chunks, templates and the other elements share. */
import { choiceValue, refusal, textValue } from '../../src/config/value-type.js';
import { type ElementKind, elementKinds } from '../../src/content/elements/element-kinds.js';
import { ruleNames } from '../../src/content/rules/tv-rules.js';
import { isJsonObject } from '../../src/values/json.js';
import { type Readable, required, toggle } from '../parameters.js';
import type { Members } from '../whole-object.js';

const names = choiceValue(elementKinds.map(({ object }) => object));

const elementKindValue: Readable<ElementKind> = {
  kind: 'choice',
  accepts: names.accepts,
  choices: elementKinds.map(({ object }) => object),
  parse(text) {
    const word = text.replaceAll('-', '_');
    const kind = elementKinds.find(({ object, singular }) => word === object || word === singular);
    return kind ? { ok: true, value: kind } : refusal(names.accepts, text);
  },
};

export const kindParameter = required(elementKindValue, 'Kind of element');

export const elementParameter = required(textValue(), {
  placeholder: 'ID_OR_NAME',
  description: 'Id or name of the element, or key of the context',
});

const shown: Readonly<Record<string, readonly string[]>> = {
  contexts: ['key', 'name', 'description', 'rank'],
  tvs: ['id', 'name', 'type', 'caption', 'category', 'rank'],
  categories: ['id', 'category', 'parent', 'rank'],
  content_types: ['id', 'name', 'mime_type', 'file_extensions', 'binary'],
  media_sources: ['id', 'name', 'class_key', 'description'],
};

export function columnsOf({ object, nameField }: ElementKind): readonly string[] {
  return shown[object] ?? ['id', nameField, 'category', 'description', 'locked'];
}

/** Other input properties are for the editors of a CMS, so a wrong name is not refused. */
export function ruleNotes(body: Members, { type }: Members): readonly string[] {
  const { input_properties: properties } = body;
  const rules = ruleNames(String(type));
  const others = isJsonObject(properties) ? Object.keys(properties).filter((name) => !rules.includes(name)) : [];
  if (others.length === 0) return [];
  return [`No rule for values: ${others.join(', ')}. The rules of type ${String(type)} are ${rules.join(', ')}.`];
}

export const eventsParameter = toggle('Send webhook events');
