/** A control for one argument or flag, by its kind. */
import type { ComponentChild } from 'preact';
import type { ParameterView } from '../../commands/studio/command-view.js';
import { BoxesInput, ChoiceInput, TextInput, TextListInput } from './inputs.js';
import { Switch } from './parts.js';
import { texts } from './texts.js';

/** Switches are booleans, what takes several values is a list, all else is text. */
export type FieldValue = string | boolean | readonly string[];

/** Also of what is no argument or flag. */
export interface FieldView extends ParameterView {
  /** In place of one that is made of the name. */
  readonly title?: string;
  readonly isLong?: boolean;
  /** Another way to fill it in. */
  readonly beside?: (change: (value: string) => void) => ComponentChild;
  /** What is shown of a choice. */
  readonly choiceNames?: ReadonlyMap<string, string>;
}

interface ParameterFieldProps {
  readonly parameter: FieldView;
  readonly value: FieldValue | undefined;
  readonly problems: readonly string[];
  readonly change: (value: FieldValue) => void;
}

/** More choices than this are typed with proposals. */
const mostBoxes = 200;
const longNames: ReadonlySet<string> = new Set(['content', 'introtext', 'description', 'snippet', 'data']);

export function ParameterField({ parameter, value, problems: found, change }: ParameterFieldProps) {
  const { name, kind, isOpen, repeatable, placeholder, choices: values, choiceNames, required } = parameter;
  const help = helpOf(parameter);
  const text = Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : '';
  const isCode = placeholder === 'JSON';
  const problems = isCode && !isJson(text) ? [texts.invalidJson, ...found] : found;
  const field = { label: nameOf(parameter), help, required, problems, change };
  if (placeholder === null) return <Switch {...field} isOn={value === true} />;
  const list = { ...field, placeholder, value: Array.isArray(value) ? value : [] };
  const choices = values.map((one) => [one, choiceNames?.get(one) ?? one] as const);
  if (repeatable) return <TextListInput {...list} proposals={values} />;
  if (kind === 'list' && !isOpen && values.length <= mostBoxes) return <BoxesInput {...list} choices={choices} />;
  if (kind === 'choice' && !isOpen) return <ChoiceInput {...field} value={text} choices={choices} />;
  const isLong = parameter.isLong ?? (kind === 'text' && values.length === 0 && (isCode || longNames.has(name)));
  return (
    <TextInput
      {...{ ...field, isCode, placeholder }}
      value={text}
      rows={isLong ? 4 : undefined}
      inputMode={kind === 'integer' ? 'numeric' : undefined}
      proposals={values}
    >
      {kind === 'time' ? <TimePicker {...field} /> : parameter.beside?.(change)}
    </TextInput>
  );
}

function helpOf({ description, accepts }: ParameterView): string | undefined {
  return (accepts === null ? description : `${description}: ${accepts}`) || undefined;
}

function nameOf({ name, label, title }: FieldView): string {
  if (title !== undefined) return title;
  const words = (label.startsWith('--') ? name : label).replaceAll(/[-_]/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Nothing is left to the command. */
function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function TimePicker({ label, change }: { readonly label: string; readonly change: (value: string) => void }) {
  const pick = (text: string): void => {
    const time = new Date(text);
    if (!Number.isNaN(time.getTime())) change(time.toISOString().replace(/\.\d+Z$/, 'Z'));
  };
  return (
    <input
      type="datetime-local"
      aria-label={`${texts.pickTime}: ${label}`}
      onInput={({ currentTarget }) => pick(currentTarget.value)}
    />
  );
}
