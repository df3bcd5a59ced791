/** The tables of docs/pages-documents.md, made of the tables of the program. */
import { shippedTypes } from '../../src/pages/authoring/section-types.js';
import { fieldTypes, responsiveTypes, type ValueKind, valueKindOf } from '../../src/pages/rules/field-types.js';
import { maxHtmlAttributes, maxHtmlDepth, maxHtmlElements } from '../../src/pages/rules/html-fragment.js';
import { pageLimits } from '../../src/pages/rules/page-document.js';
import type { FieldDefinition } from '../../src/pages/rules/section-type.js';
import { pageBudget, sectionBudget } from '../../src/pages/rules/template-filters.js';

/** How each kind of value is stored, with a value in its normal form. */
export const storedValues: Readonly<Record<ValueKind, { readonly says: string; readonly example: unknown }>> = {
  text: { says: 'one line of text', example: 'Open workshop' },
  longText: { says: 'text of several lines', example: 'One line\nand another' },
  html: { says: 'HTML, sanitised when it is saved', example: '<p>Mended <em>twice</em>.</p>' },
  number: { says: 'number', example: 12.5 },
  boolean: { says: 'true or false', example: true },
  url: { says: 'relative address, or one of http, https, mailto, tel', example: '/repairs/prices.html' },
  slug: { says: 'letters, digits, hyphens, underscores', example: 'open-workshop' },
  email: { says: 'e-mail address', example: 'desk@larkfell.example' },
  choice: { says: 'one of the options; any text when there are none', example: 'left' },
  choices: { says: 'list of options; any texts when there are none', example: ['blue', 'red'] },
  date: { says: 'YYYY-MM-DD', example: '2026-11-21' },
  time: { says: 'HH:MM', example: '09:30' },
  datetime: { says: 'YYYY-MM-DDTHH:MM[:SS], local, without a zone', example: '2026-11-21T09:30' },
  dateRange: { says: 'object of two dates', example: { from: '2026-11-21', to: '2026-11-28' } },
  media: {
    says: 'media object (below); a text is read as its address',
    example: { url: '/assets/mill.jpg', width: 1600, height: 900 },
  },
  mediaList: { says: 'list of media objects', example: [{ url: '/assets/mill.jpg' }] },
  video: {
    says: 'address with `poster`; the rest is added',
    example: {
      url: 'https://vimeo.com/76979871',
      embed_url: 'https://player.vimeo.com/video/76979871',
      provider: 'vimeo',
      watch_url: 'https://vimeo.com/76979871',
    },
  },
  map: {
    says: 'point; the addresses are added',
    example: {
      lat: 54.3,
      lng: -3,
      zoom: 14,
      provider: 'osm',
      embed_url: 'https://www.openstreetmap.org/export/embed.html?marker=54.3%2C-3',
      watch_url: 'https://www.openstreetmap.org/?mlat=54.3&mlon=-3#map=14/54.3/-3',
    },
  },
  button: {
    says: 'label, address and `_self` or `_blank`',
    example: { label: 'Prices', url: '/prices.html', target: '_blank' },
  },
  rows: { says: 'rows of the nested fields, with an optional `_rowId`', example: [{ name: 'a' }] },
  looseRows: { says: 'list of rows of plain values', example: [{ size: 'M', grams: 430 }] },
  editorjs: { says: 'blocks, and their HTML, sanitised', example: { json: { blocks: [] }, html: '<p>a</p>' } },
  reference: { says: 'number or key of a record', example: 42 },
  references: { says: 'list of numbers or keys, in their order', example: [42, 7] },
  keyValues: { says: 'list of pairs', example: [{ key: 'Weight', value: '430 g' }] },
  tableView: { says: 'key of a table and how many rows', example: { table_key: 'sizes', limit: 20 } },
  dataSource: {
    says: 'what to list: `provider`, `table`, `filters`, `sort`, `search`, `limit`; not run here',
    example: { provider: 'resources', filters: [{ field: 'parent', op: 'eq', value: 5 }], limit: 6 },
  },
  schedule: { says: 'JSON text of weekdays with hours', example: '{"mon":["09:00-17:00"]}' },
  group: { says: 'nothing by itself: its fields are stored on its own level', example: undefined },
  nothing: { says: 'nothing', example: undefined },
};

/** Field types, how they are stored, an example as JSON. */
export function fieldTypeRows(): string[][] {
  return [...new Set(fieldTypes.map(valueKindOf))].map((kind) => {
    const { says, example } = storedValues[kind];
    const types = fieldTypes.filter((type) => valueKindOf(type) === kind);
    const names = types.map((type) => `${code(type)}${responsiveTypes.includes(type) ? '*' : ''}`);
    return [names.join(', '), says, example === undefined ? '' : code(JSON.stringify(example))];
  });
}

/** Key, category, fields: `*` marks required ones, brackets hold the fields of rows. */
export function sectionTypeRows(): string[][] {
  return shippedTypes().map(({ key, category, fields }) => [code(key), category, fields.map(fieldText).join(', ')]);
}

function fieldText({ name, type, required, fields, options, default: preset }: FieldDefinition): string {
  const rows = fields.length > 0 ? ` [${fields.map(fieldText).join(', ')}]` : '';
  const choices = options.map(({ value }) => (value === preset ? `${value} (default)` : value)).join(', ');
  return `${code(name)}${required ? '*' : ''} ${type}${choices === '' ? '' : ` (${choices})`}${rows}`;
}

/** What is bounded, and by how much. */
export function limitRows(): string[][] {
  const rows: readonly (readonly [string, number])[] = [
    ['Sections of a page; as many again in its trash', pageLimits.sections],
    ['Characters of a document as JSON', pageLimits.documentCharacters],
    ['Lists and objects inside one another in `data`', pageLimits.dataDepth],
    ['Characters of a one-line text or an address', pageLimits.textCharacters],
    ['Characters of a text of several lines', pageLimits.longTextCharacters],
    ['Characters of rich text', pageLimits.htmlCharacters],
    ['Elements of rich text', maxHtmlElements],
    ['Elements inside one another in rich text', maxHtmlDepth],
    ['Attributes of one element in rich text', maxHtmlAttributes],
    ['Rows of one repeater, items of one list', pageLimits.items],
    ['Rules of one section, values of one rule', pageLimits.rules],
    ['Fields of one section type, nested ones included', pageLimits.fields],
    ['Levels of nested fields', pageLimits.fieldDepth],
    ['Characters of a template', pageLimits.templateCharacters],
    ['Steps of one section', sectionBudget.steps],
    ['Characters and items looked at by one section', sectionBudget.work],
    ['Characters written by one section', sectionBudget.output],
    ['Steps of one page', pageBudget.steps],
    ['Characters and items looked at by one page', pageBudget.work],
    ['Characters written by one page', pageBudget.output],
  ];
  return rows.map(([says, most]) => [says, most.toLocaleString('en')]);
}

export const code = (text: string): string => `\`${text}\``;
