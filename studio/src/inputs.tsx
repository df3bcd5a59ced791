/** Labelled controls, each for one kind of value. All forms are made of them. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from './parts.js';
import { fill, texts } from './texts.js';

export interface FieldText {
  readonly label: string;
  readonly help?: string | undefined;
  readonly required?: boolean;
  readonly problems?: readonly string[];
}

/** What ties a control to its field. */
type Tie = Readonly<Record<'aria-required' | 'aria-invalid', boolean> & Record<'id' | 'aria-describedby', string>>;

interface FieldProps extends FieldText {
  /** Draws the control. Without it the children are several controls with one name. */
  readonly control?: (tie: Tie) => ComponentChild;
  readonly children?: ComponentChildren;
}

export function Field({ label, required = false, problems = [], help, control, children }: FieldProps) {
  const id = useId();
  const isWrong = problems.length > 0;
  const [Box, Name] = control === undefined ? (['fieldset', 'legend'] as const) : (['div', 'label'] as const);
  return (
    <Box class={isWrong ? 'field wrong' : 'field'}>
      <Name {...(control && { for: id })}>
        {label}
        {required && <span class="required"> ({texts.required})</span>}
      </Name>
      {control?.({
        ...{ id, 'aria-required': required, 'aria-invalid': isWrong },
        'aria-describedby': [help && `${id}-help`, isWrong && `${id}-problem`].filter(Boolean).join(' '),
      })}
      {children}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {isWrong && (
        <div id={`${id}-problem`} role="alert">
          {problems.map((problem) => (
            <p class="problem">{problem}</p>
          ))}
        </div>
      )}
    </Box>
  );
}

export interface InputProps<T> extends FieldText {
  readonly value: T;
  readonly change: (value: T) => void;
}

export interface TextInputProps extends InputProps<string> {
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
  const problems = [...(isPartial ? [texts.partialTime] : []), ...(said.problems ?? [])];
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => {
    setPartial(false);
    change(currentTarget.value);
  };
  const draw = (tie: Tie) => {
    const control = { ...tie, value, placeholder, readOnly, onInput };
    // A field with a list has another role, also where the list is empty.
    const list = proposals.length > 0 ? `${tie.id}-list` : undefined;
    return (
      <div class="row">
        {rows === undefined ? (
          <input
            {...{ ...control, type, inputMode, list }}
            autocomplete="off"
            onChange={({ currentTarget }) => finish?.(currentTarget.value)}
            // Half a time has no value, and no event says that it is there.
            onBlur={({ currentTarget }) => setPartial(type === 'datetime-local' && currentTarget.validity.badInput)}
          />
        ) : (
          <textarea {...control} rows={rows} class={isCode ? 'code' : undefined} spellcheck={!isCode} />
        )}
        {list && (
          <datalist id={list}>
            {proposals.map((one) => (
              <option value={one} />
            ))}
          </datalist>
        )}
        {children}
      </div>
    );
  };
  return <Field {...{ ...said, problems, control: draw }} />;
}

export function Switch({ value, change, ...field }: InputProps<boolean>) {
  const draw = (tie: Tie) => <input {...tie} type="checkbox" checked={value} onChange={() => change(!value)} />;
  return <Field {...field} control={draw} />;
}

export type Choices = readonly (readonly [value: string, shown: string])[];

interface ChosenProps<T> extends InputProps<T> {
  readonly choices: Choices;
  readonly unset?: string;
}

/** Keeps a value that is not among the choices until the reader picks one of them. */
export function ChoiceInput({ value, change, choices, unset = texts.none, ...field }: ChosenProps<string>) {
  const isKnown = value === '' || choices.some(([one]) => one === value);
  const draw = (tie: Tie) => (
    <select {...tie} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
      <option value="">{unset}</option>
      {isKnown ? null : <option value={value}>{value}</option>}
      {choices.map(([one, shown]) => (
        <option value={one}>{shown}</option>
      ))}
    </select>
  );
  return <Field {...field} control={draw} />;
}

/** Keeps the order of the choices. */
export function BoxesInput({ value, change, choices, ...field }: ChosenProps<readonly string[]>) {
  const toggle = (one: string): void => {
    const next = value.includes(one) ? value.filter((other) => other !== one) : [...value, one];
    const placeOf = (chosen: string): number => choices.findIndex(([choice]) => choice === chosen);
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

interface MeaningInputProps<T> extends Omit<TextInputProps, 'value' | 'change'>, InputProps<T> {
  readonly read: (text: string) => T;
  readonly write: (value: T) => string;
}

/** A text that stands for a value: it stays as it is typed while it means the same, such as `12,50`. */
export function MeaningInput<T>({ value, change, read, write, ...input }: MeaningInputProps<T>) {
  const [typed, setTyped] = useState('');
  const stored = write(value);
  const take = (text: string): void => {
    setTyped(text);
    change(read(text));
  };
  return <TextInput {...input} value={write(read(typed)) === stored ? typed : stored} change={take} />;
}

export function LinesInput({ help, ...field }: InputProps<readonly string[]> & Pick<TextInputProps, 'placeholder'>) {
  return (
    <MeaningInput
      {...field}
      help={help ? `${help}. ${texts.onePerLine}` : texts.onePerLine}
      rows={3}
      read={(text) => text.split('\n').filter((line) => line.trim() !== '')}
      write={(lines) => lines.join('\n')}
    />
  );
}

export function RemoveButton({ label, remove }: { readonly label: string; readonly remove: () => void }) {
  return <Button label={texts.remove} kind="small" aria-label={fill(texts.removeOf, label)} act={remove} />;
}
