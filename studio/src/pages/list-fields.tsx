/** Files, and lists of values: rows of fields, pages, files, and the hours of a week. */
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import { AddButton, Field, RemoveButton, TextInput } from '../inputs.js';
import { Sortable } from '../sortable.js';
import { language, texts } from '../texts.js';
import { useRun } from '../use-run.js';
import { recordOf, rowsOf } from '../values.js';
import { nameOf, useField, usePictureAddress, useProblems, type ValueProps } from './editing.js';
import { Fields, fieldOf, MembersField } from './fields.js';
import { defaultsOf, firstText, newId } from './page-document.js';
import { MediaButton, PageButton } from './pickers.js';

export function urlOf(value: Json | undefined): string {
  const url = isObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : '';
}

export function Thumbnail({ url }: { readonly url: string }) {
  const address = usePictureAddress()(url);
  return address && <img class="thumbnail" src={address} alt="" loading="lazy" />;
}

export function FileField({ field, value, path, change }: ValueProps) {
  const own = useField(field, path);
  const url = urlOf(value);
  // What is known of another picture does not hold for this one.
  const take = (address: string): void => change(address === '' ? undefined : { url: address });
  return (
    <TextInput {...own} value={url} change={take} placeholder={texts.writing.address}>
      <Thumbnail url={url} />
      <MediaButton type={field.type === 'image' ? 'image' : null} choose={(media) => change({ ...media })} />
      {url !== '' && <RemoveButton label={own.label} remove={() => take('')} />}
    </TextInput>
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

interface RowsFieldProps extends ValueProps {
  readonly fields: readonly FieldDefinition[];
  /** Rows of repeated groups have a `_rowId`. */
  readonly hasIds?: boolean;
}

/** Rows of fields: added, removed and put in another order. */
export function RowsField({ field, value, path, change, fields, hasIds = false }: RowsFieldProps) {
  const rows = listOf(value).map(recordOf);
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  const labelOf = ({ _rowId, ...row }: JsonObject, at: number): string => firstText(row) || texts.writing.row(at + 1);
  const add = (): void => set([...rows, { ...defaultsOf(fields), ...(hasIds && { _rowId: newId() }) }]);
  return (
    <Field {...useField(field, path)} problems={useProblems(path, false)}>
      <Sortable items={rows} keyOf={(row, at) => String(row['_rowId'] ?? at)} labelOf={labelOf} change={set}>
        {(row, at, handle) => (
          <div class="card">
            <div class="bar">
              <span class="grip">
                {handle} <b>{labelOf(row, at)}</b>
              </span>
              <RemoveButton label={labelOf(row, at)} remove={() => set(rows.toSpliced(at, 1))} />
            </div>
            <Fields {...{ fields, values: row, path: `${path}[${at}]` }} change={(next) => set(rows.with(at, next))} />
          </div>
        )}
      </Sortable>
      <AddButton label={nameOf(field)} add={add} />
    </Field>
  );
}

/** A table whose columns are the names in its rows. */
export function LooseRowsField(props: ValueProps) {
  const rows = listOf(props.value).map(recordOf);
  const [added, setAdded] = useState<readonly string[]>([]);
  const [name, setName] = useState('');
  const columns = [...new Set([...rows.flatMap((row) => Object.keys(row)), ...added])];
  const isNumber = (column: string): boolean => rows.some((row) => typeof row[column] === 'number');
  return (
    <>
      <RowsField
        {...props}
        fields={columns.map((one) => fieldOf(one, isNumber(one) ? 'number' : 'text', { label: one }))}
      />
      <div class="row">
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
    </>
  );
}

interface ChosenListProps extends ValueProps {
  readonly nameOf: (one: Json) => string;
  /** Before the name. */
  readonly picture?: (one: Json) => ComponentChild;
  /** The button that chooses one more. */
  readonly children: (choose: (one: Json) => void) => ComponentChild;
}

/** Things that were chosen, by their names: moved and removed. */
function ChosenList({ field, value, path, change, nameOf: nameOfOne, picture, children }: ChosenListProps) {
  const list = listOf(value);
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  return (
    <Field {...useField(field, path)}>
      <Sortable items={list} keyOf={(one, at) => `${nameOfOne(one)} ${at}`} labelOf={nameOfOne} change={set}>
        {(one, at, handle) => (
          <div class="file">
            {handle} {picture?.(one)} <span class="grow">{nameOfOne(one)}</span>
            <RemoveButton label={nameOfOne(one)} remove={() => set(list.toSpliced(at, 1))} />
          </div>
        )}
      </Sortable>
      {children((one) => set([...list, one]))}
    </Field>
  );
}

/** Pages of the site by their titles. */
export function PagesField(props: ValueProps) {
  const ids = listOf(props.value).filter((one) => typeof one === 'number');
  const options = { filter: [`id[in]=${ids.join(',') || '0'}`], fields: 'id,pagetitle', all: true, limit: 1000 };
  const { result } = useRun('resource list', { options });
  const titles = new Map(rowsOf(result?.data).map(({ id, pagetitle }) => [id, String(pagetitle)]));
  return (
    <ChosenList {...props} nameOf={(one) => titles.get(one) ?? String(one)}>
      {(choose) => <PageButton choose={({ id }) => choose(id)} />}
    </ChosenList>
  );
}

export function FileListField(props: ValueProps) {
  return (
    <ChosenList {...props} nameOf={urlOf} picture={(file) => <Thumbnail url={urlOf(file)} />}>
      {(choose) => (
        <MediaButton label={texts.writing.addPicture} kind="small" choose={(media) => choose({ ...media })} />
      )}
    </ChosenList>
  );
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
const dayName = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
const days = weekdays.map((day, at) =>
  fieldOf(day, 'text', { label: dayName.format(Date.UTC(2024, 0, 1 + at)), description: '' }),
);

/** Stored as a JSON text: weekdays with lists of hours, which are typed with commas. */
export function ScheduleField({ value, change, ...props }: ValueProps) {
  const [typed, setTyped] = useState(() => typedHours(value));
  const set = (next: JsonObject): void => {
    setTyped(next);
    const listOfHours = (text: Json) =>
      String(text)
        .split(/[,;\s]+/)
        .filter((one) => one !== '');
    const hours = Object.entries(next).map(([day, text]) => [day, listOfHours(text)]);
    change(hours.length === 0 ? undefined : JSON.stringify(Object.fromEntries(hours)));
  };
  return <MembersField {...props} value={typed} fields={days} change={(next) => set(recordOf(next))} />;
}

/** Days may be called `monday`, `mon` or `1`. */
function typedHours(value: Json | undefined): JsonObject {
  const stored = recordOf(parsed(value));
  return Object.fromEntries(
    weekdays.flatMap((day, at) => {
      const hours = stored[day] ?? stored[day.slice(0, 3)] ?? stored[String(at + 1)];
      return Array.isArray(hours) && hours.length > 0 ? [[day, hours.join(', ')]] : [];
    }),
  );
}

function parsed(value: Json | undefined): Json {
  try {
    return JSON.parse(String(value ?? null));
  } catch {
    return null;
  }
}
