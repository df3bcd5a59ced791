/** The fields and template variables of a resource as controls, each by its type. */
import type { ParameterView } from '../../../commands/studio/command-view.js';
import type { JsonObject } from '../api.js';
import type { Choices } from '../inputs.js';
import { ParameterField } from '../parameter-field.js';
import { type Changes, type FormField, flagText, linesOfText, oneOf, pageOfSite, someOf } from '../record-form.js';
import { texts } from '../texts.js';
import { recordOf, textOf } from '../values.js';

interface About {
  readonly record: JsonObject;
  readonly templates: Choices;
  readonly contexts: Choices;
}

/** Those that most resources need. */
export const mainFields: ReadonlySet<string> = new Set([
  ...['pagetitle', 'longtitle', 'description', 'alias', 'published', 'parent', 'template', 'introtext', 'content'],
  ...['menutitle', 'menuindex', 'hidemenu', 'pub-date', 'unpub-date'],
]);
const notFields: ReadonlySet<string> = new Set(['data', 'tv', 'trust', 'events']);
const none: Readonly<Record<string, string>> = { parent: '0', template: '0' };

export function resourceFields(options: readonly ParameterView[], about: About): readonly FormField[] {
  const lists: Readonly<Record<string, Choices>> = { template: about.templates, 'context-key': about.contexts };
  return options
    .filter(({ name }) => !notFields.has(name))
    .map((option): FormField => {
      const { name, kind } = option;
      const emptied = none[name] ?? (kind === 'time' ? 'null' : '');
      const before = flagText(about.record[name.replaceAll('-', '_')]);
      const choices = lists[name] ?? (kind === 'choice' ? Object.entries(texts.yesNo) : null);
      const control = choices === null ? flagControl(option) : oneOf(choices);
      return {
        ...{ name, emptied, before: before === none[name] ? '' : before },
        control: name === 'parent' ? pageOfSite : control,
      };
    });
}

function flagControl(option: ParameterView): FormField['control'] {
  return ({ label: title, ...field }) => (
    <ParameterField
      {...field}
      parameter={{ ...option, title, description: '', placeholder: '' }}
      change={(value) => field.change(String(value))}
    />
  );
}

const long: ReadonlySet<string> = new Set(['textarea', 'richtext', 'rawtextarea', 'migx']);

export function tvFields(tvs: readonly JsonObject[], record: JsonObject): readonly FormField[] {
  return tvs.map((tv): FormField => {
    const name = textOf(tv['name']);
    return {
      ...{ name: `tv.${name}`, problemsAt: `--tv ${name}`, before: flagText(recordOf(record['tvs'])[name]) },
      ...{ label: textOf(tv['caption']) || name, help: textOf(tv['description']) || undefined },
      control: tvControl(textOf(tv['type']), textOf(tv['elements'])),
    };
  });
}

function tvControl(type: string, elements: string): FormField['control'] {
  if (type === 'resourcelist') return pageOfSite;
  if (long.has(type)) return linesOfText;
  // A binding is evaluated by the content system, so its choices are not known.
  if (elements === '' || elements.startsWith('@')) return undefined;
  const choices = elements.split('||').map(pairOf);
  if (type === 'option' || type === 'listbox') return oneOf(choices);
  return type === 'checkbox' || type === 'listbox-multiple' ? someOf(choices, '||') : undefined;
}

/** `Shown==stored`, or one for both. */
function pairOf(element: string): readonly [string, string] {
  const [shown = '', stored = shown] = element.split('==');
  return [stored, shown];
}

/** Template variables have one flag for all. */
export function resourceFlags(changed: Changes) {
  const entries = Object.entries(changed);
  const tv = entries.flatMap(([name, value]) => (name.startsWith('tv.') ? [`${name.slice(3)}=${value}`] : []));
  return { ...Object.fromEntries(entries.filter(([name]) => !name.startsWith('tv.'))), ...(tv.length > 0 && { tv }) };
}
