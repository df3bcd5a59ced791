/** Filters of a list that a command makes: the rows come from the server, a page at a time. */
import { useEffect, useId, useState } from 'preact/hooks';
import type { Choices } from './inputs.js';
import { texts } from './texts.js';

export interface FilterField {
  /** Of the flag. */
  readonly name: string;
  readonly title: string;
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

export function FilterBar({ label, fields, filter }: FilterBarProps) {
  return (
    <fieldset class="filters">
      <legend class="hidden">{label}</legend>
      {fields.map((field) => (
        <FilterControl
          {...field}
          value={filter.values[field.name] ?? ''}
          set={(value) => filter.set(field.name, value)}
        />
      ))}
      {Object.keys(filter.values).length === 0 ? null : (
        <button type="button" onClick={filter.clear}>
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

function FilterControl({ name, title, choices, proposals = [], unset, type, value, set }: FilterControlProps) {
  const id = useId();
  // What is typed stays while the list is read again.
  const [draft, setDraft] = useState<string | null>(null);
  const apply = (text: string): void => {
    setDraft(null);
    set(text);
  };
  useEffect(() => {
    if (draft === null || !words.has(name)) return;
    const timer = setTimeout(() => set(draft.trim()), pause);
    return () => clearTimeout(timer);
  }, [draft]);
  const take = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    apply(currentTarget.value.trim());
  return (
    <div>
      <label for={id}>{title}</label>
      {choices === undefined ? (
        <>
          <input
            id={id}
            type={type ?? 'search'}
            list={proposals.length > 0 ? `${id}-list` : undefined}
            value={draft ?? value}
            onInput={({ currentTarget }) => setDraft(currentTarget.value)}
            onChange={take}
            autocomplete="off"
          />
          <datalist id={`${id}-list`}>
            {proposals.map((proposal) => (
              <option value={proposal} />
            ))}
          </datalist>
        </>
      ) : (
        <select id={id} value={value} onChange={take}>
          <option value="">{unset ?? texts.every}</option>
          {choices.map(([choice, shown]) => (
            <option value={choice}>{shown}</option>
          ))}
        </select>
      )}
    </div>
  );
}

/** Whether a text has each of some words. */
export function hasWords(text: string, words: string): boolean {
  const whole = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
