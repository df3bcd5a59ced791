/** Fields of a section as a form, by the kinds of their values. */
import type { ComponentChild } from 'preact';
import { useState } from 'preact/hooks';
import { type ValueKind, valueKindOf } from '../../../src/pages/rules/field-types.js';
import { countingFields, type FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { parseJson } from '../../../src/values/json.js';
import { isObject, type Json, type JsonObject, recordOf } from '../api.js';
import type { TextInputProps } from '../inputs.js';
import { BoxesInput, ChoiceInput, Field, LinesInput, MeaningInput, RemoveButton, Switch } from '../inputs.js';
import { Button } from '../parts.js';
import { Sortable } from '../sortable.js';
import { fill, texts } from '../texts.js';
import { textOf, weekdayName } from '../values.js';
import { defaultsOf, fieldOf, firstText, newId, partsOf, useField, type ValueProps } from './page-document.js';
import { MediaButton, MediaInput, PageButton, Picture, useTitles } from './pickers.js';
import { RichText } from './rich-text.js';

interface FieldsProps {
  readonly fields: readonly FieldDefinition[];
  readonly values: JsonObject;
  readonly path: string;
  readonly change: (values: JsonObject) => void;
}

export function Fields({ fields, values, path, change }: FieldsProps) {
  const shown = fields.filter((field) => field.type !== 'hidden' && isShown(field, values));
  return shown.map((field) => {
    const { name, type, description } = field;
    const label = field.label || name;
    const kind = valueKindOf(type);
    if (kind === 'nothing') return type === 'heading' && <h2 key={name}>{label}</h2>;
    if (kind === 'group') {
      return (
        <Field key={name} label={label} help={description}>
          <Fields {...{ fields: field.fields, values, path, change }} />
        </Field>
      );
    }
    return (
      <ValueField
        key={name}
        {...{ field, value: values[name], path: `${path}.${name}` }}
        change={(next) => change(withMember(values, name, next))}
      />
    );
  });
}

function withMember(values: JsonObject, name: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...values, [name]: value };
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}

/** By the rule of the site; headings and groups count as a text would. */
function isShown(field: FieldDefinition, values: JsonObject): boolean {
  return countingFields([{ ...field, type: 'text' }], values).length > 0;
}

function bySize({ showWhen: _ofAll, ...one }: FieldDefinition): readonly FieldDefinition[] {
  return Object.entries(texts.writing.screens).map(([name, label]) => ({
    ...{ ...one, name, label, description: '', responsive: false, required: false },
  }));
}

function MembersField({ field, value, path, change, fields }: ValueProps & Pick<FieldsProps, 'fields'>) {
  const set = (next: JsonObject): void => change(Object.keys(next).length > 0 ? next : undefined);
  return (
    <Field {...useField(field, path, false)}>
      <Fields {...{ fields, values: isObject(value) ? value : {}, path, change: set }} />
    </Field>
  );
}

function ValueField(props: ValueProps) {
  const { field, value, change } = props;
  const own = useField(field, props.path);
  const kind = valueKindOf(field.type);
  const isBySize = field.responsive && (value === undefined || isObject(value));
  const parts = isBySize ? bySize(field) : partsOf[kind];
  if (parts !== undefined) return <MembersField {...props} fields={parts} />;
  const choices = field.options.map((option) => [option.value, option.label] as const);
  const list = listOf(value);
  const several = {
    ...{ ...own, value: list.map(String) },
    // A number in it stays one.
    change(next: readonly string[]) {
      change(next.length === 0 ? undefined : next.map((text) => list.find((one) => String(one) === text) ?? text));
    },
  };
  const setText = (next: string): void => change(next || undefined);
  switch (kind) {
    case 'boolean':
      return <Switch {...own} value={value === true} change={change} />;
    case 'choice':
      if (choices.length === 0) return <TextField {...props} />;
      return <ChoiceInput {...{ ...own, choices }} value={String(value ?? '')} change={setText} />;
    case 'choices':
      return choices.length === 0 ? <LinesInput {...several} /> : <BoxesInput {...several} choices={choices} />;
    case 'references':
      // Records of other tables have no titles here.
      if (!['resourcelist', 'multirelation'].includes(field.type)) return <LinesInput {...several} />;
      return <PagesField {...props} />;
    case 'html':
    case 'editorjs': {
      if (field.type === 'ace') return <TextField {...props} />;
      // Of blocks of another editor the HTML is edited, and the blocks are left out.
      const text = String((isObject(value) ? value['html'] : value) ?? '');
      const stored = (html: string) => (kind === 'editorjs' ? { json: null, html } : html);
      return <RichText {...own} value={text} change={(html) => change(html ? stored(html) : undefined)} />;
    }
    case 'media':
      return (
        <MediaInput
          {...own}
          value={urlOf(value)}
          type={field.type === 'image' ? 'image' : null}
          change={(url) => change(url === '' ? undefined : { url })}
          choose={change}
        />
      );
    case 'mediaList':
      return (
        <ListField {...props} labelOf={urlOf} picture={(file) => <Picture address={urlOf(file)} />}>
          {(add) => <MediaButton label={texts.writing.addPicture} kind="small" choose={add} />}
        </ListField>
      );
    case 'rows':
      return <RowsField {...props} fields={field.fields} hasIds={field.form['plain'] !== true} />;
    case 'keyValues':
      return <RowsField {...props} fields={[fieldOf('key', 'text'), fieldOf('value', 'textarea')]} />;
    case 'looseRows':
      return <LooseRowsField {...props} />;
    case 'schedule':
      return <ScheduleField {...props} />;
    default:
      return <TextField {...props} />;
  }
}

