/** Reads the value of one field by its kind into its normal form. */

import { isJsonObject, objectOf } from '../../values/json.js';
import {
  isAbsent,
  listOf,
  memberReading,
  type Reading,
  readBoolean,
  readKnown,
  readNumber,
  readText,
  refuse,
  textOf,
} from '../../values/reading.js';
import {
  readDataSource,
  readEditorJs,
  readKeyValues,
  readLongText,
  readLooseRows,
  readReference,
  readReferences,
  readSchedule,
  readTableView,
} from './data-values.js';
import { type ValueKind, valueKindOf } from './field-types.js';
import { readButton, readMap, readMedia, readMediaList, readVideo } from './media-values.js';
import { type FieldDefinition, storedFields } from './section-type.js';
import {
  patternReader,
  readChoice,
  readChoices,
  readDateRange,
  readHtml,
  readUrl,
  type ValueReading,
} from './text-values.js';

/** Screen sizes of responsive values, the largest first. */
export const breakpoints = ['desktop', 'tablet', 'mobile'] as const;

/** `data` of a section: its fields, and a class for its outermost element. */
export function readSectionData(
  reading: Reading,
  fields: readonly FieldDefinition[],
): Readonly<Record<string, unknown>> {
  return readFieldValues(reading, { fields, extra: 'cssClass' }) ?? {};
}

const readExtra = textOf({
  pattern: /^[\w\- ]{0,200}$/,
  says: 'a text of letters, digits, spaces, hyphens and underscores, at most 200 of them',
});

function readFieldValues(
  reading: Reading,
  { fields, extra }: { readonly fields: readonly FieldDefinition[]; readonly extra: string },
): Readonly<Record<string, unknown>> | undefined {
  const stored = storedFields(fields);
  const names = stored.map(({ name }) => name);
  const given = readKnown(reading, [...names, extra], 'a field');
  if (!given) return undefined;
  const readers: (readonly [name: string, read: (member: Reading) => unknown])[] = stored.map((field) => [
    field.name,
    (member) => readFieldValue({ ...member, field }),
  ]);
  if (!names.includes(extra)) readers.push([extra, readExtra]);
  const values: [string, unknown][] = [];
  for (const [name, read] of readers) {
    const member = memberReading(reading, given, name);
    if (isAbsent(member.value) || reading.problems.isFull) continue;
    const value = read(member);
    if (value !== undefined) values.push([name, value]);
  }
  return Object.freeze(objectOf(values));
}

/** The value is neither null nor missing. */
export function readFieldValue(reading: ValueReading): unknown {
  const { value, field } = reading;
  const read = readers[valueKindOf(field.type)];
  if (!field.responsive || !isJsonObject(value)) return read(reading);
  const given = readKnown(reading, breakpoints, 'a screen size');
  const sizes = breakpoints.flatMap((name): [string, unknown][] => {
    const member = memberReading(reading, given ?? {}, name);
    const size = isAbsent(member.value) ? undefined : read({ ...member, field });
    return size === undefined ? [] : [[name, size]];
  });
  return Object.freeze(objectOf(sizes));
}

const readers: Readonly<Record<ValueKind, (reading: ValueReading) => unknown>> = {
  text: (reading) => readText(reading),
  longText: readLongText,
  html: readHtml,
  number: readNumber,
  boolean: readBoolean,
  url: readUrl,
  slug: patternReader('slug'),
  email: patternReader('email'),
  choice: readChoice,
  choices: readChoices,
  date: patternReader('date'),
  time: patternReader('time'),
  datetime: patternReader('datetime'),
  dateRange: readDateRange,
  media: readMedia,
  mediaList: readMediaList,
  video: readVideo,
  map: readMap,
  button: readButton,
  rows: readRows,
  looseRows: readLooseRows,
  editorjs: readEditorJs,
  reference: readReference,
  references: readReferences,
  keyValues: readKeyValues,
  tableView: readTableView,
  dataSource: readDataSource,
  schedule: readSchedule,
  group: refuseValue,
  nothing: refuseValue,
};

/** Rows keep their `_rowId`, by which editors recognise them. */
function readRows({ field, ...reading }: ValueReading): unknown {
  const readRow = (row: Reading) => readFieldValues(row, { fields: field.fields, extra: '_rowId' });
  return listOf({ of: 'rows' }, readRow)(reading);
}

function refuseValue(reading: Reading): unknown {
  return refuse(reading, 'stores no value');
}
