/** The types that a field may have, and for each the kind of value that is stored for it. */

/** How a value is stored; each kind has one reader. */
export type ValueKind =
  /** One line of text. */
  | 'text'
  /** Text of several lines. */
  | 'longText'
  | 'html'
  | 'number'
  | 'boolean'
  | 'url'
  | 'slug'
  | 'email'
  /** One of the options, or any text when there are none. */
  | 'choice'
  | 'choices'
  | 'date'
  | 'time'
  | 'datetime'
  | 'dateRange'
  | 'media'
  | 'mediaList'
  | 'video'
  | 'map'
  | 'button'
  | 'rows'
  /** Rows whose columns are not declared. */
  | 'looseRows'
  | 'editorjs'
  /** Number or key of a record. */
  | 'reference'
  | 'references'
  | 'keyValues'
  | 'tableView'
  | 'dataSource'
  | 'schedule'
  /** Its fields are stored on the level of the group. */
  | 'group'
  | 'nothing';

const kinds = {
  text: 'text',
  textarea: 'longText',
  richtext: 'html',
  ace: 'html',
  number: 'number',
  url: 'url',
  slug: 'slug',
  select: 'choice',
  multiselect: 'choices',
  radio: 'choice',
  checkbox: 'boolean',
  checkboxgroup: 'choices',
  yesno: 'boolean',
  toggle: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  daterange: 'dateRange',
  color: 'choice',
  colorpalette: 'choice',
  file: 'media',
  image: 'media',
  gallery: 'mediaList',
  video: 'video',
  button: 'button',
  link: 'button',
  icon: 'text',
  email: 'email',
  address: 'longText',
  resourcelist: 'references',
  hidden: 'text',
  readonly: 'text',
  xtype: 'longText',
  heading: 'nothing',
  repeater: 'rows',
  migx: 'rows',
  tag: 'choices',
  editorjs: 'editorjs',
  relation: 'reference',
  multirelation: 'references',
  map: 'map',
  table: 'rows',
  embeddedTable: 'tableView',
  keyvalue: 'keyValues',
  currency: 'number',
  imask: 'text',
  combo: 'choice',
  multicombo: 'choices',
  tablecombo: 'reference',
  tablemulticombo: 'references',
  fieldset: 'group',
  dependent: 'nothing',
  // Names of elements of the CMS. They are kept and delivered as text; nothing here runs them.
  tv: 'text',
  chunk: 'text',
  snippet: 'text',
  jsongrid: 'looseRows',
  datasource: 'dataSource',
  form: 'text',
  schedule: 'schedule',
  product: 'reference',
  products: 'references',
  documents: 'references',
} as const satisfies Readonly<Record<string, ValueKind>>;

export type FieldType = keyof typeof kinds;

const aliases: Readonly<Record<string, FieldType>> = {
  relationship: 'relation',
  resources: 'resourcelist',
  boolean: 'yesno',
  listyesno: 'yesno',
  onlyreading: 'readonly',
  colorpicker: 'color',
  editor_js: 'editorjs',
};

/** Every type, in the order of the documentation. */
export const fieldTypes: readonly FieldType[] = Object.freeze(Object.keys(kinds).filter(isFieldType));

/** The type of that name or alias; undefined for an unknown name. */
export function fieldTypeOf(name: string): FieldType | undefined {
  if (Object.hasOwn(aliases, name)) return aliases[name];
  return isFieldType(name) ? name : undefined;
}

export function valueKindOf(type: FieldType): ValueKind {
  return kinds[type];
}

/** Types that may hold a value per screen size. */
export const responsiveTypes: readonly FieldType[] = Object.freeze([
  'text',
  'textarea',
  'url',
  'number',
  'currency',
  'richtext',
  'slug',
]);

function isFieldType(name: string): name is FieldType {
  return Object.hasOwn(kinds, name);
}
