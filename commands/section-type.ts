/** `hcd section-type`: section types of pages. */
import { fileValue, textValue } from '../src/config/value-type.js';
import { AppError } from '../src/errors/app-error.js';
import {
  findTypeUses,
  type ImportedType,
  importSectionTypes,
  listSectionTypes,
  loadSectionType,
  type RemovalOutcome,
  type RemovedType,
  removeSectionType,
  type SectionTypeView,
} from '../src/pages/authoring/section-types.js';
import { type FieldDefinition, isHiddenType } from '../src/pages/rules/section-type.js';
import { isoTimeOfMs } from '../src/values/dates.js';
import { isJsonObject } from '../src/values/json.js';
import { countOf } from '../src/values/text.js';
import { defineCommand, defineSiteCommand, type Notes } from './command.js';
import { required, toggle } from './parameters.js';
import { readJsonFile } from './read-file.js';

const keyAccepts = 'the key of a section type such as hero';

const keyParameter = required(
  textValue({ accepts: keyAccepts, pattern: /^_?[a-z][a-z0-9_-]{0,99}$/ }),
  'Key of the section type',
);

function typeRecord({ key, state, type, changedOn, changedBy }: SectionTypeView) {
  const { version = null, label = null, category = null, categories = [], fields = [] } = type ?? {};
  return {
    ...{ key, state, version, label, category, categories, fields: fields.map(({ name }) => name) },
    in_catalog: type !== null && state !== 'hidden' && !isHiddenType(type),
    ...{ changed_on: isoTimeOfMs(changedOn), changed_by: changedBy },
  };
}

function definitionOf({ definition }: SectionTypeView) {
  return isJsonObject(definition) ? definition : null;
}

const messages: Readonly<Record<RemovalOutcome, string>> = {
  deleted: 'Removed section type KEY.',
  hidden: 'Hid the shipped section type KEY.',
  'shipped again': 'Removed the definition of this site. The shipped section type KEY applies again.',
  'was hidden': 'KEY is already hidden; nothing to do.',
};

