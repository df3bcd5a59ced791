/** Lists that a command makes: with filters a page at a time, or with more rows when asked. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ParameterView } from '../../commands/studio/command-view.js';
import type { Json, JsonObject, RunInput, RunResult } from './api.js';
import { FilterBar, type FilterField, useFilter } from './filter-bar.js';
import type { Choices } from './inputs.js';
import { useCommand } from './site.js';
import { texts } from './texts.js';
import { useRun } from './use-run.js';
import { type Columns, Loaded, rowsOf, Table } from './values.js';

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
                {isWhole ? null : (
                  <button type="button" class="small" onClick={() => setLimit(limit + step)}>
                    {texts.writing.more}
                  </button>
                )}
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