const looks: Readonly<Partial<Record<ValueKind, Partial<TextInputProps>>>> = {
  ...{ date: { type: 'date' }, time: { type: 'time' }, datetime: { type: 'datetime-local' } },
  ...{ number: { inputMode: 'decimal' }, url: { inputMode: 'url' }, email: { inputMode: 'email' } },
  ...{ longText: { rows: 4 }, html: { rows: 8, isCode: true } },
};

function TextField({ field, value, path, change }: ValueProps) {
  const own = useField(field, path);
  const kind = valueKindOf(field.type);
  const isNumber = kind === 'number' || kind === 'reference';
  const isColour = field.type === 'color' || field.type === 'colorpalette';
  return (
    <MeaningInput
      {...{ ...own, ...looks[kind], value, change, readOnly: field.type === 'readonly' }}
      read={(text) => (text === '' ? undefined : isNumber ? asNumber(text) : text)}
      write={(stored) => String(stored ?? '')}
      placeholder={String(field.form['mask'] ?? '')}
    >
      {isColour && (
        <input
          type="color"
          aria-label={fill(texts.writing.colour, own.label)}
          value={/^#[0-9a-f]{6}$/i.test(String(value)) ? String(value) : '#000000'}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      {(kind === 'url' || field.type === 'relation') && (
        <PageButton choose={({ id, uri }) => change(kind === 'url' ? `/${uri}` : id)} />
      )}
    </MeaningInput>
  );
}

/** What is no number stays as it is typed: the command says so. */
function asNumber(text: string): number | string {
  const number = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(number) ? number : text;
}

export function urlOf(value: Json | undefined): string {
  const url = isObject(value) ? value['url'] : value;
  return typeof url === 'string' ? url : '';
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

interface ListFieldProps extends ValueProps {
  readonly labelOf: (one: Json, at: number) => string;
  readonly picture?: (one: Json) => ComponentChild;
  readonly inside?: (one: Json, at: number, change: (next: Json) => void) => ComponentChild;
  readonly children: (add: (one: Json) => void) => ComponentChild;
}

/** Values in an order: added, removed and moved. */
function ListField({ field, value, path, change, labelOf, picture, inside, children }: ListFieldProps) {
  const list = listOf(value);
  const set = (next: readonly Json[]): void => change(next.length === 0 ? undefined : next);
  const keyOf = (one: Json, at: number): string => textOf(recordOf(one)['_rowId'] ?? at);
  return (
    <Field {...useField(field, path, inside === undefined)}>
      <Sortable items={list} keyOf={keyOf} labelOf={labelOf} change={set}>
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

function RowsField({ fields, hasIds = false, ...props }: RowsFieldProps) {
  const labelOf = (row: Json, at: number): string => {
    const { _rowId, ...values } = recordOf(row);
    return firstText(values) || fill(texts.writing.row, at + 1);
  };
  return (
    <ListField
      {...{ ...props, labelOf }}
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

/** A table whose columns are the names in its rows, and those that are typed. */
function LooseRowsField(props: ValueProps) {
  const rows = listOf(props.value).map(recordOf);
  const [typed, setTyped] = useState<readonly string[]>([]);
  const columns = [...new Set([...rows.flatMap(Object.keys), ...typed])];
  const isNumber = (column: string): boolean => rows.some((row) => typeof row[column] === 'number');
  const fields = columns.map((label) => fieldOf(label, isNumber(label) ? 'number' : 'text', { label }));
  return (
    <>
      <RowsField {...props} fields={fields} />
      <LinesInput label={texts.writing.column} value={columns} change={setTyped} />
    </>
  );
}

function PagesField(props: ValueProps) {
  const titleOf = useTitles(listOf(props.value));
  return (
    <ListField {...props} labelOf={titleOf}>
      {(add) => <PageButton choose={({ id = null }) => add(id)} />}
    </ListField>
  );
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Stored as a JSON text: weekdays with lists of hours, which are typed with commas. */
function ScheduleField({ field, value, path, change }: ValueProps) {
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
