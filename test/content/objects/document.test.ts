/** The page for operators shows sound definitions and names every word, reserved name and refused table. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { titleFields } from '../../../src/content/objects/assemble-objects.js';
import { fieldLists, flags } from '../../../src/content/objects/definition.js';
import { parseObjectFile } from '../../../src/content/objects/object-registry.js';
import { fieldTypes, objectName } from '../../../src/content/objects/object-spec.js';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/objects.md'), 'utf8');

test('the example is sound and uses every word', () => {
  const [example = ''] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  expect(parseObjectFile(example, 'objects/products.json').problems).toEqual([]);
  const words = ['name', 'table', 'primaryKey', 'fields', ...fieldLists, 'relations', ...flags, 'contexts'];
  expect(Object.keys(JSON.parse(example))).toEqual(words);
});

test.each([
  [
    'words of a definition',
    ['name', 'table', 'primaryKey', 'fields', ...fieldLists, 'relations', ...flags, 'contexts'],
  ],
  ['words of a relation', ['name', 'target', 'type', 'foreignKey', 'localKey', 'fields']],
  ['types', fieldTypes],
  ['fields that a relation shows by default', titleFields],
])('all %s are explained', (_name, words) => {
  expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
});

test('the reserved names are those of the page', () => {
  const named = [...(/none of (.*?)\. \|/.exec(page)?.[1] ?? '').matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '');
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => objectName.reserved?.(name) !== `${name} is a reserved word`)).toEqual([]);
});
