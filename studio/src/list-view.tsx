/** Lists that a command makes, a page at a time, with filters. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ParameterView } from '../../commands/studio/command-view.js';
import { type Json, type JsonObject, type RunInput, type RunResult, useRun } from './api.js';
import { ChoiceInput, type Choices, TextInput } from './inputs.js';
import { Button } from './parts.js';
import { commandOf } from './site.js';
import { fill, texts } from './texts.js';
import { type Columns, Head, type HeadProps, isNamed, Table, titleOf } from './values.js';

export interface FilterField {
  readonly name: string;
  readonly title?: string;
  /** Pairs of a value and its label; without choices the value is typed. */
  readonly choices?: Choices;
  readonly proposals?: readonly string[];
  readonly unset?: string;
  readonly type?: 'search' | 'date';
}

/** Fields that search while one types: half a value of another field would be refused. */
const words: ReadonlySet<string> = new Set(['q', 'query', 'words']);
const pause = 300;

export type Asked = Readonly<Record<string, string>>;

interface FilterBarProps {
  readonly label: string;
  readonly fields: readonly FilterField[];
  readonly values: Asked;
  readonly change: (values: Asked) => void;
}

export function FilterBar({ label, fields, values, change }: FilterBarProps) {
  const set = (name: string, value: string): void => {
    const { [name]: _old, ...rest } = values;
    change(value === '' ? rest : { ...rest, [name]: value });
  };
  return (
    <fieldset class="filters" aria-label={label}>
      {fields.map(({ name, ...field }) => (
        <FilterControl key={name} {...{ ...field, name }} value={values[name] ?? ''} set={(text) => set(name, text)} />
      ))}
      {fields.length > 1 && Object.keys(values).length > 0 && <Button label={texts.clear} act={() => change({})} />}
    </fieldset>
  );
}

interface FilterControlProps extends FilterField {
  readonly value: string;
  readonly set: (value: string) => void;
}

function FilterControl({ name, value, set, ...field }: FilterControlProps) {
  const { title: label = titleOf(name), choices, unset = texts.every, ...typed } = field;
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

export function hasWords(text: string, words: string): boolean {
  const whole = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}

interface ListViewProps extends HeadProps {
  readonly path: string;
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  /** Default: those of the terminal for which the page has words. */
  readonly columns?: Columns;
  readonly actions?: (row: JsonObject) => ComponentChild;
  readonly draw?: (rows: readonly JsonObject[]) => ComponentChild;
  readonly filters?: readonly (string | FilterField)[];
  readonly ask?: (asked: Asked) => Readonly<Record<string, Json>> | undefined;
  /** Of rows that the command does not filter itself. */
  readonly has?: (row: JsonObject, asked: Asked) => boolean;
  readonly limit?: number;
  /** More rows come below those before them, not in their place. */
  readonly isGrowing?: boolean;
  readonly every?: number;
  readonly empty?: string;
  readonly children?: (result: RunResult) => ComponentChildren;
}

export function ListView({ path, words = [], label, filters = [], limit = 50, ...list }: ListViewProps) {
  const { options = {}, draw, actions, ask = (asked) => asked, has = () => true, every, empty, level, help } = list;
  const [values, filter] = useState<Asked>({});
  const [offset, turn] = useState(0);
  const flags = commandOf(path)?.options ?? [];
  // A command without this flag lists everything.
  const isPaged = flags.some(({ name }) => name === 'limit');
  const [first, count] = list.isGrowing ? [0, offset + limit] : [offset, limit];
  const given = { ...options, ...ask(values), ...(isPaged && { limit: count, offset: first }) };
  const { result, rows: all, notice } = useRun(path, { arguments: words, options: given }, every);
  const found = all.filter((row) => has(row, values));
  const rows = isPaged ? found : found.slice(first, first + count);
  const total = (isPaged && result?.meta?.total) || found.length;
  const next = first + rows.length;
  const columns: Columns = [
    ...(list.columns ?? result?.meta?.columns?.filter(isNamed) ?? []),
    ...(actions ? [{ name: 'actions', show: (row: JsonObject) => <div class="choice">{actions(row)}</div> }] : []),
  ];
  const nothing = Object.keys(values).length > 0 ? texts.noRows : empty;
  return (
    <>
      <Head {...{ label, level, help }}>{list.beside}</Head>
      {filters.length > 0 && (
        <FilterBar
          {...{ label, values, fields: filters.map((one) => fieldOf(one, flags)) }}
          change={(asked) => {
            filter(asked);
            turn(0);
          }}
        />
      )}
      {notice}
      {result && (
        <>
          {list.children?.(result)}
          {draw === undefined || total === 0 ? (
            <Table {...{ label, columns, rows, offset: first, total, empty: nothing }} />
          ) : (
            draw(rows)
          )}
          {draw !== undefined && total > 0 && (filters.length > 0 || total > rows.length) && (
            <p class="help" role="status">
              {fill(texts.page, first + 1, next, total)}
            </p>
          )}
          {list.isGrowing
            ? total > next && <Button label={texts.writing.more} kind="small" act={() => turn(next)} />
            : (first > 0 || total > next) && (
                <nav class="actions" aria-label={fill(texts.pages, label)}>
                  <Button
                    label={texts.previousPage}
                    disabled={first === 0}
                    act={() => turn(Math.max(0, first - limit))}
                  />
                  <Button label={texts.nextPage} disabled={total <= next} act={() => turn(first + limit)} />
                </nav>
              )}
        </>
      )}
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
  return useRun(path, given).rows.map((row) => [String(row[id]), String(row[name] || row[id])]);
}
