/** The fields and template variables of a resource as controls, each by its type. */
import type { ParameterView } from '../../../commands/studio/command-view.js';
import { isObject, type Json, type JsonObject, type RunInput } from '../api.js';
import type { FieldView } from '../parameter-field.js';
import { texts } from '../texts.js';

export interface FormField {
  readonly parameter: FieldView;
  readonly before: string;
  /** What the command calls it. */
  readonly problemsAt: string;
  readonly part: 'first' | 'more' | 'tv';
}

export function textOfValue(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Choices = readonly (readonly [string, string])[];

interface About {
  readonly record: JsonObject;
  readonly templates: Choices;
  readonly contexts: Choices;
}

const first: ReadonlySet<string> = new Set([
  ...['pagetitle', 'longtitle', 'description', 'alias', 'published', 'parent', 'template', 'introtext', 'content'],
  ...['menutitle', 'menuindex', 'hidemenu', 'pub-date', 'unpub-date'],
]);
const notFields: ReadonlySet<string> = new Set(['data', 'tv', 'trust', 'events']);

export function resourceFields(options: readonly ParameterView[], about: About): readonly FormField[] {
  const yesNo = [['true', texts.site.yes] as const, ['false', texts.site.no] as const];
  const lists: Readonly<Record<string, Choices>> = { template: about.templates, 'context-key': about.contexts };
  const titles: Readonly<Record<string, string>> = texts.site.resource.fields;
  return options
    .filter(({ name }) => !notFields.has(name))
    .map((option): FormField => {
      const { name } = option;
      const choices = lists[name] ?? (option.kind === 'choice' ? yesNo : null);
      return {
        parameter: {
          ...option,
          ...{ description: '', placeholder: '', ...(titles[name] && { title: titles[name] }) },
          ...(choices && choiceOf(choices)),
        },
        before: textOfValue(about.record[name.replaceAll('-', '_')]),
        problemsAt: option.label,
        part: first.has(name) ? 'first' : 'more',
      };
    });
}

function choiceOf(choices: Choices) {
  return {
    kind: 'choice',
    isOpen: false,
    choices: choices.map(([value]) => value),
    choiceNames: new Map(choices),
  } as const;
}

const oneOf: ReadonlySet<string> = new Set(['option', 'listbox']);
const someOf: ReadonlySet<string> = new Set(['checkbox', 'listbox-multiple']);
const long: ReadonlySet<string> = new Set(['textarea', 'richtext', 'rawtextarea', 'migx']);

export function tvFields(tvs: readonly JsonObject[], record: JsonObject): readonly FormField[] {
  const values = isObject(record['tvs']) ? record['tvs'] : {};
  return tvs.map((tv): FormField => {
    const [name, type, elements] = [String(tv['name']), String(tv['type']), String(tv['elements'] ?? '')];
    // A binding is evaluated by the content system, so its choices are not known.
    const isKnown = elements !== '' && !elements.startsWith('@');
    const pairs = isKnown ? elements.split('||').map(pairOf) : [];
    const kind =
      isKnown && oneOf.has(type)
        ? 'choice'
        : isKnown && someOf.has(type)
          ? 'list'
          : type === 'number'
            ? 'integer'
            : 'text';
    return {
      parameter: {
        ...{
          name: `tv.${name}`,
          title: String(tv['caption'] || name),
          label: `--tv ${name}`,
          description: String(tv['description'] ?? ''),
          kind,
        },
        ...{
          required: false,
          repeatable: false,
          placeholder: '',
          accepts: null,
          isOpen: false,
          isLong: long.has(type),
        },
        ...{ choices: pairs.map(([value]) => value), choiceNames: new Map(pairs) },
      },
      before: textOfValue(values[name]),
      problemsAt: `--tv ${name}`,
      part: 'tv',
    };
  });
}

/** `Shown==stored`, or one for both. */
function pairOf(element: string): readonly [string, string] {
  const [shown = '', stored = shown] = element.split('==');
  return [stored, shown];
}

interface Changed {
  readonly record: JsonObject;
  readonly changes: Readonly<Record<string, string>>;
  readonly fields: readonly FormField[];
}

/** Only what was changed. */
export function givenOf({ record, changes, fields }: Changed): RunInput {
  const changed = fields.flatMap(({ parameter: { name, kind }, before }): [string, string][] => {
    const value = changes[name];
    if (value === undefined || value === before) return [];
    return [[name, value === '' && kind === 'time' ? 'null' : value]];
  });
  const tv = changed.flatMap(([name, value]) => (name.startsWith('tv.') ? [`${name.slice(3)}=${value}`] : []));
  return {
    arguments: record['id'] === undefined ? [] : [String(record['id'])],
    options: {
      ...Object.fromEntries(changed.filter(([name]) => !name.startsWith('tv.'))),
      ...(tv.length > 0 && { tv }),
    },
  };
}
