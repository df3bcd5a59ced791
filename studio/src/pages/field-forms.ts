/** Values that are objects, as fields of their own: one form for each kind. */
import type { FieldType, ValueKind } from '../../../src/pages/rules/field-types.js';
import type { FieldDefinition } from '../../../src/pages/rules/section-type.js';
import { texts } from '../texts.js';

function field(name: string, type: FieldType, more: Partial<FieldDefinition> = {}): FieldDefinition {
  const label = (texts.writing.parts as Readonly<Record<string, string>>)[name] ?? name;
  return {
    ...{ name, type, label, required: false, active: true, responsive: false, description: '' },
    ...{ options: [], fields: [], form: {}, ...more },
  };
}

function options(...values: readonly string[]): Pick<FieldDefinition, 'options'> {
  const labels = texts.writing.parts as Readonly<Record<string, string>>;
  return { options: values.map((value) => ({ value, label: labels[value] ?? value })) };
}

const operators = options('eq', 'contains', 'in', 'gte', 'lte', 'between', 'empty', 'not_empty');

export const partsOf: Readonly<Partial<Record<ValueKind, readonly FieldDefinition[]>>> = {
  dateRange: [field('from', 'date'), field('to', 'date')],
  video: [field('url', 'text'), field('poster', 'url')],
  map: [
    ...[field('lat', 'number'), field('lng', 'number'), field('zoom', 'number')],
    field('provider', 'select', options('osm', 'yandex')),
  ],
  button: [field('label', 'text'), field('url', 'url'), field('target', 'select', options('_self', '_blank'))],
  tableView: [field('table_key', 'text'), field('limit', 'number')],
  dataSource: [
    field('provider', 'select', options('resources', 'tables', 'shop')),
    field('table', 'text'),
    field('filters', 'repeater', {
      fields: [field('field', 'text'), field('op', 'select', operators), field('value', 'text')],
    }),
    field('sort', 'repeater', {
      fields: [field('field', 'text'), field('direction', 'select', options('asc', 'desc'))],
    }),
    ...[field('search', 'text'), field('limit', 'number')],
  ],
};

/** Rows without a `_rowId`. */
export const rowsOf: Readonly<Partial<Record<ValueKind, readonly FieldDefinition[]>>> = {
  keyValues: [field('key', 'text'), field('value', 'textarea')],
  mediaList: [],
};

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
