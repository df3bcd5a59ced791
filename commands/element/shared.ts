/** What the commands for contexts, chunks, templates and the other elements share. */
import { choiceValue, refusal } from '../../src/config/value-type.js';
import type { Readable } from '../parameters.js';

interface ElementKind {
  readonly object: string;
  readonly singular: string;
  readonly nameField: string;
  readonly columns: readonly string[];
}

const elementKinds: readonly ElementKind[] = [
  { object: 'contexts', singular: 'context', nameField: 'key', columns: ['key', 'name', 'description', 'rank'] },
  {
    object: 'chunks',
    singular: 'chunk',
    nameField: 'name',
    columns: ['id', 'name', 'category', 'description', 'locked'],
  },
  {
    object: 'templates',
    singular: 'template',
    nameField: 'templatename',
    columns: ['id', 'templatename', 'category', 'description', 'locked'],
  },
  {
    object: 'snippets',
    singular: 'snippet',
    nameField: 'name',
    columns: ['id', 'name', 'category', 'description', 'locked'],
  },
  { object: 'tvs', singular: 'tv', nameField: 'name', columns: ['id', 'name', 'type', 'caption', 'category', 'rank'] },
  { object: 'categories', singular: 'category', nameField: 'category', columns: ['id', 'category', 'parent', 'rank'] },
  {
    object: 'content_types',
    singular: 'content_type',
    nameField: 'name',
    columns: ['id', 'name', 'mime_type', 'file_extensions', 'binary'],
  },
];

const names = choiceValue(elementKinds.map(({ object }) => object));

export const elementKindValue: Readable<ElementKind> = {
  kind: 'choice',
  accepts: names.accepts,
  choices: elementKinds.map(({ object }) => object),
  parse(text) {
    const word = text.replaceAll('-', '_');
    const kind = elementKinds.find(({ object, singular }) => word === object || word === singular);
    return kind ? { ok: true, value: kind } : refusal(names.accepts, text);
  },
};
