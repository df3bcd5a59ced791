/** `hcd element`: contexts, templates, chunks and other elements. */
import { choiceValue, textValue } from '../src/config/value-type.js';
import { listContent, showElement } from '../src/content/administration/browse-content.js';
import { type Editing, openEditing } from '../src/content/administration/edit-content.js';
import {
  createElementByHand,
  removeElementByHand,
  updateElementByHand,
} from '../src/content/administration/edit-elements.js';
import { type ElementKind, elementKinds } from '../src/content/elements/element-kinds.js';
import { openAdministration } from '../src/content/live/administrator.js';
import { ruleNames } from '../src/content/rules/tv-rules.js';
import { tvTypes } from '../src/content/rules/tv-types.js';
import { isJsonObject, parseJson } from '../src/values/json.js';
import { countOf } from '../src/values/text.js';
import { defineCommand, defineSiteCommand } from './command.js';
import { fieldsParameter, listIntent, listParameters, listRecordsOf, showIntent } from './content/list-records.js';
import type { Deps } from './deps.js';
import {
  anyText,
  eventsParameter,
  flagOf,
  optional,
  readableValue,
  required,
  toggle,
  usageError,
} from './parameters.js';
import { notEmpty } from './prompt.js';
import {
  aboutField,
  camelCase,
  checkChanges,
  type Members,
  recordFlags,
  type WholeFlags,
  writtenRecord,
} from './whole-object.js';

const names = choiceValue(elementKinds.map(({ object }) => object));

function kindOf(text = ''): ElementKind | undefined {
  const word = text.replaceAll('-', '_');
  return elementKinds.find(({ object, singular }) => word === object || word === singular);
}

const kindParameter = required(readableValue<ElementKind>(names, kindOf), 'Kind of element');

const elementParameter = required(textValue(), 'Id or name of the element, or key of the context', {
  placeholder: 'ID_OR_NAME',
});

const shown: Readonly<Record<string, readonly string[]>> = {
  contexts: ['key', 'name', 'description', 'rank'],
  tvs: ['id', 'name', 'type', 'caption', 'category', 'rank'],
  categories: ['id', 'category', 'parent', 'rank'],
  content_types: ['id', 'name', 'mime_type', 'file_extensions', 'binary'],
  media_sources: ['id', 'name', 'class_key', 'description'],
};

function shownFields({ object, nameField }: ElementKind): readonly string[] {
  return shown[object] ?? ['id', nameField, 'category', 'description', 'locked'];
}

/** Other input properties are for the editors of a CMS, so a wrong name is not refused. */
function ruleNotes(body: Members, { type }: Members): readonly string[] {
  const { input_properties: properties } = body;
  const rules = ruleNames(String(type));
  const others = isJsonObject(properties) ? Object.keys(properties).filter((name) => !rules.includes(name)) : [];
  if (others.length === 0) return [];
  return [
    `Warning: no rule for values: ${others.join(', ')}. The rules of type ${String(type)} are ${rules.join(', ')}.`,
  ];
}

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

/** Without limits where those of the kinds differ. */
function aboutOf(name: string) {
  const kinds = elementKinds.flatMap(({ written }) => written.fields[name] ?? []).map(aboutField);
  const isOne = new Set(kinds.map(({ schema }) => JSON.stringify(schema))).size === 1;
  const placeholder = elementKinds.some(({ join }) => join === name) ? 'LIST' : (kinds[0]?.placeholder ?? 'TEXT');
  return {
    description: descriptionOf(name),
    placeholder: name === 'category' || name === 'parent' ? 'ID_OR_NAME' : placeholder,
    schema: isOne ? { ...kinds[0]?.schema } : {},
  };
}

const elementFlags = recordFlags(fields, {
  example: '{"name": "price", "type": "number"}',
  also: 'Fields by name; flags override them',
  about: aboutOf,
});

const writeParameters = {
  ...elementFlags.whole,
  ...elementFlags.fields,
  trust: toggle('Write texts that the CMS evaluates, such as @SELECT or @EVAL'),
  events: eventsParameter,
};

