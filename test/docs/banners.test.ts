/** docs/banners.md says of every field what the table of fields says. */
import { expect, test } from 'vitest';
import { bannerField, bannerFieldNames } from '../../src/banners/rules/banner-fields.js';
import { readTable } from './markdown.js';

test('every field stands there with its default and what it accepts', () => {
  const plain = (cell: string): string => cell.replaceAll('`', '');
  const rows = readTable('docs/banners.md', 'Field');
  expect(rows.map((row) => row.map(plain))).toEqual(
    bannerFieldNames.map((name) => {
      const { type, default: standard } = bannerField(name);
      return [name, standard === undefined ? 'required' : JSON.stringify(standard), type.accepts];
    }),
  );
});
