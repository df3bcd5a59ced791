/** Labelled controls, each for one kind of value. All forms are made of them. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from './parts.js';
import { texts } from './texts.js';

/** What is said of a control. */
export interface FieldText {
  readonly label: string;
  readonly help?: string | undefined;
  readonly required?: boolean;
  readonly problems?: readonly string[];
  readonly limits?: Limits | undefined;
}

/** Of what is typed, as JSON Schema says it. */
export interface Limits {
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

interface FieldProps extends FieldText {
  /** Of the control. Without it the children are several controls with one name. */
  readonly id?: string;
  readonly children: ComponentChildren;
}

export function Field({ id, label, required = false, problems = [], children, ...about }: FieldProps) {
  const help = helpOf(about);
  const [Box, Name] = id === undefined ? (['fieldset', 'legend'] as const) : (['div', 'label'] as const);
  return (
    <Box class={problems.length > 0 ? 'field wrong' : 'field'}>
      <Name {...{ for: id }}>
        {label}
        {required && <span class="required"> ({texts.required})</span>}
      </Name>
      {children}
      {help && (
        <p class="help" id={id && `${id}-help`}>
          {help}
        </p>
      )}
      {problems.map((problem) => (
        <p class="problem" id={id && `${id}-problem`} role="alert">
          {problem}
        </p>
      ))}
    </Box>
  );
}

function helpOf({ help, limits = {} }: Pick<FieldText, 'help' | 'limits'>): string {
  const { minimum: least, maximum: most, multipleOf: step, minLength = 0, maxLength, pattern } = limits;
  const t = texts.limits;
  const range =
    least === undefined
      ? most !== undefined && t.most(most)
      : most === undefined
        ? t.least(least)
        : t.range(least, most);
  return [
    help?.replace(/\.$/, ''),
    step === 1 ? t.whole(range || '') : (range || step) && t.number(range || ''),
    step !== undefined && step < 1 && t.decimals(Math.round(-Math.log10(step))),
    minLength > 1 && t.shortest(minLength),
    maxLength !== undefined && t.longest(maxLength),
    pattern !== undefined && t.pattern(pattern),
  ]
    .filter(Boolean)
    .join('. ');
}

/** An id for a control, and what ties it to its field. */
export function useControl({ required = false, problems = [], ...about }: FieldText) {
  const help = helpOf(about);
  const id = useId();
  const isWrong = problems.length > 0;
  return {
    ...{ id, 'aria-required': required, 'aria-invalid': isWrong },
    'aria-describedby': [help ? `${id}-help` : '', isWrong ? `${id}-problem` : ''].join(' ').trim(),
  };
}

export interface InputProps<T> extends FieldText {
  readonly value: T;
  readonly change: (value: T) => void;
}

export interface TextInputProps extends InputProps<string> {
  /** Of a longer text. */
  readonly rows?: number | undefined;
  readonly isCode?: boolean;
  readonly type?: 'text' | 'search' | 'date' | 'time' | 'datetime-local' | undefined;
  readonly inputMode?: 'numeric' | 'decimal' | 'url' | 'email' | undefined;
  readonly placeholder?: string | undefined;
  readonly readOnly?: boolean;
  readonly proposals?: readonly string[];
  /** Called with what was typed when the field is left, or on Enter. */
  readonly finish?: (value: string) => void;
  readonly children?: ComponentChildren;
}

export function TextInput({ value, change, rows, isCode = false, type = 'text', ...props }: TextInputProps) {
  const { inputMode, placeholder = '', readOnly = false, proposals = [], finish, children, ...said } = props;
  const [isPartial, setPartial] = useState(false);
  const field = isPartial ? { ...said, problems: [texts.partialTime, ...(said.problems ?? [])] } : said;
  const { minimum: min, maximum: max, multipleOf: step, ...ofText } = said.limits ?? {};
  const control = {
    ...{ ...useControl(field), ...ofText, value, placeholder, readOnly },
    onInput({ currentTarget }: { readonly currentTarget: { readonly value: string } }) {
      setPartial(false);
      change(currentTarget.value);
    },
  };
  // A field with a list has another role, also where the list is empty.
  const list = proposals.length > 0 ? `${control.id}-list` : undefined;
  return (
    <Field id={control.id} {...field}>
      <div class="row">
        {rows === undefined ? (
          <input
            {...{ ...control, type, inputMode, list, min, max, step }}
            autocomplete="off"
            onChange={({ currentTarget }) => finish?.(currentTarget.value)}
            // Half a time has no value, and no event says that it is there.
            onBlur={({ currentTarget }) => setPartial(type === 'datetime-local' && currentTarget.validity.badInput)}
          />
        ) : (
          <textarea {...control} rows={rows} class={isCode ? 'code' : undefined} spellcheck={!isCode} />
        )}
        {children}
      </div>
      {list && (
        <datalist id={list}>
          {proposals.map((one) => (
            <option value={one} />
          ))}
        </datalist>
      )}
    </Field>
  );
}

export function Switch({ value, change, ...field }: InputProps<boolean>) {
  const control = useControl(field);
  return (
    <Field id={control.id} {...field}>
      <input {...control} type="checkbox" checked={value} onChange={() => change(!value)} />
    </Field>
  );
}

export type Choices = readonly (readonly [value: string, shown: string])[];

interface ChoiceInputProps extends InputProps<string> {
  readonly choices: Choices;
  /** Label of the empty choice. */
  readonly unset?: string;
}

/** Keeps a value that is not among the choices until the reader picks one of them. */
export function ChoiceInput({ value, change, choices, unset = texts.none, ...field }: ChoiceInputProps) {
  const control = useControl(field);
  const isKnown = value === '' || choices.some(([one]) => one === value);
  return (
    <Field id={control.id} {...field}>
      <select {...control} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        <option value="">{unset}</option>
        {isKnown ? null : <option value={value}>{value}</option>}
        {choices.map(([one, shown]) => (
          <option value={one}>{shown}</option>
        ))}
      </select>
    </Field>
  );
}

/** Keeps the order of the choices. */
export function BoxesInput({
  value,
  change,
  choices,
  ...field
}: InputProps<readonly string[]> & { readonly choices: Choices }) {
  const placeOf = (one: string): number => choices.findIndex(([choice]) => choice === one);
  const toggle = (one: string): void => {
    const next = value.includes(one) ? value.filter((other) => other !== one) : [...value, one];
    change(next.toSorted((left, right) => placeOf(left) - placeOf(right)));
  };
  return (
    <Field {...field}>
      <div class="boxes">
        {choices.map(([one, shown]) => (
          <label>
            <input type="checkbox" checked={value.includes(one)} onChange={() => toggle(one)} /> {shown}
          </label>
        ))}
      </div>
    </Field>
  );
}

interface LinesInputProps extends InputProps<readonly string[]> {
  readonly placeholder?: string | undefined;
}

export function LinesInput({ value, change, help, ...field }: LinesInputProps) {
  const [typed, setTyped] = useState('');
  const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
  // A line is empty while one begins it.
  const isTyped = linesOf(typed).join('\n') === value.join('\n');
  return (
    <TextInput
      {...field}
      help={help ? `${help}. ${texts.onePerLine}` : texts.onePerLine}
      rows={3}
      value={isTyped ? typed : value.join('\n')}
      change={(text) => {
        setTyped(text);
        change(linesOf(text));
      }}
    />
  );
}

export function RemoveButton({ label, remove }: { readonly label: string; readonly remove: () => void }) {
  return <Button label={texts.remove} kind="small" aria-label={texts.removeOf(label)} act={remove} />;
}
