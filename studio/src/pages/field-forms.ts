/** Values that are objects, as fields of their own: one form for each kind. */
import type { FieldType, ValueKind } from '../../../src/pages/rules/field-types.js';
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { titleOf } from '../values.js';

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

export const partsOf: Readonly<Partial<Record<ValueKind, readonly FieldDefinition[]>>> = {
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
  keyValues: [fieldOf('key', 'text'), fieldOf('value', 'textarea')],
};
