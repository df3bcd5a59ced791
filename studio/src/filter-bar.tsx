/** Filters of a list that a command makes: the rows come from the server, a page at a time. */
import { useEffect, useState } from 'preact/hooks';
import { ChoiceInput, type Choices, TextInput } from './inputs.js';
import { texts } from './texts.js';
import { titleOf } from './values.js';

export interface FilterField {
  /** Of the flag. */
  readonly name: string;
  /** Default: by its name. */
  readonly title?: string;
  /** Value and what is shown of it; without them it is typed. */
  readonly choices?: Choices;
  readonly proposals?: readonly string[];
  /** What stands for no choice. */
  readonly unset?: string;
  readonly type?: 'search' | 'date';
}

/** These find words, also while one types; of other fields half a value is none. */
const words: ReadonlySet<string> = new Set(['q', 'query', 'words']);
const pause = 300;

export interface Filter {
  /** What is set, by name. */
  readonly values: Readonly<Record<string, string>>;
  readonly offset: number;
  readonly turn: (offset: number) => void;
  readonly set: (name: string, value: string) => void;
  readonly clear: () => void;
}

export function useFilter(): Filter {
  const [{ values, offset }, change] = useState<Pick<Filter, 'values' | 'offset'>>({ values: {}, offset: 0 });
  return {
    values,
    offset,
    turn: (next) => change({ values, offset: next }),
    set(name, value) {
      const { [name]: _old, ...rest } = values;
      change({ values: value === '' ? rest : { ...rest, [name]: value }, offset: 0 });
    },
    clear: () => change({ values: {}, offset: 0 }),
  };
}

interface FilterBarProps {
  readonly label: string;
  readonly fields: readonly FilterField[];
  readonly filter: Filter;
}

export function FilterBar({ label, fields, filter: { values, set, clear } }: FilterBarProps) {
  return (
    <fieldset class="filters">
      <legend class="hidden">{label}</legend>
      {fields.map(({ name, ...field }) => (
        <FilterControl key={name} {...{ ...field, name }} value={values[name] ?? ''} set={(text) => set(name, text)} />
      ))}
      {Object.keys(values).length > 0 && (
        <button type="button" onClick={clear}>
          {texts.clear}
        </button>
      )}
    </fieldset>
  );
}

interface FilterControlProps extends FilterField {
  readonly value: string;
  readonly set: (value: string) => void;
}

function FilterControl({
  name,
  title: label = titleOf(name),
  choices,
  unset = texts.every,
  value,
  set,
  ...typed
}: FilterControlProps) {
  // What is typed stays while the list is read again.
  const [draft, setDraft] = useState<string | null>(null);
  useEffect(() => {
    if (draft === null || !words.has(name)) return;
    const timer = setTimeout(() => set(draft.trim()), pause);
    return () => clearTimeout(timer);
  }, [draft]);
  const apply = (text: string): void => {
    setDraft(null);
    set(text.trim());
  };
  if (choices !== undefined) return <ChoiceInput {...{ label, choices, unset, value }} change={set} />;
  return <TextInput label={label} type="search" {...typed} value={draft ?? value} change={setDraft} finish={apply} />;
}

/** Whether a text has each of some words. */
export function hasWords(text: string, words: string): boolean {
  const whole = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
