/** The types of template variables with choices and of MIGX, as a list of cases. */
import { expect, test } from 'vitest';
import { tvSchema } from '../../../src/content/rules/tv-types.js';
import { tvValueType } from '../../../src/operations/site-types/read-site.js';

const php = (name: string, text: string) => `a:1:{s:${name.length}:"${name}";s:${Buffer.byteLength(text)}:"${text}";}`;
const typeOf = (type: string, elements: string | null = null, inputProperties: string | null = null) =>
  tvValueType({ type, elements, inputProperties, value: tvSchema({ type, elements }) });

test.each([
  ['one choice', 'listbox', 'Red==red||Dark blue==blue', '"red" | "blue" | null'],
  ['choices without labels', 'radio', 'small||large||small', '"small" | "large" | null'],
  ['several choices', 'checkbox', 'A==a||B==b', '("a" | "b")[] | null'],
  ['an empty choice', 'option', 'None==||Left==left', '"left" | null'],
  ['yes and no', 'option', 'Yes==1||No==0', 'boolean | null'],
  ['a quote in a choice', 'listbox', '5"||6"', String.raw`"5\"" | "6\"" | null`],
  ['choices that the CMS computes', 'listbox', '@SELECT name, id FROM x', 'string | null'],
  ['no choices', 'listbox-multiple', '', 'string[] | null'],
  ['a text with what looks like choices', 'text', 'a||b', 'string | null'],
  ['tags, which are free', 'autotag', 'a||b', 'string[] | null'],
])('types %s', (_name, type, elements, expected) => {
  expect(typeOf(type, elements)).toBe(expected);
});

const fields = [
  { field: 'image', caption: 'Image', inputTVtype: 'image' },
  { field: 'size', inputTVtype: 'listbox', inputOptionValues: 'S==s||L==l' },
  { field: 'count', inputTVtype: 'number' },
  { field: 'flags', inputTVtype: 'checkbox', inputOptionValues: 'a||b' },
  { field: 'inner-rows', caption: 'Ends */ here', inputTVtype: 'migx' },
  { field: 'größe' },
];
const rows = `{
      MIGX_id?: string | number;
      /** Image */
      image?: string;
      size?: "" | "s" | "l";
      count?: string | number;
      flags?: string | string[];
      /** Ends *\\/ here */
      "inner-rows"?: JsonValue;
      "größe"?: string;
    }[] | null`;

test.each([
  ['tabs with lists', JSON.stringify([{ caption: 'Tab', fields: fields.slice(0, 3) }, { fields: fields.slice(3) }])],
  ['fields as JSON in JSON', JSON.stringify([{ caption: 'Tab', fields: JSON.stringify(fields) }])],
])('types rows of MIGX by their form: %s', (_name, formtabs) => {
  expect(typeOf('migx', null, php('formtabs', formtabs))).toBe(rows);
});

test.each([
  ['no properties', null],
  ['no form', php('configs', 'gallery')],
  ['an empty form', php('formtabs', '')],
  ['a form that is no JSON', php('formtabs', '[{')],
  ['properties that are no PHP array', 'x'],
])('leaves rows of MIGX with %s as any JSON', (_name, inputProperties) => {
  expect(typeOf('migx', null, inputProperties)).toBe('JsonValue');
});