export const commands = {
  list: defineSiteCommand({
    description:
      'Lists all section types. States: shipped (included in hcd), changed (this site replaces a shipped type), own (only this site has it), hidden (a shipped type that was removed) and unreadable (another version of hcd stored it, and this version cannot read it; its sections are not rendered). With --json each type also has the complete definitions of its fields in the form in which they are used, and the places where it is available.',
    examples: {
      'section-type list': 'List all section types',
      'section-type list --json': 'List all section types with their fields, as JSON',
    },
    async run(_options, deps) {
      const views = await listSectionTypes(deps.store.own.primary);
      return {
        kind: 'list',
        columns: ['key', 'version', 'label', 'category', 'state', 'changed_on', 'fields'],
        spare: ['fields', 'changed_on', 'category', 'version'],
        marks: { state: { unreadable: 'warning', hidden: 'past' } },
        rows: views.map((view) =>
          deps.flags.json ? { ...typeRecord(view), ...definitionsOf(view) } : typeRecord(view),
        ),
      };
    },
  }),

  show: defineSiteCommand({
    description:
      'Shows a section type with its fields (an asterisk marks fields that are required to publish), its template and the number of pages that use it. With --definition the command prints only the definition, in the format of hcd section-type import, as a start for your own type. For a hidden type this is the shipped definition; importing it unchanged restores the type.',
    arguments: { key: keyParameter },
    options: { definition: toggle('Print only the definition, as JSON') },
    examples: {
      'section-type show hero': 'Show the fields of a type',
      'section-type show hero --definition > hero.json': 'Save the definition to a file',
    },
    async run({ key, definition: isAlone }, deps) {
      const view = await loadSectionType(deps.store.own.primary, key);
      const definition = definitionOf(view);
      if (isAlone) {
        if (definition === null) throw new AppError('refused', { message: `The definition of ${key} cannot be read` });
        return { kind: 'text', text: `${JSON.stringify(definition, null, 2)}\n`, data: definition };
      }
      const pages = await findTypeUses(deps.store.own.primary, key);
      const record = {
        ...typeRecord(view),
        fields: fieldNames(view.type?.fields ?? []),
        problem: view.problem,
        pages: pages.length,
        template: view.type?.template ?? null,
        definition,
      };
      const hidden = ['definition', ...(view.problem === null ? ['problem'] : [])];
      return { kind: 'record', record, fields: Object.keys(record).filter((name) => !hidden.includes(name)) };
    },
  }),

  import: defineCommand({
    description:
      'Reads one definition or an array of definitions as JSON: {"key", "version", "label", "category", "fields": [{"name", "type", "label", "required"}], "template", "availability", "thumbnail"}. All definitions and their templates are checked and all problems are reported together; either all definitions are imported or none. A definition replaces the section type with the same key, even a shipped one, and published pages use it within one second. To restore a shipped type, import its unchanged definition.',
    arguments: {
      file: required(fileValue, 'JSON file, or - for standard input'),
    },
    options: { dryRun: toggle('Check the definitions without importing them') },
    examples: {
      'section-type import types.json': 'Import the section types in a file',
      'section-type import types.json --dry-run --json': 'Check a file and print the changes as JSON',
    },
    async run({ file, dryRun }, deps) {
      const given = await readJsonFile(file, deps);
      const { store } = await deps.openSite();
      const types = await importSectionTypes(store, { given, by: deps.writer, dryRun });
      return {
        kind: 'list',
        columns: ['key', 'version', 'replaced_version', 'outcome'],
        rows: types.map(({ replaced, ...type }) => ({ ...type, replaced_version: replaced })),
        notes: [...types.map(olderNote), dryRun && 'Nothing was changed.'],
        empty: 'The file contains no section types.',
      };
    },
  }),

  remove: defineSiteCommand({
    description:
      'Removes a section type of this site. When it replaced a shipped type, the shipped type applies again. A shipped type is hidden. A type that pages use, in a draft or a publication, is removed only with --force: its sections are no longer rendered, and drafts that contain it cannot be saved.',
    arguments: { key: keyParameter },
    options: { force: toggle('Remove the type even when pages use it') },
    examples: {
      'section-type remove stats': 'Hide a shipped type',
      'section-type remove price_list --force --yes': 'Remove a type that pages use, without confirmation',
    },
    destructive: {},
    async run({ key, force }, deps) {
      await deps.confirm(async () => {
        const { state } = await loadSectionType(deps.store.own.primary, key);
        return state === 'hidden' ? null : `Remove the ${state} section type ${key}?`;
      });
      const removed = await removeSectionType(deps.store, { key, force, by: deps.writer });
      const data = { key, outcome: removed.outcome, pages: removed.uses };
      return { kind: 'done', message: messages[removed.outcome].replace('KEY', key), data, notes: notesOf(removed) };
    },
  }),
};

function definitionsOf({ type }: SectionTypeView) {
  const { fields, availability } = type ?? { fields: [], availability: null };
  return { definitions: fields, availability };
}

/** Such as `title*`, and `items[question*, answer*]` for rows. */
function fieldNames(fields: readonly FieldDefinition[]): readonly string[] {
  return fields.map(({ name, required, fields: inner }) => {
    const rows = inner.length === 0 ? '' : `[${fieldNames(inner).join(', ')}]`;
    return `${name}${required ? '*' : ''}${rows}`;
  });
}

/** Documents name the version that they were made with. */
function olderNote({ key, version, replaced }: ImportedType): string | false {
  if (replaced === null || version >= replaced) return false;
  return `${key} changes from version ${replaced} to the older version ${version}: sections of the newer version can no longer be saved.`;
}

function notesOf({ key, outcome, uses }: RemovedType): Notes {
  const users = countOf(uses.length, 'page has', 'pages have');
  return [
    uses.length > 0 && `${users} sections that can no longer be rendered.`,
    outcome === 'hidden' && `To restore it: hcd section-type show ${key} --definition | hcd section-type import -`,
  ];
}
