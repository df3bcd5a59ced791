/** Fields of a section as a form, by the kinds of their values. */
import { valueKindOf } from '../../../src/pages/rules/field-types.js';
import { countingFields, type FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { isObject, type Json, type JsonObject } from '../api.js';
import { BoxesInput, ChoiceInput, Field, Switch, TextListInput } from '../inputs.js';
import { texts } from '../texts.js';
import { nameOf, useField, useProblems, type ValueProps } from './editing.js';
import { partsOf } from './field-forms.js';
import { FileField } from './file-field.js';
import { FileListField, LooseRowsField, PagesField, RowsField, ScheduleField } from './list-fields.js';
import { withMember } from './page-document.js';
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
  const own = { ...useField(field, path), problems: [] };
  const kind = valueKindOf(field.type);
  if (kind === 'nothing') return field.type === 'heading' ? <h2>{nameOf(field)}</h2> : null;
  if (kind === 'group') {
    return (
      <Field {...own}>
        <Fields {...{ fields: field.fields, values, path, change }} />
      </Field>
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

const sizes = ['desktop', 'tablet', 'mobile'] as const;

/** A value for each size of a screen. */
function ResponsiveField({ field, value, path, change }: ValueProps) {
  const { showWhen: _ofAll, ...one } = field;
  const fields = sizes.map((name) => ({
    ...{ ...one, name, label: texts.writing.sizes[name], description: '', responsive: false, required: false },
  }));
  return <MembersField {...{ field, value, path, change, fields }} />;
}

/** An object, whose members have fields of their own. */
export function MembersField({ field, value, path, change, fields }: ValueProps & Pick<FieldsProps, 'fields'>) {
  const set = (next: JsonObject): void => change(Object.keys(next).length === 0 ? undefined : next);
  return (
    <Field {...useField(field, path)} problems={useProblems(path, false)}>
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
  switch (kind) {
    case 'boolean':
      return <Switch {...own} value={value === true} change={change} />;
    case 'choice':
      if (choices.length === 0) return <TextField {...props} />;
      return (
        <ChoiceInput
          {...{ ...own, choices }}
          value={String(value ?? '')}
          change={(next) => change(next || undefined)}
        />
      );
    case 'choices':
      return choices.length === 0 ? <TextListInput {...several} /> : <BoxesInput {...several} choices={choices} />;
    case 'references':
      // Records of other tables have no titles here.
      if (!['resourcelist', 'multirelation'].includes(field.type)) return <TextListInput {...several} />;
      return <PagesField {...props} />;
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
      return <RowsField {...props} fields={partsOf[kind] ?? []} />;
    case 'looseRows':
      return <LooseRowsField {...props} />;
    case 'schedule':
      return <ScheduleField {...props} />;
    default: {
      const fields = partsOf[kind];
      return fields === undefined ? <TextField {...props} /> : <MembersField {...{ ...props, fields }} />;
    }
  }
}
