/** The commands for contexts, chunks, templates and the other elements. */
import { choiceValue, refusal, textValue } from '../src/config/value-type.js';
import { findElement } from '../src/content/administration/browse-content.js';
import { openAdministration } from '../src/content/live/administrator.js';
import { defineCommand, defineSiteCommand } from './command.js';
import { fieldsParameter, listParameters, listRecordsOf, showIntent } from './content/list-records.js';
import { type Readable, required } from './parameters.js';

export interface ElementKind {
  /** Name of the object. */
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

/** A kind by its name, in the plural or the singular. */
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

export const elementList = defineCommand({
  description:
    'Lists contexts, chunks, templates, snippets, template variables (tvs), categories or content types. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, unless --fields selects some.',
  arguments: { kind: required(elementKindValue, 'Kind of element') },
  options: listParameters,
  examples: {
    'element list templates': 'List the templates',
    "element list tvs --filter 'name[like]=image%' --json": 'List some template variables as JSON',
  },
  run: ({ kind, ...flags }, deps) => listRecordsOf(deps, { object: kind.object, flags, columns: kind.columns }),
});

export const elementShow = defineSiteCommand({
  description:
    'Shows an element with all its fields. A number is an id; when no element has that id, it is a name. Names are case-sensitive. When several elements have the name, the command fails and lists their ids.',
  arguments: {
    kind: required(elementKindValue, 'Kind of element'),
    element: required(textValue(), {
      placeholder: 'ID_OR_NAME',
      description: 'Id or name of the element, or key of the context',
    }),
  },
  options: { fields: fieldsParameter },
  examples: {
    'element show template Home': 'Show a template by its name',
    'element show chunk 7 --fields snippet --json': 'Show the text of a chunk as JSON',
  },
  async run({ kind, element, fields }, deps) {
    const admin = await openAdministration(deps.store, deps);
    const asked = { ...kind, idOrName: element, intent: showIntent({ fields }) };
    return { kind: 'record', record: await findElement(admin, asked) };
  },
});
