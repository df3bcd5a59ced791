/** Lists of plain values: texts, records, tables without declared columns, hours of a week. */
import { useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject } from '../api.js';
import { language, texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { weekdays } from './field-forms.js';
import { Group, nameOf, type ValueProps } from './fields.js';
import { moved, withMember } from './page-document.js';
import { type FoundPage, PageDialog } from './pickers.js';
import { Sortable } from './sortable.js';

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function unlessEmpty(list: readonly Json[]): readonly Json[] | undefined {
  return list.length === 0 ? undefined : list;
}

interface RowProps {
  readonly label: string;
  readonly value: Json;
  readonly change: (text: string) => void;
  readonly remove: () => void;
}

function TextRow({ label, value, change, remove }: RowProps) {
  return (
    <div class="row">
      <input
        type="text"
        aria-label={label}
        value={String(value ?? '')}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <button type="button" class="small" aria-label={texts.writing.removeOf(label)} onClick={remove}>
        {texts.remove}
      </button>
    </div>
  );
}

export function TextListField({ field, value, path, change }: ValueProps) {
  const list = listOf(value);
  return (
    <Group field={field} path={path} deep>
      {list.map((one, at) => (
        <TextRow
          label={`${nameOf(field)} ${at + 1}`}
          value={one}
          change={(text) => change(list.map((other, place) => (place === at ? text : other)))}
          remove={() => change(unlessEmpty(list.filter((_, place) => place !== at)))}
        />
      ))}
      <button type="button" class="small" onClick={() => change([...list, ''])}>
        {texts.writing.addTo(nameOf(field))}
      </button>
    </Group>
  );
}

const ofPages: ReadonlySet<string> = new Set(['resourcelist', 'multirelation']);

/** Pages of the site by their titles; records of other tables by number or key. */
export function ReferencesField(props: ValueProps) {
  return ofPages.has(props.field.type) ? <PagesField {...props} /> : <TextListField {...props} />;
}

function PagesField({ field, value, path, change }: ValueProps) {
  const list = listOf(value);
  const [isPicking, setPicking] = useState(false);
  const ids = list.filter((one) => typeof one === 'number').join(',') || '0';
  const options = { filter: [`id[in]=${ids}`], fields: 'id,pagetitle,uri,context_key', all: true, limit: 1000 };
  const { result } = useRun('resource list', { options });
  const found = (result?.data ?? []) as unknown as readonly FoundPage[];
  const titles = new Map(found.map(({ id, pagetitle }) => [id, pagetitle]));
  const nameOfPage = (one: Json): string => titles.get(Number(one)) ?? String(one);
  return (
    <Group field={field} path={path} deep>
      <Sortable
        items={list}
        keyOf={(one, at) => `${String(one)} ${at}`}
        labelOf={nameOfPage}
        move={(from, to) => change(moved(list, from, to))}
      >
        {(one, at, handle) => (
          <div class="file">
            {handle} <span class="grow">{nameOfPage(one)}</span>
            <button
              type="button"
              class="small"
              aria-label={texts.writing.removeOf(nameOfPage(one))}
              onClick={() => change(unlessEmpty(list.filter((_, place) => place !== at)))}
            >
              {texts.remove}
            </button>
          </div>
        )}
      </Sortable>
      <button type="button" class="small" onClick={() => setPicking(true)}>
        {texts.writing.choosePage}
      </button>
      {isPicking ? <PageDialog close={() => setPicking(false)} choose={({ id }) => change([...list, id])} /> : null}
    </Group>
  );
}

/** A table whose columns are the names in its rows. */
export function LooseRowsField({ field, value, path, change }: ValueProps) {
  const rows = listOf(value).filter(isObject);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [name, setName] = useState('');
  const columns = [...new Set([...rows.flatMap((row) => Object.keys(row)), ...added])];
  const set = (at: number, next: JsonObject): void => change(rows.map((row, place) => (place === at ? next : row)));
  return (
    <Group field={field} path={path} deep>
      {rows.map((row, at) => (
        <div class="card">
          {columns.map((column) => (
            <label class="cell">
              <span>{column}</span>
              <input
                type="text"
                value={String(row[column] ?? '')}
                onInput={({ currentTarget }) =>
                  set(at, withMember(row, column, cellOf(currentTarget.value, row[column])))
                }
              />
            </label>
          ))}
          <button
            type="button"
            class="small"
            aria-label={texts.writing.removeOf(texts.writing.row(at + 1))}
            onClick={() => change(unlessEmpty(rows.filter((_, place) => place !== at)))}
          >
            {texts.remove}
          </button>
        </div>
      ))}
      <div class="row">
        <button type="button" class="small" onClick={() => change([...rows, {}])}>
          {texts.writing.addTo(nameOf(field))}
        </button>
        <input
          type="text"
          aria-label={texts.writing.column}
          placeholder={texts.writing.column}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button
          type="button"
          class="small"
          disabled={name.trim() === ''}
          onClick={() => {
            setAdded([...added, name.trim()]);
            setName('');
          }}
        >
          {texts.writing.addColumn}
        </button>
      </div>
    </Group>
  );
}

/** A number stays one. */
function cellOf(text: string, before: Json | undefined): Json | undefined {
  if (text === '') return undefined;
  return typeof before === 'number' && String(Number(text)) === text ? Number(text) : text;
}

const dayName = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });

/** Stored as a JSON text: weekdays with lists of hours. */
export function ScheduleField({ field, value, path, change }: ValueProps) {
  const hours = hoursOf(value);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const set = (at: number, text: string): void => {
    const day = weekdays[at] ?? '';
    setTyped({ ...typed, [day]: text });
    const others = Object.entries(hours).filter(([name]) => dayOf(name) !== at);
    const list = text.split(/[,;]\s*/).filter((one) => one.trim() !== '');
    const next = [...others, ...(list.length === 0 ? [] : [[day, list.map((one) => one.trim())] as const])];
    change(next.length === 0 ? undefined : JSON.stringify(Object.fromEntries(next)));
  };
  return (
    <Group field={field} path={path} deep>
      {weekdays.map((day, at) => {
        const [, list] = Object.entries(hours).find(([name]) => dayOf(name) === at) ?? [];
        return (
          <label class="cell">
            <span>{dayName.format(Date.UTC(2024, 0, 1 + at))}</span>
            <input
              type="text"
              placeholder="09:00-12:00, 13:00-17:00"
              value={typed[day] ?? (Array.isArray(list) ? list.join(', ') : '')}
              onInput={({ currentTarget }) => set(at, currentTarget.value)}
            />
          </label>
        );
      })}
    </Group>
  );
}

function hoursOf(value: Json | undefined): JsonObject {
  try {
    const hours: unknown = JSON.parse(String(value ?? '{}'));
    return isObject(hours) ? hours : {};
  } catch {
    return {};
  }
}

/** 0 for `monday`, `mon` and `1`. */
function dayOf(name: string): number {
  return weekdays.findIndex((day, at) => name === day || name === day.slice(0, 3) || name === String(at + 1));
}
