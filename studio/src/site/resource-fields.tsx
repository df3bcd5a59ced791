/** The fields and template variables of a resource as fields of a form, each by its type. */
import type { CommandView } from '../../../commands/studio/command-view.js';
import type { Json, JsonObject } from '../api.js';
import { type FormGroup, fieldsOf, type Known } from '../command-form.js';
import { BoxesInput, type Choices } from '../inputs.js';
import { pageOfSite } from '../pages/pickers.js';
import { type Control, type FieldView, fieldValue, type Values } from '../parameter-field.js';
import { texts } from '../texts.js';
import { recordOf, textOf } from '../values.js';

interface About {
  readonly command: CommandView | undefined;
  readonly tvs: readonly JsonObject[];
  readonly templates: Choices;
  readonly contexts: Choices;
}

/** Those that most resources need. */
const mainFields = [
  ...['pagetitle', 'longtitle', 'description', 'alias', 'published', 'parent', 'template', 'introtext', 'content'],
  ...['menutitle', 'menuindex', 'hidemenu', 'pub-date', 'unpub-date'],
];
const notFields: ReadonlySet<string> = new Set([...mainFields, 'data', 'tv', 'trust', 'events']);

export function resourceGroups({ command, tvs, templates, contexts }: About): readonly FormGroup[] {
  const { options = [] } = command ?? {};
  const chosen = (choices: Choices) => ({ kind: 'choice', choices, isOpen: false }) as const;
  const plain = options.map(({ name, kind }) => [
    name,
    {
      ...{ description: '', ...(kind === 'time' && { emptied: 'null' }) },
      ...(kind === 'choice' && chosen(Object.entries(texts.yesNo))),
    },
  ]);
  const known: Known = {
    ...Object.fromEntries(plain),
    parent: { description: '', emptied: '0', control: pageOfSite },
    template: { description: '', emptied: '0', ...chosen(templates) },
    'context-key': { description: '', ...chosen(contexts) },
  };
  const others = options.map(({ name }) => name).filter((name) => !notFields.has(name));
  return [
    { fields: fieldsOf(command, mainFields, known) },
    { title: texts.site.resource.tvs, fields: tvs.map(tvField) },
    { title: texts.site.resource.moreFields, isFolded: true, fields: fieldsOf(command, others, known) },
  ];
}

const long: ReadonlySet<string> = new Set(['textarea', 'richtext', 'rawtextarea', 'migx']);

function tvField(tv: JsonObject): FieldView {
  const [name = '', type = '', elements = ''] = ['name', 'type', 'elements'].map((member) => textOf(tv[member]));
  // A binding is evaluated by the content system, so its choices are not known.
  const choices = elements === '' || elements.startsWith('@') ? [] : elements.split('||').map(pairOf);
  const isSeveral = choices.length > 0 && (type === 'checkbox' || type === 'listbox-multiple');
  const boxes: Control = ({ value, change, ...field }) => (
    <BoxesInput
      {...{ ...field, choices }}
      value={value === '' ? [] : value.split('||')}
      change={(chosen) => change(chosen.join('||'))}
    />
  );
  return {
    ...{ name: `tv.${name}`, label: `--tv ${name}`, title: textOf(tv['caption']) || name },
    ...{ description: textOf(tv['description']), isLong: long.has(type) },
    ...(choices.length > 0 && (type === 'option' || type === 'listbox') && { kind: 'choice' as const, choices }),
    control: type === 'resourcelist' ? pageOfSite : isSeveral ? boxes : undefined,
  };
}

/** `Shown==stored`, or one for both. */
function pairOf(element: string): readonly [string, string] {
  const [shown = '', stored = shown] = element.split('==');
  return [stored, shown];
}

/** By field; nothing is above the first resources, and some have no template. */
export function storedFields({ tvs, ...record }: JsonObject): Values {
  const fields = Object.entries(record).map(([name, value]) => [
    name.replaceAll('_', '-'),
    fieldValue((name === 'parent' || name === 'template') && value === 0 ? null : value),
  ]);
  const own = Object.entries(recordOf(tvs)).map(([name, value]) => [`tv.${name}`, fieldValue(value)]);
  return Object.fromEntries([...fields, ...own]);
}

/** Template variables have one flag for all. */
export function resourceFlags(changed: Readonly<Record<string, Json>>) {
  const entries = Object.entries(changed);
  const tv = entries.flatMap(([name, value]) => (name.startsWith('tv.') ? [`${name.slice(3)}=${value}`] : []));
  return { ...Object.fromEntries(entries.filter(([name]) => !name.startsWith('tv.'))), ...(tv.length > 0 && { tv }) };
}
