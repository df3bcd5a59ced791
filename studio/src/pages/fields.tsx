/** Fields of a section as a form, by the kinds of their values. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { valueKindOf } from '../../../src/pages/rules/field-types.js';
import { countingFields, type FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import { describedBy, Field, FieldGroup, Switch } from '../parts.js';
import { texts } from '../texts.js';
import { useProblems } from './editing.js';
import { partsOf, rowsOf } from './field-forms.js';
import { FileField, FileListField } from './file-fields.js';
import { LooseRowsField, ReferencesField, ScheduleField, TextListField } from './list-fields.js';
import { withMember } from './page-document.js';
import { RowsField } from './rows-field.js';
import { HtmlField, TextField } from './text-fields.js';

interface FieldsProps {
  readonly fields: readonly FieldDefinition[];
  readonly values: JsonObject;
  /** Of the object that has the values. */
  readonly path: string;
  readonly change: (values: JsonObject) => void;
}

export function Fields({ fields, values, path, change }: FieldsProps) {
  return (
    <>
      {fields
        .filter((field) => field.type !== 'hidden' && isShown(field, values))
        .map((field) => (
          <OneField key={field.name} {...{ field, values, path, change }} />
        ))}
    </>
  );
}

/** By the rule of the site; headings and groups count as a text would. */
function isShown(field: FieldDefinition, values: JsonObject): boolean {
  return countingFields([{ ...field, type: 'text' }], values).length > 0;
}

interface OneFieldProps extends Omit<FieldsProps, 'fields'> {
  readonly field: FieldDefinition;
}

function OneField({ field, values, path, change }: OneFieldProps) {
  const kind = valueKindOf(field.type);
  if (kind === 'nothing') return field.type === 'heading' ? <h2>{nameOf(field)}</h2> : null;
  if (kind === 'group') {
    return (
      <FieldGroup label={nameOf(field)} help={helpOf(field)} problems={[]}>
        <Fields {...{ fields: field.fields, values, path, change }} />
      </FieldGroup>
    );
  }
  const value = values[field.name];
  const props = {
    ...{ field, value, path: `${path}.${field.name}` },
    change: (next: Json | undefined) => change(withMember(values, field.name, next)),
  };
  if (field.responsive && (isObject(value) || value === undefined)) return <ResponsiveField {...props} />;
  return <ValueField {...props} />;
}

export interface ValueProps {
  readonly field: FieldDefinition;
  readonly value: Json | undefined;
  readonly path: string;
  /** Undefined for no value. */
  readonly change: (value: Json | undefined) => void;
}

const sizes = ['desktop', 'tablet', 'mobile'] as const;

function ResponsiveField({ field, value, path, change }: ValueProps) {
  const values = isObject(value) ? value : {};
  const set = (size: string, one: Json | undefined): void => {
    const next = withMember(values, size, one);
    change(Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <FieldGroup
      label={nameOf(field)}
      help={helpOf(field)}
      required={field.required}
      problems={useProblems(path, false)}
    >
      {sizes.map((size) => (
        <ValueField
          key={size}
          field={{ ...field, label: texts.writing.sizes[size], description: '', responsive: false, required: false }}
          value={values[size]}
          path={`${path}.${size}`}
          change={(one) => set(size, one)}
        />
      ))}
    </FieldGroup>
  );
}

export function ValueField(props: ValueProps) {
  const { field, value, path, change } = props;
  const kind = valueKindOf(field.type);
  switch (kind) {
    case 'boolean':
      return <SwitchField {...props} />;
    case 'choice':
      return field.options.length > 0 ? <ChoiceField {...props} /> : <TextField {...props} />;
    case 'choices':
      return field.options.length > 0 ? <BoxesField {...props} /> : <TextListField {...props} />;
    case 'html':
    case 'editorjs':
      return <HtmlField {...props} />;
    case 'media':
      return <FileField {...props} />;
    case 'mediaList':
      return <FileListField {...props} />;
    case 'rows':
      return <RowsField {...props} fields={field.fields} hasIds={field.form['plain'] !== true} />;
    case 'keyValues':
      return <RowsField {...props} fields={rowsOf.keyValues ?? []} hasIds={false} />;
    case 'looseRows':
      return <LooseRowsField {...props} />;
    case 'references':
      return <ReferencesField {...props} />;
    case 'schedule':
      return <ScheduleField {...props} />;
    case 'dateRange':
    case 'video':
    case 'map':
    case 'button':
    case 'tableView':
    case 'dataSource': {
      const set = (next: JsonObject): void => change(Object.keys(next).length === 0 ? undefined : next);
      return (
        <Group {...{ field, path }}>
          <Fields {...{ fields: partsOf[kind] ?? [], values: isObject(value) ? value : {}, path, change: set }} />
        </Group>
      );
    }
    default:
      return <TextField {...props} />;
  }
}

export function nameOf({ label, name }: FieldDefinition): string {
  return label === '' ? name : label;
}

export function helpOf({ description }: FieldDefinition): string | undefined {
  return description === '' ? undefined : description;
}

interface GroupProps extends Pick<ValueProps, 'field' | 'path'> {
  /** The problems of what is in it stand here. */
  readonly deep?: boolean;
  readonly children: ComponentChildren;
}

export function Group({ field, path, deep = false, children }: GroupProps) {
  const problems = useProblems(path, deep);
  return (
    <FieldGroup label={nameOf(field)} help={helpOf(field)} required={field.required} problems={problems}>
      {children}
    </FieldGroup>
  );
}

function SwitchField({ field, value, path, change }: ValueProps) {
  const problems = useProblems(path, true);
  return (
    <Switch label={nameOf(field)} help={field.description ?? ''} isOn={value === true} {...{ problems, change }} />
  );
}

function ChoiceField({ field, value, path, change }: ValueProps) {
  const id = useId();
  const problems = useProblems(path, true);
  const isKnown = value === undefined || value === '' || field.options.some((option) => option.value === value);
  return (
    <Field id={id} label={nameOf(field)} help={helpOf(field)} required={field.required} problems={problems}>
      <select
        id={id}
        value={value === undefined ? '' : String(value)}
        aria-invalid={problems.length > 0}
        aria-describedby={describedBy(id, { help: helpOf(field), problems })}
        onChange={({ currentTarget }) => change(currentTarget.value === '' ? undefined : currentTarget.value)}
      >
        <option value="">{texts.none}</option>
        {isKnown ? null : <option value={String(value)}>{String(value)}</option>}
        {field.options.map((option) => (
          <option value={option.value}>{option.label}</option>
        ))}
      </select>
    </Field>
  );
}

function BoxesField({ field, value, path, change }: ValueProps) {
  const chosen = Array.isArray(value) ? value : [];
  const toggle = (one: string): void => {
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
    change(next.length === 0 ? undefined : next);
  };
  return (
    <Group field={field} path={path} deep>
      <div class="boxes">
        {field.options.map((option) => (
          <label>
            <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => toggle(option.value)} />{' '}
            {option.label}
          </label>
        ))}
      </div>
    </Group>
  );
}