/** Throws usage for a flag of another kind. */
async function bodyOf(kind: ElementKind, flags: WholeFlags, deps: Deps): Promise<Members> {
  const known = fieldsOf(kind);
  const problems: Record<string, string> = {};
  const body = await elementFlags.read(flags, deps, (name, text) => {
    const flag = flagOf(camelCase(name));
    const value = valueIn(kind, name, text);
    if (!known.includes(name)) problems[flag] = `is not a field of ${kind.object}: they have ${known.join(', ')}`;
    else if (name === kind.nameField && flags['element'] !== undefined) problems[flag] = 'cannot be combined with NAME';
    else if (value === undefined) problems[flag] = 'must be JSON, such as {"maxLength": 60}';
    return value;
  });
  if (Object.keys(problems).length > 0) throw usageError(problems);
  return body;
}

function valueIn(kind: ElementKind, name: string, text: string): unknown {
  if (kind.serialized.includes(name)) return parseJson(text);
  if (name !== kind.join) return text;
  return text.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));
}

export const commands = {
  list: defineCommand({
    description:
      'Lists contexts, chunks, templates, snippets, template variables (tvs), categories, content types or media sources. Filtering, sorting and searching work as in the gateway. With --json each record has all its fields, and a template variable also its templates and the JSON Schema of what it accepts, unless --fields selects some.',
    arguments: { kind: kindParameter },
    options: listParameters,
    examples: {
      'element list templates': 'List the templates',
      "element list tvs --filter 'name[like]=image%' --json": 'List some template variables as JSON',
    },
    async run({ kind, ...flags }, deps) {
      const list = await listRecordsOf(deps, { object: kind.object, flags, columns: shownFields(kind) });
      const isWhole = flags.filter.length === 0 && flags.q === undefined && list.total === 0;
      const none = `No ${kind.object}. To create one: hcd element create ${kind.singular} NAME`;
      return isWhole ? { ...list, empty: none } : list;
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows an element with all its fields, its properties and the elements that it is joined to. A number is an id; when no element has that id, it is a name. Names are case-sensitive. When several elements have the name, the command fails and lists their ids.',
    arguments: { kind: kindParameter, element: elementParameter },
    options: { fields: fieldsParameter },
    examples: {
      'element show template Home': 'Show a template by its name',
      'element show chunk 7 --fields snippet --json': 'Show the text of a chunk as JSON',
    },
    async run({ kind, element, fields }, deps) {
      const admin = await openAdministration(deps.store, deps);
      const asked = { kind, idOrName: element, intent: showIntent({ fields }) };
      return { kind: 'record', record: await showElement(admin, asked) };
    },
  }),

  create: defineCommand({
    description:
      'Creates a context, category, template, template variable (tvs), chunk, snippet, content type or media source, with the rows that the CMS gives a new one. Flags are fields, and each kind has its own: hcd element show prints them. Categories, templates and template variables are given by id or name. On a terminal the command asks for the name, and for the type and templates of a template variable.',
    arguments: {
      kind: kindParameter,
      element: optional(anyText, 'Name of the element, or key of the context', {
        placeholder: 'NAME',
        fills: (given) => kindOf(given.get('kind')?.[0])?.nameField ?? 'name',
      }),
    },
    options: writeParameters,
    examples: {
      'element create template Product --category Shop --tvs price,photo': 'Create a template with two variables',
      'element create tv price --type number --templates Product --input-properties \'{"minValue": 0, "maxValue": 500}\'':
        'Create a template variable with a rule',
      'element create chunk head --file chunk.json --json': 'Create a chunk from a file and print it as JSON',
    },
    async run({ kind, element, ...flags }, deps) {
      const given = await bodyOf(kind, { ...flags, element }, deps);
      const name = element ?? given[kind.nameField];
      const named: Members = {
        ...given,
        [kind.nameField]: name ?? (await deps.prompt.text({ message: 'Name', flag: 'NAME', check: notEmpty })),
      };
      const editing = await openEditing((await deps.openSite()).store, { ...deps, ...flags });
      const body = kind.object === 'tvs' ? await askVariable(editing, deps, named) : named;
      const made = await createElementByHand(editing, kind, body);
      const notes = [...ruleNotes(body, made.record), ...next(kind, made.record)];
      return writtenRecord(made, { fields: shownFields(kind), notes });
    },
  }),

  update: defineCommand({
    description:
      'Changes the given fields of an element and keeps the others. --tvs and --templates replace the whole list of joined elements; an empty one removes all. A category takes what is below it along. The key of a context cannot be changed.',
    arguments: { kind: kindParameter, element: elementParameter },
    options: writeParameters,
    examples: {
      'element update template Product --templatename Article --tvs price,photo,size':
        'Rename a template and set its variables',
      "element update tv color --elements 'Red==red||Blue==blue'": 'Change the choices of a template variable',
    },
    async run({ kind, element, ...flags }, deps) {
      const body = await bodyOf(kind, flags, deps);
      checkChanges(body);
      const editing = await openEditing((await deps.openSite()).store, { ...deps, ...flags });
      const made = await updateElementByHand(editing, { kind, idOrName: element, body });
      return writtenRecord(made, { fields: shownFields(kind), notes: ruleNotes(body, made.record) });
    },
  }),

  remove: defineCommand({
    description:
      'Removes an element permanently. One that is in use is refused, and its users are named: resources, templates, template variables, or texts with its tag. --force removes it anyway: resources lose their template or get the default content type, what is in a category moves into the category above, the values of a template variable are removed, and so are the resources and settings of a context. The contexts web and mgr, and the default content type and media source, stay.',
    arguments: { kind: kindParameter, element: elementParameter },
    options: { force: toggle('Remove it although it is in use'), events: eventsParameter },
    examples: {
      'element remove chunk head': 'Remove a chunk',
      'element remove tv price --force --yes': 'Remove a template variable with its values, without confirmation',
    },
    destructive: {},
    async run({ kind, element: idOrName, force, events }, deps) {
      const editing = await openEditing((await deps.openSite()).store, { ...deps, events, trust: false });
      const record = await showElement(editing, { kind, idOrName });
      const name = `${kind.singular} ${record[kind.definition.primaryKey]} "${record[kind.nameField]}"`;
      await deps.confirm(`Remove ${name} permanently${force ? ', also if it is in use' : ''}?`);
      const { key, users } = await removeElementByHand(editing, { kind, idOrName, force });
      const used = users.length === 0 ? '' : ` It was used by ${countOf(users.length, 'record')}.`;
      const data = { [kind.definition.primaryKey]: key, removed: true, used_by: users };
      return { kind: 'done', message: `Removed ${name}.${used}`, data };
    },
  }),
};

/** Without a terminal a variable is a text of no template. */
async function askVariable(editing: Editing, { prompt }: Deps, body: Members): Promise<Members> {
  if (!prompt.isInteractive) return body;
  const { type, templates } = body;
  const asked = type ?? (await prompt.choose({ message: 'Type', flag: '--type', choices: tvTypes, default: 'text' }));
  if (templates !== undefined) return { ...body, type: asked };
  const { rows } = await listContent(editing, { object: 'templates', intent: listIntent({ filter: [], limit: 1000 }) });
  const choices = rows.map(({ record }) => String(record['templatename']));
  const question = { message: 'Templates that have it', flag: '--templates', choices };
  return { ...body, type: asked, templates: choices.length === 0 ? [] : await prompt.chooseMany(question) };
}

function next({ object }: ElementKind, { id, key, templates }: Members): readonly string[] {
  if (object === 'templates') return [`To create a page with it: hcd resource create --template ${id}`];
  if (object === 'tvs' && Array.isArray(templates) && templates.length === 0) {
    return [`No template has it yet: hcd element update tv ${id} --templates NAME`];
  }
  if (object === 'contexts') return [`The gateway serves a context that gateway_allowed_contexts names: add ${key}`];
  return [];
}
