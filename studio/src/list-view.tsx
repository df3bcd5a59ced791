/** Lists that a command makes, a page at a time, with filters. */
import type { ComponentChild, ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ParameterView } from '../../commands/studio/command-view.js';
import { type Json, type JsonObject, type RunInput, type RunResult, useRun } from './api.js';
import { ChoiceInput, type Choices, TextInput } from './inputs.js';
import { Button } from './parts.js';
import { commandOf } from './site.js';
import { fill, texts } from './texts.js';
import { type Column, type Columns, isNamed, Pager, Table, titleOf } from './values.js';

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

function FilterControl({
  name,
  title: label = titleOf(name),
  choices,
  unset = texts.every,
  value,
  set,
  ...typed
}: FilterField & { readonly value: string; readonly set: (value: string) => void }) {
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

interface ListViewProps {
  readonly path: string;
  readonly words?: readonly string[];
  readonly options?: RunInput['options'];
  readonly label: string;
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
  const { options = {}, draw, actions, ask = (asked) => asked, has = () => true, every, empty, children } = list;
  const [{ values, offset }, show] = useState<{ readonly values: Asked; readonly offset: number }>({
    values: {},
    offset: 0,
  });
  const flags = commandOf(path)?.options ?? [];
  // A command without this flag lists everything.
  const isPaged = flags.some(({ name }) => name === 'limit');
  const [first, count] = list.isGrowing ? [0, offset + limit] : [offset, limit];
  const given = { ...options, ...ask(values), ...(isPaged && { limit: count, offset: first }) };
  const { result, rows: all, notice } = useRun(path, { arguments: words, options: given }, every);
  const found = all.filter((row) => has(row, values));
  const rows = isPaged ? found : found.slice(first, first + count);
  const total = (isPaged && result?.meta?.total) || found.length;
  const page = { label, offset: first, limit, total, turn: (next: number) => show({ values, offset: next }) };
  const columns = [
    ...(list.columns ?? result?.meta?.columns?.filter(isNamed) ?? []),
    ...(actions ? [actionsOf(actions)] : []),
  ];
  const nothing = Object.keys(values).length > 0 ? texts.noRows : empty;
  return (
    <>
      {filters.length > 0 && (
        <FilterBar
          {...{ label, values, fields: filters.map((one) => fieldOf(one, flags)) }}
          change={(next) => show({ values: next, offset: 0 })}
        />
      )}
      {notice}
      {result && (
        <>
          {children?.(result)}
          {draw === undefined || total === 0 ? <Table {...{ ...page, columns, rows, empty: nothing }} /> : draw(rows)}
          {draw !== undefined && total > 0 && (filters.length > 0 || total > rows.length) && (
            <p class="help" role="status">
              {fill(texts.page, first + 1, first + rows.length, total)}
            </p>
          )}
          {list.isGrowing && total > rows.length ? (
            <Button label={texts.writing.more} kind="small" act={() => page.turn(rows.length)} />
          ) : (
            <Pager {...page} shown={rows.length} />
          )}
        </>
      )}
    </>
  );
}

function actionsOf(actions: NonNullable<ListViewProps['actions']>): Column {
  return { name: 'actions', show: (row) => <div class="choice">{actions(row)}</div> };
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
