/** The types that a field may have, and for each the kind of value that is stored for it. */

/** Each kind has one reader in field-value. */
const typesByKind = {
  /** One line. `tv`, `chunk` and `snippet` are names of elements of the CMS; nothing here runs them. */
  text: ['text', 'icon', 'hidden', 'readonly', 'imask', 'tv', 'chunk', 'snippet', 'form'],
  longText: ['textarea', 'address', 'xtype'],
  html: ['richtext', 'ace'],
  number: ['number', 'currency'],
  boolean: ['checkbox', 'yesno', 'toggle'],
  url: ['url'],
  slug: ['slug'],
  email: ['email'],
  /** One of the options; any text for a field without options. */
  choice: ['select', 'radio', 'color', 'colorpalette', 'combo'],
  choices: ['multiselect', 'checkboxgroup', 'tag', 'multicombo'],
  date: ['date'],
  time: ['time'],
  datetime: ['datetime'],
  dateRange: ['daterange'],
  media: ['file', 'image'],
  mediaList: ['gallery'],
  video: ['video'],
  map: ['map'],
  button: ['button', 'link'],
  rows: ['repeater', 'migx', 'table'],
  /** Rows whose columns are not declared. */
  looseRows: ['jsongrid'],
  editorjs: ['editorjs'],
  reference: ['relation', 'tablecombo', 'product'],
  references: ['resourcelist', 'multirelation', 'tablemulticombo', 'products', 'documents'],
  keyValues: ['keyvalue'],
  tableView: ['embeddedTable'],
  dataSource: ['datasource'],
  schedule: ['schedule'],
  /** Its fields are stored on the level of the group. */
  group: ['fieldset'],
  nothing: ['heading', 'dependent'],
} as const;

export type ValueKind = keyof typeof typesByKind;
export type FieldType = (typeof typesByKind)[ValueKind][number];

const aliases: Readonly<Record<string, FieldType>> = {
  relationship: 'relation',
  resources: 'resourcelist',
  boolean: 'yesno',
  listyesno: 'yesno',
  onlyreading: 'readonly',
  colorpicker: 'color',
  editor_js: 'editorjs',
};

export const fieldTypes: readonly FieldType[] = Object.values(typesByKind).flat();

const valueKinds = Object.keys(typesByKind).filter((name): name is ValueKind => Object.hasOwn(typesByKind, name));
const kinds = new Map<string, ValueKind>(valueKinds.flatMap((kind) => typesByKind[kind].map((type) => [type, kind])));

export function fieldTypeOf(name: string): FieldType | undefined {
  return Object.hasOwn(aliases, name) ? aliases[name] : fieldTypes.find((type) => type === name);
}

export function valueKindOf(type: FieldType): ValueKind {
  return kinds.get(type) ?? 'nothing';
}

export const responsiveTypes: readonly FieldType[] = [
  ...(['text', 'textarea', 'url', 'number', 'currency', 'richtext', 'slug'] as const),
];
