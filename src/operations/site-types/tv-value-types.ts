/** The types of template variables: choices as unions, rows of MIGX by the fields of their form. */
import { parsePhpArray } from '../../content/rules/php-value.js';
import { choiceValues, hasChoices } from '../../content/rules/tv-types.js';
import { isJsonObject, type JsonObject, parseJson } from '../../values/json.js';
import { block, type Member, union } from './type-text.js';
import { anyJson, schemaType } from './value-types.js';

interface TvSource {
  readonly type: string;
  readonly elements: string | null;
  /** A PHP array, as the CMS stores it. */
  readonly inputProperties: string | null;
  readonly value: Readonly<Record<string, unknown>>;
}

export function tvValueType({ type, elements, inputProperties, value }: TvSource): string {
  const plain = schemaType(value);
  if (type === 'migx') return rowsType(inputProperties) ?? plain;
  const choice = choiceType(type, elements);
  // Choices 1 and 0 are read as true and false.
  return choice === null || plain.startsWith('boolean') ? plain : `${choice} | null`;
}

/** Null where the values are free, or are not known before the CMS computes them. */
function choiceType(type: string, elements: string | null): string | null {
  const values = hasChoices(type) === null ? [] : [...new Set(choiceValues(elements ?? ''))];
  if (values.length === 0) return null;
  return hasChoices(type) === 'several' ? `(${union(values)})[]` : union(values);
}

/** Undefined without a form in the variable itself: a named configuration is in tables of MIGX. */
function rowsType(inputProperties: string | null): string | undefined {
  const tabs = listIn(parsePhpArray(inputProperties)?.get('formtabs'));
  const fields = tabs.flatMap((tab) => listIn(tab['fields'])).filter(({ field }) => typeof field === 'string');
  if (fields.length === 0) return undefined;
  const members = new Map<string, Member>([
    ['MIGX_id', { name: 'MIGX_id', type: 'string | number', isOptional: true }],
    ...fields.map((row) => [String(row['field']), memberOf(row)] as const),
  ]);
  return `${block([...members.values()], '    ')}[] | null`;
}

/** Rows from before the field was added lack it. */
function memberOf({ field, caption, inputTVtype, inputOptionValues }: JsonObject): Member {
  const about = typeof caption === 'string' && caption !== '' ? { about: caption } : {};
  return {
    name: String(field),
    type: cellType(String(inputTVtype ?? ''), inputOptionValues),
    isOptional: true,
    ...about,
  };
}

/** MIGX stores texts; several values as one text or a list, rows in rows as text or JSON. */
function cellType(type: string, options: unknown): string {
  if (type === 'migx') return anyJson;
  if (type === 'number') return 'string | number';
  if (hasChoices(type) === 'several') return 'string | string[]';
  const choice = choiceType(type, typeof options === 'string' ? options : null);
  return choice === null ? 'string' : union(['']).concat(' | ', choice);
}

/** Lists may be JSON in a text. */
function listIn(value: unknown): readonly JsonObject[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
