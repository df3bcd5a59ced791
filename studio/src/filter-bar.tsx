/** Filters of a list that a command makes: the rows come from the server, a page at a time. */
import { useId, useState } from 'preact/hooks';
import { texts } from './texts.js';

export interface FilterField {
  /** Of the flag. */
  readonly name: string;
  readonly title: string;
  /** Value and what is shown of it; without them it is typed. */
  readonly choices?: readonly (readonly [value: string, shown: string])[];
  readonly proposals?: readonly string[];
}

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

function FilterControl({ title, choices, proposals = [], value, set }: FilterControlProps) {
  const id = useId();
  // What is typed stays while the list is read again.
  const [draft, setDraft] = useState<string | null>(null);
  const apply = (text: string): void => {
    setDraft(null);
    set(text);
  };
  const take = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    apply(currentTarget.value.trim());
  return (
    <div>
      <label for={id}>{title}</label>
      {choices === undefined ? (
        <>
          <input
            id={id}
            type="search"
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
          <option value="">{texts.every}</option>
          {choices.map(([choice, shown]) => (
            <option value={choice}>{shown}</option>
          ))}
        </select>
      )}
    </div>
  );
}
