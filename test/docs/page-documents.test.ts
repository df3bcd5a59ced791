/** docs/pages-documents.md says what the tables of the program say, and its examples are what they claim to be. */
import { describe, expect, test } from 'vitest';
import { fieldTypeOf, fieldTypes, valueKindOf } from '../../src/pages/rules/field-types.js';
import { readFieldValue } from '../../src/pages/rules/field-value.js';
import { PageProblems } from '../../src/pages/rules/page-problem.js';
import { readPageDocument, readStoredDocument } from '../../src/pages/rules/read-page-document.js';
import { readSectionType } from '../../src/pages/rules/read-section-type.js';
import { readSectionSettings } from '../../src/pages/rules/section-settings.js';
import { compileTemplate, templateTags } from '../../src/pages/rules/template-engine.js';
import { templateFilters } from '../../src/pages/rules/template-filters.js';
import {
  makeSection,
  makeType,
  renderSection,
  requireReading,
  rulesWith,
  typesWith,
} from '../pages/rules/section-types.js';
import { readDocument, readTable } from './markdown.js';
import { code, fieldTypeRows, limitRows, sectionTypeRows, storedValues } from './page-documents.js';

const path = 'docs/pages-documents.md';

/** Code blocks of a language, in their order. */
function blocks(language: string): string[] {
  return [...readDocument(path).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );
}

const [definition, document, settings] = blocks('json').map((text): unknown => JSON.parse(text));

describe('the table', () => {
  test.each([
    ['Field type', fieldTypeRows],
    ['Section type', sectionTypeRows],
    ['What', limitRows],
  ])('of %s is that of the program', (head, rows) => {
    expect(readTable(path, head)).toEqual(rows());
  });

  test.each([
    ['Tag', templateTags],
    ['Filter', Object.keys(templateFilters).sort()],
  ])('of %s names each, and says something of it', (head, names) => {
    const rows = readTable(path, head);
    expect(rows.map(([name]) => name).sort()).toEqual([...names].map(code).sort());
    expect(rows.filter(([, says = '']) => says.length < 5)).toEqual([]);
  });

  test.each(fieldTypes)('has an example of %s in its normal form', (type) => {
    const { example } = storedValues[valueKindOf(type)];
    if (example === undefined) return;
    const kind = valueKindOf(type);
    const nested = kind === 'rows' ? { fields: [{ name: 'name' }] } : {};
    const [field] = makeType({ fields: [{ name: 'a', type, ...nested }] }).fields;
    if (!field) throw new Error('the type has no field');
    const problems = new PageProblems();
    expect(readFieldValue({ value: example, path: 'a', field, problems })).toEqual(example);
    expect(problems.list()).toEqual([]);
  });

  test('of conditions has those that sections may have', () => {
    const conditions = readTable(path, 'Condition').map(([cell = '']): unknown => JSON.parse(cell.replaceAll('`', '')));
    const problems = new PageProblems();
    expect(readSectionSettings({ value: { conditions }, path: 'settings', problems })).toEqual({ conditions });
    expect(problems.list()).toEqual([]);
  });
});

test('the other names of field types are read as the document says', () => {
  const [line = ''] = readDocument(path)
    .split('\n\n')
    .filter((text) => text.startsWith('These names are read'));
  const pairs = line.split(',').flatMap((part) => {
    const names = [...part.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    return names.slice(0, -1).map((name) => [name, names.at(-1)] as const);
  });
  expect(pairs).toHaveLength(7);
  expect(pairs.filter(([alias, type]) => fieldTypeOf(alias) !== type)).toEqual([]);
});

describe('the example', () => {
  test('of a document is one in its normal form', () => {
    expect(requireReading(readPageDocument(document, rulesWith()))).toEqual(document);
    expect(requireReading(readStoredDocument(document))).toEqual(document);
  });

  test('of settings is in its normal form', () => {
    const problems = new PageProblems();
    expect(readSectionSettings({ value: settings, path: 'settings', problems })).toEqual(settings);
    expect(problems.list()).toEqual([]);
  });

  test('of a section type can be imported and renders as shown', () => {
    const type = requireReading(readSectionType(definition));
    const { html, failure } = renderSection(
      makeSection({
        id: '3f0c9a5b7d2e4c6f8a1b3d5e7f901234',
        type: 'notice',
        data: { text: 'Closed on Monday', tone: 'warning' },
      }),
      typesWith(type),
    );
    expect(failure).toBeNull();
    expect(`${html}\n`).toBe(blocks('html')[0]);
  });
});

test('the bounds of templates are those of the last sentence', () => {
  const isRefused = (template: string): boolean => {
    try {
      compileTemplate(template);
      return false;
    } catch {
      return true;
    }
  };
  const inOneAnother = (tag: string, count: number): string =>
    `${`{% ${tag} %}`.repeat(count)}${`{% end${tag.split(' ')[0]} %}`.repeat(count)}`;
  const bounds: readonly [string, (count: number) => string, number][] = [
    ['tags and outputs', (count) => '{{ a }}'.repeat(count), 1000],
    ['characters', (count) => `{{ ${'a'.repeat(count - 6)} }}`, 1000],
    ['blocks', (count) => inOneAnother('if a', count), 20],
    ['loops', (count) => inOneAnother('for i in l', count), 4],
  ];
  expect(bounds.map(([name, make, most]) => [name, isRefused(make(most)), isRefused(make(most + 1))])).toEqual(
    bounds.map(([name]) => [name, false, true]),
  );
  expect(readDocument(path).replace(/\s+/g, ' ')).toContain(
    '1,000 tags and outputs of 1,000 characters each, 20 blocks inside one another, and 4 loops inside one another',
  );
});
