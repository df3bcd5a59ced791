/** Rendering of sections: the shipped types as golden HTML, failures that stay alone, and data that try to be markup. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PageSection } from '../../../src/pages/rules/page-document.js';
import { renderSections } from '../../../src/pages/rules/render.js';
import { expectGolden } from '../../support/golden.js';
import {
  basicSections,
  basicTypes,
  makeDocument,
  makeSection,
  makeType,
  renderSection,
  typesWith,
} from './section-types.js';
import { findActiveContent, readStrictHtml } from './strict-html.js';

describe('the shipped type', () => {
  test.each(basicSections.map(({ definition, sample }) => [String(definition['key']), sample] as const))(
    '%s renders its sample as the golden file has it',
    (key, data) => {
      const [section] = makeDocument([{ type: key, data }]).sections;
      const { html, failure } = renderSection(section ?? makeSection());
      expect(failure).toBeNull();
      expect(findActiveContent(html)).toEqual([]);
      expectGolden(`pages/rules/golden/${key}.html`, `${html}\n`);
    },
  );

  test.each(basicSections.map(({ definition }) => String(definition['key'])))(
    '%s renders without any data, and shows nothing empty',
    (key) => {
      const { html, failure } = renderSection(makeSection({ type: key }));
      expect(failure).toBeNull();
      const shown = readStrictHtml(html).map(({ name }) => name);
      expect(
        shown.filter((name) => ['h2', 'h3', 'img', 'a', 'iframe', 'video', 'figure', 'address'].includes(name)),
      ).toEqual([]);
    },
  );

  test('video shows the player of a video site in a titled frame', () => {
    const [section] = makeDocument([{ type: 'video', data: { video: 'https://vimeo.com/76979871' } }]).sections;
    const { html } = renderSection(section ?? makeSection());
    const frame = readStrictHtml(html).find(({ name }) => name === 'iframe');
    expect([frame?.attributes.get('src'), frame?.attributes.get('title')]).toEqual([
      'https://player.vimeo.com/video/76979871',
      'Video',
    ]);
  });

  test('hero shows no button without both of its parts', () => {
    const html = (data: Record<string, unknown>) => renderSection(makeSection({ type: 'hero', data })).html;
    expect(html({ title: 'a', button_label: 'b' })).not.toContain('<a ');
    expect(html({ title: 'a', button_url: '/b' })).not.toContain('<a ');
    expect(html({ title: 'a', button_url: '/b', button_label: 'b' })).toContain('<a class="button" href="/b">b</a>');
  });

  test('a class of the editor joins those of the section', () => {
    const { html } = renderSection(makeSection({ type: 'richtext', data: { content: 'a', cssClass: 'wide dark' } }));
    expect(html).toContain('class="section section--richtext wide dark"');
  });
});

describe('a section that fails to render', () => {
  const broken = makeType({
    key: 'broken',
    template: '{% for i in data.l %}{% for j in data.l %}{{ j }}{% endfor %}{% endfor %}',
    fields: [{ name: 'l', type: 'tag' }],
  });
  const types = typesWith(broken);
  const good = makeSection({ type: 'spacer' });

  test('reports an unknown type and is empty', () => {
    expect(renderSection(makeSection({ type: 'gone' }))).toEqual({
      html: '',
      renderFailed: true,
      failure: 'there is no section type gone',
    });
  });

  test.each(['constructor', '__proto__', 'toString'])('of the type %s is of an unknown one', (type) => {
    expect(renderSection(makeSection({ type })).renderFailed).toBe(true);
  });

  test('does not affect the others when it exceeds its budget', () => {
    const heavy = makeSection({ type: 'broken', data: { l: Array.from({ length: 500 }, () => 'x') } });
    const rendered = renderSections([good, heavy, good], types);
    expect(rendered.map(({ renderFailed }) => renderFailed)).toEqual([false, true, false]);
    expect(rendered[1]?.html).toBe('');
    expect(rendered[1]?.failure).toContain('the section takes more than 50000 of steps');
  });

  test('includes a malformed template', () => {
    const type = { ...broken, template: '{% if %}' };
    expect(renderSection(makeSection({ type: 'broken' }), typesWith(type)).renderFailed).toBe(true);
  });

  test('follows when the budget of the page is spent', () => {
    const writer = makeType({ key: 'broken', template: 'x'.repeat(49_000) });
    const rendered = renderSections(
      Array.from({ length: 1000 }, () => makeSection({ type: 'broken' })),
      typesWith(writer),
    );
    const failed = rendered.filter(({ renderFailed }) => renderFailed);
    expect(rendered.length - failed.length).toBe(Math.floor(8_000_000 / 49_000));
    expect(failed[0]?.failure).toContain('the page takes more than 8000000 of output');
  });
});

test('renders ten thousand sections separately', () => {
  const sections = Array.from({ length: 10_000 }, () => makeSection({ type: 'spacer', data: { size: 'sm' } }));
  expect(renderSections(sections, basicTypes).every(({ renderFailed }) => !renderFailed)).toBe(true);
});

describe('responsive values', () => {
  const type = makeType({
    fields: [
      { name: 'a', responsive: true },
      { name: 'rows', type: 'repeater', fields: [{ name: 'b', type: 'number', responsive: true }] },
    ],
    template: '{{ data.a }}|{% for row in data.rows %}{{ row.b }}{% endfor %}',
  });
  const types = typesWith(type);
  const [section] = makeDocument(
    [{ type: 'probe', data: { a: { desktop: 'd', mobile: 'm' }, rows: [{ b: { tablet: 2 } }, { b: 3 }] } }],
    types,
  ).sections;

  test('show the value for the largest screen size that has one', () => {
    expect(renderSection(section ?? makeSection(), types).html).toBe('d|23');
  });
});

/** Texts that would be markup, an address or a template if they could. */
const hostileText = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    'javascript:alert(1)',
    ' \u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example/x',
    '{{ data.title }}{% for i in (1..9) %}',
    '</section></div>',
    '<!--',
    ']]>',
    '&quot;&lt;',
    '\u2028\u202e',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** The sample with every text in it replaced, however deep it lies. */
function withTexts(value: unknown, next: () => string): unknown {
  if (typeof value === 'string') return next();
  if (Array.isArray(value)) return value.map((one) => withTexts(one, next));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withTexts(one, next)]));
}

test('keeps any text of a section text', () => {
  const texts = fc.infiniteStream(hostileText);
  fc.assert(
    fc.property(fc.constantFrom(...basicSections), texts, ({ definition, sample }, stream) => {
      const data = withTexts(sample, () => stream.next().value) as PageSection['data'];
      // As if no reader had ever looked at the data.
      const { html, failure } = renderSection(makeSection({ type: String(definition['key']), data }));
      expect(failure).toBeNull();
      expect(findActiveContent(html)).toEqual([]);
      const own = renderSection(makeSection({ type: String(definition['key']), data: sample })).html;
      const sections = (text: string) =>
        readStrictHtml(text).filter(({ name }) => name === 'section' || name === 'main');
      expect(sections(html).length).toBe(sections(own).length);
    }),
    { numRuns: 600 },
  );
});

test('renders data of any shape without failing the page and without markup', () => {
  fc.assert(
    fc.property(fc.constantFrom(...basicTypes.keys()), fc.jsonValue(), fc.jsonValue(), (type, one, other) => {
      const fields = basicTypes.get(type)?.fields ?? [];
      const data = Object.fromEntries(fields.map(({ name }, at) => [name, at % 2 === 0 ? one : other]));
      const { html } = renderSection(makeSection({ type, data }));
      expect(findActiveContent(html)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
