/** The parts of a page: document, values, sections, html, and the text that people read. */
import { describe, expect, test } from 'vitest';
import {
  documentPart,
  htmlPart,
  keepSectionTypes,
  sectionsPart,
  sectionText,
  valuesPart,
  visibleSections,
} from '../../../src/pages/rules/page-parts.js';
import { renderSections } from '../../../src/pages/rules/render.js';
import { basicTypes, idOf, makeDocument, makeType, typesWith } from './section-types.js';

const document = makeDocument([
  { type: 'hero', data: { title: 'One <b>', description: 'two', button_label: 'three', button_url: '/x' } },
  { type: 'richtext', data: { content: '<p>four</p><p>five</p>' }, settings: { contexts: ['shop'] } },
  { type: 'faq', enabled: false, data: { title: 'hidden' } },
  { type: 'stats', data: { items: [{ value: '6', label: 'six' }] } },
]);
const visit = { context: 'web', query: new Map<string, string>(), isLoggedIn: false };
const visible = visibleSections(document, visit);
const ids = (sections: readonly { readonly id: string }[]) => sections.map(({ id }) => id);

test('gives the document without its trash, with hidden sections', () => {
  const trashed = { ...document, trash: document.sections };
  expect(documentPart(trashed)).toEqual({ schemaVersion: 1, sections: document.sections });
});

test('selects the sections that the request sees', () => {
  expect(ids(visible)).toEqual([idOf(1), idOf(4)]);
  expect(ids(visibleSections(document, { ...visit, context: 'shop' }))).toEqual([idOf(1), idOf(2), idOf(4)]);
});

test('gives the data of visible sections and their text, a line for each', () => {
  expect(valuesPart(visible, basicTypes)).toEqual({
    plainText: 'One <b> two three\n6 six',
    sections: visible.map(({ id, type, enabled, data }) => ({ id, type, enabled, data })),
  });
});

test('gives sections with their settings and HTML', () => {
  const rendered = [
    { html: '<p>a</p>', renderFailed: false, failure: null },
    { html: '', renderFailed: true, failure: 'x' },
  ];
  expect(sectionsPart(visible, rendered)).toEqual(
    visible.map(({ id, type, enabled, data, settings }, at) => ({
      ...{ id, type, enabled, data, settings },
      ...[
        { html: '<p>a</p>', renderFailed: false },
        { html: '', renderFailed: true },
      ][at],
    })),
  );
});

test('joins the HTML of the sections that could be rendered, in order', () => {
  const rendered = renderSections(visible, basicTypes);
  expect(htmlPart([...rendered, { html: '', renderFailed: true, failure: 'x' }])).toBe(
    rendered.map(({ html }) => html).join('\n'),
  );
});

test('keeps only sections of the given types', () => {
  expect(ids(keepSectionTypes(document, new Set(['stats', 'hero', 'none'])).sections)).toEqual([idOf(1), idOf(4)]);
  expect(keepSectionTypes(document, new Set()).sections).toEqual([]);
  expect(keepSectionTypes(document, null)).toBe(document);
});

describe('the text of a section', () => {
  const type = makeType({
    fields: [
      { name: 'a', responsive: true },
      { name: 'secret', type: 'hidden' },
      { name: 'b', type: 'button' },
      { name: 'blocks', type: 'editorjs' },
      {
        name: 'rows',
        type: 'repeater',
        fields: [
          { name: 'h', type: 'richtext' },
          { name: 'u', type: 'url' },
        ],
      },
      { name: 'n', type: 'number' },
    ],
  });
  const types = typesWith(type);

  test('has the readable texts in the order of the fields', () => {
    const data = {
      n: 1,
      rows: [{ h: '<p>x</p>\n<ul><li>y</li></ul>', u: '/u' }],
      blocks: { json: {}, html: '<p>block</p>' },
      b: { label: 'press', url: '/b' },
      secret: 'token',
      a: { desktop: 'first', mobile: 'm' },
    };
    const [section] = makeDocument([{ type: 'probe', data }], types).sections;
    expect(section && sectionText(section, types)).toBe('first press block x y');
  });

  test('leaves out fields that are inactive or not shown, in groups and rows too', () => {
    const fields = [
      { name: 'kind', type: 'select' },
      { name: 'off', active: false },
      { name: 'set', type: 'fieldset', active: false, fields: [{ name: 'inside' }] },
      { name: 'only', showWhen: { field: 'kind', value: 'long' } },
      { name: 'rows', type: 'repeater', fields: [{ name: 'kept' }, { name: 'dropped', active: false }] },
    ];
    const changing = typesWith(makeType({ fields }));
    const data = { off: '1', inside: '2', only: '3', rows: [{ kept: '4', dropped: '5' }] };
    const textWith = (kind: string) => {
      const [section] = makeDocument([{ type: 'probe', data: { kind, ...data } }], changing).sections;
      return section && sectionText(section, changing);
    };
    expect([textWith('short'), textWith('long')]).toEqual(['4', '3 4']);
  });

  test('is empty for an unknown type', () => {
    const [section] = makeDocument([{ type: 'probe', data: { a: 'x' } }], types).sections;
    expect(section && sectionText(section, basicTypes)).toBe('');
  });
});
