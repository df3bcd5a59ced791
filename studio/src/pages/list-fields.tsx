/** Lists of values: pages, tables without declared columns, hours of a week. */
import { useState } from 'preact/hooks';
import { isObject, type Json, type JsonObject } from '../api.js';
import { rowsOf } from '../data-table.js';
import { AddButton, RemoveButton } from '../inputs.js';
import { FieldGroup } from '../parts.js';
import { language, texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { ChosenList } from './chosen-list.js';
import { nameOf, useField, type ValueProps } from './editing.js';
import { weekdays } from './field-forms.js';
import { withMember } from './page-document.js';
import { PageDialog } from './pickers.js';

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Pages of the site by their titles. */
export function PagesField(props: ValueProps) {
  const ids = listOf(props.value).filter((one) => typeof one === 'number');
  const options = { filter: [`id[in]=${ids.join(',') || '0'}`], fields: 'id,pagetitle', all: true, limit: 1000 };
  const { result } = useRun('resource list', { options });
  const titles = new Map(rowsOf(result?.data).map(({ id, pagetitle }) => [id, String(pagetitle)]));
  return (
    <ChosenList
      {...props}
      nameOf={(one) => titles.get(one) ?? String(one)}
      choose={texts.writing.choosePage}
      dialog={({ close, choose }) => <PageDialog close={close} choose={({ id }) => choose(id)} />}
    />
  );
}

/** A table whose columns are the names in its rows. */
export function LooseRowsField({ field, value, path, change }: ValueProps) {
  const rows = listOf(value).filter(isObject);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [name, setName] = useState('');
  const columns = [...new Set([...rows.flatMap((row) => Object.keys(row)), ...added])];
  const set = (at: number, next: JsonObject): void => change(rows.with(at, next));
  return (
    <FieldGroup {...useField(field, path)}>
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
          <RemoveButton
            label={texts.writing.row(at + 1)}
            remove={() => change(rows.length === 1 ? undefined : rows.toSpliced(at, 1))}
          />
        </div>
      ))}
      <div class="row">
        <AddButton label={nameOf(field)} add={() => change([...rows, {}])} />
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
    </FieldGroup>
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
    <FieldGroup {...useField(field, path)}>
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
    </FieldGroup>
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
