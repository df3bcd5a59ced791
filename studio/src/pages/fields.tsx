/** Fields of a section as a form, by the kinds of their values. */
import { type FieldType, type ValueKind, valueKindOf } from '../../../src/pages/rules/field-types.js';
import { countingFields, type FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import { BoxesInput, ChoiceInput, Field, LinesInput, MeaningInput, Switch, type TextInputProps } from '../inputs.js';
import { fill, texts } from '../texts.js';
import { titleOf } from '../values.js';
import { FileListField, LooseRowsField, PagesField, RowsField, ScheduleField, urlOf } from './list-fields.js';
import { useField, type ValueProps, withMember } from './page-document.js';
import { MediaInput, PageButton } from './pickers.js';
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
    const value = values[name];
    const props = {
      ...{ field, value, path: `${path}.${name}` },
      change: (next: Json | undefined) => change(withMember(values, name, next)),
    };
    const isBySize = field.responsive && (value === undefined || isObject(value));
    const parts = isBySize ? bySize(field) : partsOf[kind];
    return parts === undefined ? (
      <ValueField key={name} {...props} />
    ) : (
      <MembersField key={name} {...props} fields={parts} />
    );
  });
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
  const set = (next: JsonObject): void => change(Object.keys(next).length === 0 ? undefined : next);
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
  const choices = field.options.map((option) => [option.value, option.label] as const);
  const list: readonly Json[] = Array.isArray(value) ? value : [];
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
      if (field.type === 'ace') return <TextField {...props} />;
      return <RichText {...own} value={String(value ?? '')} change={setText} />;
    case 'editorjs': {
      // Of blocks of another editor the HTML is edited, and the blocks are left out.
      const html = String((isObject(value) ? value['html'] : value) ?? '');
      return (
        <RichText {...own} value={html} change={(next) => change(next ? { json: null, html: next } : undefined)} />
      );
    }
    case 'media':
      return (
        <MediaInput
          {...own}
          value={urlOf(value)}
          type={field.type === 'image' ? 'image' : null}
          change={(url, size) => change(url === '' ? undefined : { url, ...size })}
        />
      );
    case 'mediaList':
      return <FileListField {...props} />;
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

export function fieldOf(name: string, type: FieldType, more: Partial<FieldDefinition> = {}): FieldDefinition {
  return {
    ...{ name, type, label: titleOf(name), required: false, active: true, responsive: false, description: '' },
    ...{ options: [], fields: [], form: {}, ...more },
  };
}

function select(name: string, ...values: readonly string[]): FieldDefinition {
  return fieldOf(name, 'select', { options: values.map((value) => ({ value, label: titleOf(value) })) });
}

function rows(name: string, ...fields: readonly FieldDefinition[]): FieldDefinition {
  return fieldOf(name, 'repeater', { fields });
}

const operators = ['eq', 'contains', 'in', 'gte', 'lte', 'between', 'empty', 'not_empty'];

const partsOf: Readonly<Partial<Record<ValueKind, readonly FieldDefinition[]>>> = {
  dateRange: [fieldOf('from', 'date'), fieldOf('to', 'date')],
  video: [fieldOf('url', 'text'), fieldOf('poster', 'url')],
  map: [...['lat', 'lng', 'zoom'].map((name) => fieldOf(name, 'number')), select('provider', 'osm', 'yandex')],
  button: [fieldOf('label', 'text'), fieldOf('url', 'url'), select('target', '_self', '_blank')],
  tableView: [fieldOf('table_key', 'text'), fieldOf('limit', 'number')],
  dataSource: [
    ...[select('provider', 'resources', 'tables', 'shop'), fieldOf('table', 'text')],
    rows('filters', fieldOf('field', 'text'), select('op', ...operators), fieldOf('value', 'text')),
    rows('sort', fieldOf('field', 'text'), select('direction', 'asc', 'desc')),
    ...[fieldOf('search', 'text'), fieldOf('limit', 'number')],
  ],
};
