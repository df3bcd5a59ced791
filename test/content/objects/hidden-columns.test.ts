/** Columns of the CMS that no interface shows, because extras keep anything in them. */
import { expect, it } from 'vitest';
import { coreObjects } from '../../../src/content/objects/core-objects.js';

it('shows no properties of elements and template variables', () => {
  const others = coreObjects.filter(({ name }) => name !== 'resources');
  const shown = others.flatMap(({ name, fields }) =>
    Object.values(fields).map(({ column }): string => `${name}.${column}`),
  );
  expect(shown).toContain('tvs.elements');
  expect(shown.filter((column) => column.endsWith('properties'))).toEqual([]);
});
