/** Files, and lists of values: rows of fields, pages, files, and the hours of a week. */
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { parseJson } from '../../../src/values/json.js';
import { isObject, type Json, recordOf } from '../api.js';
import { Field, MeaningInput, RemoveButton, TextInput } from '../inputs.js';
import { Button } from '../parts.js';
import { Sortable } from '../sortable.js';
import { fill, texts } from '../texts.js';
import { weekdayName } from '../values.js';
import { Fields, fieldOf } from './fields.js';
import { defaultsOf, firstText, newId, useField, type ValueProps } from './page-document.js';
import { MediaButton, PageButton, Picture, useTitles } from './pickers.js';

export function urlOf(value: Json | undefined): string {
  const url = isObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : '';
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

interface ListFieldProps extends ValueProps {
  readonly labelOf: (one: Json, at: number) => string;
  readonly keyOf?: (one: Json) => string | undefined;
  readonly picture?: (one: Json) => ComponentChild;
  readonly inside?: (one: Json, at: number, change: (next: Json) => void) => ComponentChild;
  readonly children: (add: (one: Json) => void) => ComponentChild;
}

/** Values in an order: added, removed and moved. */
function ListField({ field, value, path, change, labelOf, keyOf, picture, inside, children }: ListFieldProps) {
  const list = listOf(value);
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  const keyAt = (one: Json, at: number): string => keyOf?.(one) ?? `${keyOf ? '' : labelOf(one, at)} ${at}`;
  return (
    <Field {...useField(field, path, inside === undefined)}>
      <Sortable items={list} keyOf={keyAt} labelOf={labelOf} change={set}>
        {(one, at, handle) => (
          <div class="card">
            <div class="bar">
              <span class="grip">
                {handle} {picture?.(one)} <b>{labelOf(one, at)}</b>
              </span>
              <RemoveButton label={labelOf(one, at)} remove={() => set(list.toSpliced(at, 1))} />
            </div>
            {inside?.(one, at, (next) => set(list.with(at, next)))}
          </div>
        )}
      </Sortable>
      {children((one) => set([...list, one]))}
    </Field>
  );
}

interface RowsFieldProps extends ValueProps {
  readonly fields: readonly FieldDefinition[];
  /** Rows of repeated groups have a `_rowId`. */
  readonly hasIds?: boolean;
}

export function RowsField({ fields, hasIds = false, ...props }: RowsFieldProps) {
  const labelOf = (row: Json, at: number): string => {
    const { _rowId, ...values } = recordOf(row);
    return firstText(values) || fill(texts.writing.row, at + 1);
  };
  const keyOf = (row: Json): string | undefined => recordOf(row)['_rowId']?.toString();
  return (
    <ListField
      {...{ ...props, labelOf, keyOf }}
      inside={(row, at, set) => (
        <Fields {...{ fields, values: recordOf(row), path: `${props.path}[${at}]` }} change={set} />
      )}
    >
      {(add) => (
        <Button
          label={fill(texts.addTo, props.field.label || props.field.name)}
          kind="small"
          act={() => add({ ...defaultsOf(fields), ...(hasIds && { _rowId: newId() }) })}
        />
      )}
    </ListField>
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
      <TextInput label={texts.writing.column} value={name} change={setName}>
        <Button
          {...{ label: texts.writing.addColumn, kind: 'small', disabled: name.trim() === '' }}
          act={() => {
            setAdded([...added, name.trim()]);
            setName('');
          }}
        />
      </TextInput>
    </>
  );
}

export function PagesField(props: ValueProps) {
  const titleOf = useTitles(listOf(props.value));
  return (
    <ListField {...props} labelOf={titleOf}>
      {(add) => <PageButton choose={({ id = null }) => add(id)} />}
    </ListField>
  );
}

export function FileListField(props: ValueProps) {
  return (
    <ListField {...props} labelOf={urlOf} picture={(file) => <Picture address={urlOf(file)} />}>
      {(add) => (
        <MediaButton label={texts.writing.addPicture} kind="small" choose={(url, size) => add({ url, ...size })} />
      )}
    </ListField>
  );
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Stored as a JSON text: weekdays with lists of hours, which are typed with commas. */
export function ScheduleField({ field, value, path, change }: ValueProps) {
  const stored = recordOf(parseJson(String(value)) as Json | undefined);
  // Days may be called `monday`, `mon` or `1`.
  const hours = weekdays.map((day, at) => listOf(stored[day] ?? stored[day.slice(0, 3)] ?? stored[at + 1]));
  const set = (at: number, next: readonly Json[]): void => {
    const open = hours.with(at, next).flatMap((own, day) => (own.length > 0 ? [[weekdays[day], own]] : []));
    change(open.length > 0 ? JSON.stringify(Object.fromEntries(open)) : undefined);
  };
  return (
    <Field {...useField(field, path)}>
      {hours.map((own, at) => (
        <MeaningInput
          {...{ label: weekdayName(at + 1, 'long'), value: own }}
          read={(text) => text.split(/[,;\s]+/).filter((one) => one !== '')}
          write={(list) => list.join(', ')}
          change={(next) => set(at, next)}
        />
      ))}
    </Field>
  );
}
