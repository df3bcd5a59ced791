/** A control for one argument or flag, by its kind. */
import type { ComponentChild } from 'preact';
import type { ParameterView } from '../../commands/studio/command-view.js';
import { parseJson } from '../../src/values/json.js';
import type { Json } from './api.js';
import { BoxesInput, ChoiceInput, type Choices, type InputProps, LinesInput, Switch, TextInput } from './inputs.js';
import { fill, texts } from './texts.js';
import { isoTime, textOf, titleOf } from './values.js';

/** A boolean for a switch, a list for several values, text for all others. */
export type FieldValue = string | boolean | readonly string[];
export type Values = Readonly<Record<string, FieldValue>>;

export type Control = (field: InputProps<string>) => ComponentChild;

/** Of an argument or flag, or of what stands for one. */
export interface FieldView extends Omit<Partial<ParameterView>, 'choices'> {
  readonly name: string;
  /** By default made of the name. */
  readonly title?: string;
  readonly choices?: readonly string[] | Choices;
  readonly isLong?: boolean;
  /** A function, because a component made at each render would lose its state. */
  readonly control?: Control | undefined;
  readonly emptied?: string;
}

interface ParameterFieldProps {
  readonly parameter: FieldView;
  readonly value: FieldValue | undefined;
  readonly problems: readonly string[];
  readonly change: (value: FieldValue) => void;
}

/** More choices than this are typed with proposals. */
const mostBoxes = 200;
const longNames: ReadonlySet<string> = new Set(['content', 'introtext', 'description', 'snippet', 'data', 'html']);

export function ParameterField({ parameter, value, problems: found, change }: ParameterFieldProps) {
  const { name, kind = 'text', isOpen = false, repeatable = false, required = false, placeholder = '' } = parameter;
  const choices = (parameter.choices ?? []).map((one) => (typeof one === 'string' ? ([one, one] as const) : one));
  const text = typeof value === 'boolean' ? '' : String(value ?? '');
  const list = typeof value === 'object' ? value : text.split(',').filter((one) => one !== '');
  const isCode = placeholder === 'JSON';
  const problems = isCode && parseJson(text.trim() || 'null') === undefined ? [texts.invalidJson, ...found] : found;
  const field = { label: parameter.title ?? titleOf(name), help: helpOf(parameter), required, problems, change };
  if (parameter.control !== undefined) return parameter.control({ ...field, value: text });
  if (placeholder === null) return <Switch {...field} value={value === true} />;
  // One word in capitals names the parameter, as its label does.
  const hint = /^[A-Z]+$/.test(placeholder) ? '' : placeholder;
  if (repeatable) return <LinesInput {...{ ...field, placeholder: hint }} value={list} />;
  if (kind === 'list' && !isOpen && choices.length <= mostBoxes) {
    return <BoxesInput {...{ ...field, choices }} value={list} />;
  }
  if (kind === 'choice' && !isOpen) return <ChoiceInput {...{ ...field, choices }} value={text} />;
  const isLong = parameter.isLong ?? (kind === 'text' && choices.length === 0 && (isCode || longNames.has(name)));
  return (
    <TextInput
      {...{ ...field, isCode, placeholder: hint, proposals: choices.map(([one]) => one) }}
      value={text}
      rows={isLong ? 4 : undefined}
      inputMode={isWhole(parameter) ? 'numeric' : undefined}
    >
      {kind === 'time' && (
        <input
          type="datetime-local"
          aria-label={`${texts.pickTime}: ${field.label}`}
          onInput={({ currentTarget: { value: picked } }) => picked && change(isoTime(picked))}
        />
      )}
    </TextInput>
  );
}

/** A value of a record, in the form of a field. */
export function fieldValue(value: Json | undefined): FieldValue {
  return Array.isArray(value) ? value.map(String) : textOf(value);
}

const wholeNumber = /^an integer (?:from (-?\d+) to (\d+)|of (-?\d+) or more) ?/;

function isWhole({ accepts, placeholder, schema }: FieldView): boolean {
  return placeholder === 'N' || schema?.['multipleOf'] === 1 || wholeNumber.test(accepts ?? '');
}

type Limit = 'minimum' | 'maximum' | 'multipleOf' | 'minLength' | 'maxLength' | 'maxItems';
type Limits = Readonly<Partial<Record<Limit, number> & Record<'pattern', string>>>;

/** Limits are only shown here, and checked by the command: the browser would cut off what is pasted. */
function helpOf(parameter: FieldView): string {
  const { description = '', accepts, control, isOpen, schema = {} } = parameter;
  if (control !== undefined || isOpen === false) return description;
  // Of a list, those of each value in it.
  const limits: Limits = { ...schema, ...Object(schema['items']) };
  const { minimum, maximum: most, multipleOf: step, minLength = 0, maxLength, maxItems, pattern } = limits;
  const [, from = minimum, to = most, least = from] = wholeNumber.exec(accepts ?? '') ?? [];
  const t = texts.limits;
  const upTo = to === undefined ? '' : fill(t.most, to);
  const range = least === undefined ? upTo : to === undefined ? fill(t.least, least) : fill(t.range, least, to);
  return [
    [description.replace(/\.$/, ''), accepts?.replace(wholeNumber, '')].filter(Boolean).join(': '),
    isWhole(parameter) || step === 1 ? fill(t.whole, range) : (range || step) && fill(t.number, range),
    step !== undefined && step < 1 && fill(t.decimals, Math.round(-Math.log10(step))),
    minLength > 1 && fill(t.shortest, minLength),
    maxItems !== undefined && fill(t.entries, maxItems),
    maxLength !== undefined && fill(t.longest, maxLength),
    pattern !== undefined && fill(t.pattern, pattern.replace(/^\^|\$$/g, '')),
  ]
    .filter(Boolean)
    .join('. ');
}
