/** Reads the fields of a section type; names are unique per level, groups counted with the level they stand in. */

import { type JsonObject, kindName, memberOf, objectOf } from '../../values/json.js';
import { type FieldType, fieldTypeOf, fieldTypes, responsiveTypes, valueKindOf } from './field-types.js';
import { readFieldValue, storedFields } from './field-value.js';
import { pageLimits } from './page-limits.js';
import { type Member, readKnown, readRequiredText } from './read-members.js';
import type { FieldDefinition, FieldOption, ShowWhen } from './section-type.js';
import { readText } from './text-values.js';

/** Words that only an editor's form needs; they are kept as given and delivered in the catalogue. */
const formWords = ['tab', 'width', 'optionsSource', 'searchAction', 'crops', 'mask', 'currency', 'table_key'];
const words = [
  ...['name', 'type', 'label', 'required', 'active', 'responsive', 'description', 'default', 'options', 'showWhen'],
  ...['fields', 'columns', ...formWords],
];
const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Names that a prototype has: no template or consumer should meet them as data. */
const reservedNames = ['constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf', 'cssClass'];

/** The fields of a type. */
export function readFields(member: Member): readonly FieldDefinition[] {
  const { path, problems } = member;
  const fields = readLevel(member, 1);
  const count = countFields(fields);
  if (count > pageLimits.fields) problems.add(path, `must have at most ${pageLimits.fields} fields, rows included`);
  return fields;
}

function readLevel({ value, path, problems }: Member, depth: number): readonly FieldDefinition[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > pageLimits.fields) {
    problems.add(path, `must be a list of at most ${pageLimits.fields} fields, not ${kindName(value)}`);
    return [];
  }
  if (depth > pageLimits.fieldDepth) {
    problems.add(path, `must have at most ${pageLimits.fieldDepth} levels of fields`);
    return [];
  }
  const fields = value.flatMap(
    (one: unknown, at) => readField({ value: one, path: `${path}[${at}]`, problems }, depth) ?? [],
  );
  checkLevel(fields, { path, problems });
  return Object.freeze(fields);
}

function readField({ value, path, problems }: Member, depth: number): FieldDefinition | null {
  const given = readKnown(value, { path, problems, known: words });
  if (!given) return null;
  const word = (name: string): Member => ({ value: memberOf(given, name), path: `${path}.${name}`, problems });
  const name = readRequiredText(word('name'), { pattern: namePattern, says: 'letters, digits and underscores' });
  const type = readFieldType(word('type'));
  if (name !== undefined && reservedNames.includes(name)) problems.add(`${path}.name`, `${name} is reserved`);
  const label = readOptionalText(word('label')) ?? name ?? '';
  const required = readFlag(word('required'), { whenMissing: false });
  const active = readFlag(word('active'), { whenMissing: true });
  const responsive = readFlag(word('responsive'), { whenMissing: false });
  const description = readOptionalText(word('description')) ?? '';
  const options = readOptions(word('options'));
  const showWhen = readShowWhen(word('showWhen'));
  const nested = memberOf(given, 'fields') === undefined ? 'columns' : 'fields';
  const fields = readLevel(word(nested), depth + 1);
  if (name === undefined || type === undefined) return null;
  checkNesting({ type, fields }, { path, problems });
  if (responsive && !responsiveTypes.includes(type)) {
    problems.add(`${path}.responsive`, `is only for fields of the types ${responsiveTypes.join(', ')}`);
  }
  const base = { name, type, label, required, active, responsive, description, options, fields };
  const field = { ...base, form: readForm(given), ...(showWhen ? { showWhen } : {}) };
  const normal = readDefault(word('default'), field);
  return Object.freeze(normal === undefined ? field : { ...field, default: normal });
}

function readFieldType({ value, path, problems }: Member): FieldType | undefined {
  if (value === undefined) return 'text';
  const type = typeof value === 'string' ? fieldTypeOf(value) : undefined;
  if (type === undefined) problems.add(path, `must be one of: ${fieldTypes.join(', ')}`);
  return type;
}

