/** Labelled controls, each for one kind of value. The forms of commands, banners and pages are made of them. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { describedBy, Field, FieldGroup, type FieldText } from './parts.js';
import { texts } from './texts.js';

export interface InputProps<T> extends FieldText {
  readonly value: T;
  readonly change: (value: T) => void;
}

interface TextInputProps extends InputProps<string> {
  /** Of a longer text. */
  readonly rows?: number | undefined;
  readonly isCode?: boolean;
  readonly type?: 'text' | 'date' | 'time' | 'datetime-local' | undefined;
  readonly inputMode?: 'numeric' | 'decimal' | 'url' | 'email' | undefined;
  readonly placeholder?: string | undefined;
  readonly readOnly?: boolean;
  readonly proposals?: readonly string[];
  /** Beside the control. */
  readonly children?: ComponentChildren;
}

export function TextInput({ value, change, rows, isCode = false, type = 'text', ...props }: TextInputProps) {
  const { inputMode, placeholder = '', readOnly = false, proposals = [], children, ...field } = props;
  const id = useId();
  const [isPartial, setPartial] = useState(false);
  const problems = isPartial ? [texts.partialTime, ...field.problems] : field.problems;
  const about = {
    ...{ id, value, placeholder, readOnly, 'aria-required': field.required, 'aria-invalid': problems.length > 0 },
    'aria-describedby': describedBy(id, { ...field, problems }),
    onInput({ currentTarget }: { readonly currentTarget: { readonly value: string } }) {
      setPartial(false);
      change(currentTarget.value);
    },
  };
  const list = proposals.length > 0 ? `${id}-proposals` : undefined;
  return (
    <Field id={id} {...field} problems={problems}>
      <div class="row">
        {rows === undefined ? (
          <input
            {...about}
            {...{ type, list, inputMode }}
            autocomplete="off"
            // Half a time has no value, and no event says that it is there.
            onBlur={({ currentTarget }) => setPartial(type === 'datetime-local' && currentTarget.validity.badInput)}
          />
        ) : (
          <textarea {...about} rows={rows} class={isCode ? 'code' : undefined} spellcheck={!isCode} />
        )}
        {children}
      </div>
      {list === undefined ? null : <Proposals id={list} texts={proposals} />}
    </Field>
  );
}

function Proposals({ id, texts: proposals }: { readonly id: string; readonly texts: readonly string[] }) {
  return (
    <datalist id={id}>
      {proposals.map((one) => (
        <option value={one} />
      ))}
    </datalist>
  );
}

export type Choices = readonly (readonly [value: string, shown: string])[];

/** Keeps a value that is not among the choices until the reader picks one of them. */
export function ChoiceInput({ value, change, choices, ...field }: InputProps<string> & { readonly choices: Choices }) {
  const id = useId();
  const isKnown = value === '' || choices.some(([one]) => one === value);
  return (
    <Field id={id} {...field}>
      <select
        id={id}
        value={value}
        aria-required={field.required}
        aria-invalid={field.problems.length > 0}
        aria-describedby={describedBy(id, field)}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      >
        {[['', texts.none] as const, ...(isKnown ? [] : [[value, value] as const]), ...choices].map(([one, shown]) => (
          <option value={one}>{shown}</option>
        ))}
      </select>
    </Field>
  );
}

interface BoxesInputProps extends InputProps<readonly string[]> {
  readonly choices: Choices;
}

/** Keeps the order of the choices. */
export function BoxesInput({ value, change, choices, ...field }: BoxesInputProps) {
  const placeOf = (one: string): number => choices.findIndex(([choice]) => choice === one);
  const toggle = (one: string): void => {
    const next = value.includes(one) ? value.filter((other) => other !== one) : [...value, one];
    change(next.toSorted((left, right) => placeOf(left) - placeOf(right)));
  };
  return (
    <FieldGroup {...field}>
      <div class="boxes">
        {choices.map(([one, shown]) => (
          <label>
            <input type="checkbox" checked={value.includes(one)} onChange={() => toggle(one)} /> {shown}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

interface TextListInputProps extends InputProps<readonly string[]> {
  readonly placeholder?: string;
  readonly proposals?: readonly string[];
}

/** An empty list has an empty line to type into. */
export function TextListInput({ value, change, placeholder, proposals = [], ...field }: TextListInputProps) {
  const id = useId();
  const lines = value.length === 0 ? [''] : value;
  return (
    <FieldGroup {...field}>
      {lines.map((text, at) => (
        <div class="row">
          <input
            type="text"
            aria-label={`${field.label} ${at + 1}`}
            list={id}
            placeholder={placeholder}
            value={text}
            onInput={({ currentTarget }) => change(lines.with(at, currentTarget.value))}
          />
          {value.length === 0 ? null : (
            <RemoveButton label={`${field.label} ${at + 1}`} remove={() => change(value.toSpliced(at, 1))} />
          )}
        </div>
      ))}
      <Proposals id={id} texts={proposals} />
      <AddButton label={field.label} add={() => change([...lines, ''])} />
    </FieldGroup>
  );
}

export function RemoveButton({ label, remove }: { readonly label: string; readonly remove: () => void }) {
  return (
    <button type="button" class="small" aria-label={texts.removeOf(label)} onClick={remove}>
      {texts.remove}
    </button>
  );
}

export function AddButton({ label, add }: { readonly label: string; readonly add: () => void }) {
  return (
    <button type="button" class="small" onClick={add}>
      {texts.addTo(label)}
    </button>
  );
}
