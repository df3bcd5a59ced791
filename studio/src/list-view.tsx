/** Lists that a command makes: with filters a page at a time, or with more rows when asked. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ParameterView } from '../../commands/studio/command-view.js';
import type { Json, JsonObject, RunInput, RunResult } from './api.js';
import { ChoiceInput, type Choices, TextInput } from './inputs.js';
import { Button } from './parts.js';
import { useCommand } from './site.js';
import { texts } from './texts.js';
import { useRun } from './use-run.js';
import { type Columns, Loaded, rowsOf, Table, titleOf } from './values.js';

export interface FilterField {
  /** Name of the flag. */
  readonly name: string;
  /** Label; by default made from the name. */
  readonly title?: string;
  /** Pairs of a value and its label; without choices the value is typed. */
  readonly choices?: Choices;
  readonly proposals?: readonly string[];
  /** Label of the empty choice. */
  readonly unset?: string;
  readonly type?: 'search' | 'date';
}

/** Fields that search while one types: half a value of another field would be refused. */
const words: ReadonlySet<string> = new Set(['q', 'query', 'words']);
const pause = 300;

export interface Filter {
  /** Values by the names of their fields. */
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
      {Object.keys(values).length > 0 && <Button label={texts.clear} act={clear} />}
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

type Asked = Readonly<Record<string, string>>;

interface ListViewProps {
  readonly path: string;
  readonly words?: readonly string[];
  /** Flags that always stand. */
  readonly options?: Readonly<Record<string, Json>>;
  readonly label: string;
  readonly columns: Columns;
  /** Flags of the command, or what `ask` makes flags of. */
  readonly filters?: readonly (string | FilterField)[];
  readonly ask?: (asked: Asked) => Readonly<Record<string, Json>>;
  /** Of rows that the command does not filter itself. */
  readonly has?: (row: JsonObject, asked: Asked) => boolean;
  readonly limit?: number;
  /** Milliseconds after which it is read again. */
  readonly every?: number;
  /** Of a list without filters. */
  readonly empty?: string;
  /** What stands above the rows. */
  readonly children?: (result: RunResult) => ComponentChildren;
}

export function ListView({ path, words = [], label, filters = [], limit = 50, ...list }: ListViewProps) {
  const { options = {}, columns, ask = (asked) => asked, has = () => true, every, empty, children } = list;
  const filter = useFilter();
  const { values, offset, turn } = filter;
  const flags = useCommand(path)?.options ?? [];
  // A command without this flag lists everything.
  const isPaged = flags.some(({ name }) => name === 'limit');
  const page = isPaged ? { limit, offset } : {};
  const reading = useRun(path, { arguments: words, options: { ...options, ...ask(values), ...page } }, every);
  return (
    <>
      {filters.length === 0 ? null : (
        <FilterBar label={label} fields={filters.map((one) => fieldOf(one, flags))} filter={filter} />
      )}
      <Loaded of={reading}>
        {(result) => {
          const found = rowsOf(result.data).filter((row) => has(row, values));
          return (
            <>
              {children?.(result)}
              <Table
                {...{ label, columns, offset, limit, turn }}
                rows={isPaged ? found : found.slice(offset, offset + limit)}
                total={isPaged ? result.meta?.total : found.length}
                empty={Object.keys(values).length > 0 ? texts.noRows : empty}
              />
            </>
          );
        }}
      </Loaded>
    </>
  );
}

function fieldOf(field: string | FilterField, flags: readonly ParameterView[]): FilterField {
  if (typeof field !== 'string') return field;
  const { kind, choices = [] } = flags.find(({ name }) => name === field) ?? {};
  const named = choices.map((choice): [string, string] => [choice, texts.states[choice] ?? choice]);
  return { name: field, ...(kind === 'choice' ? { choices: named } : { proposals: choices }) };
}

/** Ids or keys of a list with their names, for a choice; none while it is read. */
export function useChoices(path: string, given: RunInput, [id, name]: readonly [id: string, name: string]): Choices {
  const { result } = useRun(path, given);
  return rowsOf(result?.data).map((row) => [String(row[id]), String(row[name] || row[id])]);
}

interface MoreRowsProps<T> {
  readonly path: string;
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  readonly step: number;
  /** Their number is not said where all are there. */
  readonly isQuiet?: boolean;
  readonly children: (rows: readonly T[]) => ComponentChild;
}

export function MoreRows<T>({ path, words = [], options, step, isQuiet = false, children }: MoreRowsProps<T>) {
  const [limit, setLimit] = useState(step);
  const reading = useRun(path, { arguments: words, options: { ...options, limit } });
  return (
    <Loaded of={reading}>
      {({ data, meta }) => {
        const rows = data as unknown as readonly T[];
        const total = meta?.total ?? rows.length;
        const isWhole = rows.length >= total;
        return (
          <>
            {children(rows)}
            {isQuiet && isWhole ? null : (
              <p class="help" role="status">
                {texts.rows(rows.length, total)}{' '}
                {!isWhole && <Button label={texts.writing.more} kind="small" act={() => setLimit(limit + step)} />}
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