function readDefault({ value, path, problems }: Member, field: FieldDefinition): unknown {
  const kind = valueKindOf(field.type);
  if (value === undefined || value === null || kind === 'group' || kind === 'nothing') return undefined;
  return readFieldValue({ value, path, field, problems });
}

function readOptions({ value, path, problems }: Member): readonly FieldOption[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > pageLimits.items) {
    problems.add(path, `must be a list of at most ${pageLimits.items} options, not ${kindName(value)}`);
    return [];
  }
  const options = value.flatMap((one: unknown, at): FieldOption[] => {
    const where = `${path}[${at}]`;
    if (typeof one === 'string') return [Object.freeze({ value: one, label: one })];
    const given = readKnown(one, { path: where, problems, known: ['value', 'label'] });
    if (!given) return [];
    const [option, label] = ['value', 'label'].map((name) => optionText(memberOf(given, name)));
    if (option === undefined) problems.add(`${where}.value`, 'must be a text or a number');
    return option === undefined ? [] : [Object.freeze({ value: option, label: label ?? option })];
  });
  if (new Set(options.map((option) => option.value)).size < options.length) problems.add(path, 'names a value twice');
  return Object.freeze(options);
}

function optionText(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.length <= pageLimits.textCharacters ? value : undefined;
}

function readShowWhen({ value, path, problems }: Member): ShowWhen | undefined {
  if (value === undefined || value === null) return undefined;
  const given = readKnown(value, { path, problems, known: ['field', 'value'] });
  if (!given) return undefined;
  const field = readRequiredText({ value: memberOf(given, 'field'), path: `${path}.field`, problems });
  const wanted = memberOf(given, 'value');
  const values: unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  const plain = values.filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean');
  if (plain.length < values.length || plain.length === 0) {
    problems.add(`${path}.value`, 'must be a text, a number, true or false, or a list of them');
  }
  return field === undefined ? undefined : Object.freeze({ field, values: Object.freeze(plain) });
}

/** The words for forms, each a plain value of bounded size: they go into the catalogue as they are. */
function readForm(given: JsonObject): Readonly<Record<string, unknown>> {
  const kept = formWords.filter((word) => memberOf(given, word) !== undefined);
  return Object.freeze(objectOf(kept.map((word) => [word, memberOf(given, word)])));
}

function checkNesting(
  { type, fields }: { readonly type: FieldType; readonly fields: readonly FieldDefinition[] },
  { path, problems }: Omit<Member, 'value'>,
): void {
  const kind = valueKindOf(type);
  const nests = kind === 'rows' || kind === 'group';
  if (nests && fields.length === 0)
    problems.add(`${path}.fields`, `is missing: a field of the type ${type} has fields`);
  if (!nests && fields.length > 0) problems.add(`${path}.fields`, `is not for fields of the type ${type}`);
}

/** Names once per level, and conditions that name a field of it. */
function checkLevel(fields: readonly FieldDefinition[], { path, problems }: Omit<Member, 'value'>): void {
  const names = storedFields(fields).map(({ name }) => name);
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) < at) problems.add(path, `the field ${name} is defined twice`);
  }
  for (const [at, { showWhen }] of fields.entries()) {
    if (showWhen && !names.includes(showWhen.field)) {
      problems.add(`${path}[${at}].showWhen.field`, `must be a field beside it: ${names.join(', ')}`);
    }
  }
}

function countFields(fields: readonly FieldDefinition[]): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields), 0);
}

function readFlag({ value, path, problems }: Member, { whenMissing }: { readonly whenMissing: boolean }): boolean {
  if (value === undefined || value === null) return whenMissing;
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  problems.add(path, `must be true or false, not ${kindName(value)}`);
  return whenMissing;
}

function readOptionalText(member: Member): string | undefined {
  return member.value === undefined || member.value === null ? undefined : readText(member, pageLimits.textCharacters);
}
