/** The template language: what it offers, and that nothing written in it can reach out, run on or grow. */
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { compileTemplate, renderTemplate } from '../../../src/pages/rules/template-engine.js';
import { RenderMeter, sectionBudget, templateFilters } from '../../../src/pages/rules/template-filters.js';
import { processorSeconds } from '../../support/processor-time.js';
import { findActiveContent } from './strict-html.js';

const render = (template: string, values: Readonly<Record<string, unknown>> = {}): string =>
  renderTemplate(compileTemplate(template), { values });

/** The refusal of the work, or what it gave instead. */
function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('the language', () => {
  test.each([
    ['outputs', '{{ data.title }}', { data: { title: 'a' } }, 'a'],
    ['escapes by default', '{{ x }}', { x: `<b title="'">&` }, '&lt;b title=&quot;&#39;&quot;&gt;&amp;'],
    ['nothing for what is not there', '[{{ a.b.c }}]', {}, '[]'],
    ['nothing for an object', '[{{ a }}]', { a: { b: 1 } }, '[]'],
    ['conditions', '{% if a == 1 and b contains "x" %}y{% elsif c %}z{% else %}n{% endif %}', { a: 1, b: ['x'] }, 'y'],
    ['unless', '{% unless a %}no{% endunless %}', {}, 'no'],
    ['cases', '{% case a %}{% when "x", "y" %}1{% else %}2{% endcase %}', { a: 'y' }, '1'],
    [
      'loops',
      '{% for i in l limit: 2 %}{{ forloop.index }}{{ i }}{% else %}-{% endfor %}',
      { l: ['a', 'b', 'c'] },
      '1a2b',
    ],
    ['loops over nothing', '{% for i in l %}{{ i }}{% else %}-{% endfor %}', {}, '-'],
    ['assignment', '{% assign a = "x" | upcase %}{{ a }}', {}, 'X'],
    ['comments', 'a{% comment %}{{ b }}{% endcomment %}c', {}, 'ac'],
    ['tags without white space', 'a {%- if true -%} b {%- endif %} c', {}, 'ab c'],
    ['default', '{{ "" | default: "b" }}', {}, 'b'],
    ['arithmetic', '{{ 7 | minus: 2 | times: 3 | divided_by: 2 | round: 1 }}', {}, '7.5'],
    ['division by nothing', '[{{ 1 | divided_by: 0 }}]', {}, '[]'],
    [
      'the ends of lists and texts',
      '{{ l | first }}{{ l | last }}{{ "xyz" | first }}{{ l | size }}',
      { l: [1, 2] },
      '12x2',
    ],
    ['joining', '{{ l | join: ", " }}', { l: ['a', '<'] }, 'a, &lt;'],
    [
      'lines',
      '{% for l in t %}.{% endfor %}{% assign m = t | lines %}{{ m | join: "|" }}',
      { t: 'a\r\n\n b ' },
      '.a|b',
    ],
    ['truncation', '{{ "öäüß😀x" | truncate: 5 }}', {}, 'öäüß…'],
    ['rich text, unescaped and cleaned', '{{ h | rich }}', { h: '<p onclick=x>a</p><script>b</script>' }, '<p>a</p>'],
    ['rich text in a chain is escaped', '{{ h | rich | upcase }}', { h: '<p>a</p>' }, '&lt;P&gt;A&lt;/P&gt;'],
    ['plain text of rich text', '{{ h | plain }}', { h: '<p>a</p><p>b</p>' }, 'a b'],
    ['links', '{{ a | url }}[{{ b | url }}]', { a: '/x?a&b', b: 'javascript:alert(1)' }, '/x?a&amp;b[]'],
    [
      'sources',
      '{{ a | src }}[{{ b | src }}]',
      { a: 'https://x.example/a', b: 'mailto:a@b.example' },
      'https://x.example/a[]',
    ],
    ['telephone addresses', '{{ "+49 (0)30 1-2" | tel }}', {}, 'tel:+493012'],
    ['capital letters', '{{ "éa b" | capitalize }}{{ "A" | downcase }}{{ " a " | strip }}', {}, 'Éa baa'],
    ['remainders and sums', '{{ 7 | modulo: 4 }}{{ "1.5" | plus: 1 }}', {}, '32.5'],
    [
      'pictures by their default crop',
      '{{ i | image }}',
      { i: { url: '/a', crops: { x: { url: '/x' }, default: { url: '/d' } } } },
      '/d',
    ],
    ['pictures by their first crop', '{{ i | image }}', { i: { url: '/a', crops: { w: {}, x: { url: '/x' } } } }, '/x'],
    ['pictures by themselves', '{{ i | image }}', { i: { url: '/a' } }, '/a'],
  ])('%s', (_name, template, values, expected) => {
    expect(render(template, values)).toBe(expected);
  });

  test('has exactly these filters', () => {
    expect(Object.keys(templateFilters).sort().join(' ')).toBe(
      'capitalize default divided_by downcase first image join last lines minus modulo plain plus rich round size src strip tel times truncate upcase url',
    );
  });
});

describe('refused templates', () => {
  test.each([
    ['include a file', '{% include "/etc/passwd" %}'],
    ['render a file', '{% render "../../package.json" %}'],
    ['use a layout', '{% layout "x" %}'],
    ['render a name from its data', '{% render data.title %}'],
    ['a block of a layout', '{% block a %}{% endblock %}'],
    ['capture what it writes', '{% capture a %}{{ a }}{{ a }}{% endcapture %}'],
    ['table rows', '{% tablerow i in l %}{% endtablerow %}'],
    ['count for itself', '{% increment a %}'],
    ['raw text', '{% raw %}{{ a }}{% endraw %}'],
    ['liquid in one tag', '{% liquid assign a = 1 %}'],
    ['an unescaped output', '{{ data.title | raw }}'],
    ['a date, which can pad without end', '{{ "now" | date: "%5000000d" }}'],
    ['appending', '{{ "a" | append: "b" }}'],
    ['a filter of the prototype', '{{ "a" | constructor }}'],
    ['a filter called __proto__', '{{ "a" | __proto__ }}'],
    ['a tag of the prototype', '{% constructor %}'],
    ['a range to loop over', '{% for i in (1..1000000000) %}{% endfor %}'],
    ['a range that never ends', '{% for i in (9007199254740992..9007199254740996) %}{% endfor %}'],
    ['a range to assign', '{% assign a = (1..3) %}'],
    ['a range to output', '{{ (1..3) | join }}'],
    ['a range in an argument', '{{ "a" | default: (1..3) }}'],
    ['a range in a condition', '{% if a contains (1..3) %}{% endif %}'],
    ['a range in an index', '{{ a[(1..3)] }}'],
    ['a range in a case', '{% case a %}{% when (1..3) %}{% endcase %}'],
    ['a range in a branch', '{% if a %}{% elsif b == (1..2) %}{% endif %}'],
    ['a range in a limit', '{% for i in l limit: (1..2) %}{% endfor %}'],
    ['an open block', '{% if a %}'],
    ['a stray end', '{% endif %}'],
    ['an open output', '{{ a '],
    ['more characters than a template has', 'x'.repeat(50_001)],
    ['more tags than a template has', '{{a}}'.repeat(1001)],
    ['a tag of great length', `{{ a${'.b'.repeat(600)} }}`],
    ['blocks deep inside one another', `${'{%if a%}'.repeat(21)}${'{%endif%}'.repeat(21)}`],
    ['five loops in one another', `${'{%for i in l%}'.repeat(5)}${'{%endfor%}'.repeat(5)}`],
    ['open blocks without number', '{%if a%}'.repeat(900)],
    ['brackets without number', `{{ ${'a['.repeat(400)} }}`],
  ])('%s', (_name, template) => {
    expect(refusalOf(() => compileTemplate(template))).toBeInstanceOf(AppError);
  });
});

describe('values that a template cannot reach', () => {
  test.each([
    ['the process', '{{ process.env.PATH }}{{ globalThis.process }}{{ this.process }}'],
    ['prototypes of data', '{{ data.constructor.name }}{{ data.__proto__.toString }}{{ data["constructor"] }}'],
    ['prototypes of the scope', '{{ constructor }}{{ __proto__ }}{{ toString }}{{ hasOwnProperty }}'],
    ['prototypes of texts and lists', '{{ data.text.constructor }}{{ data.list.map }}{{ data.list.__proto__ }}'],
    ['members by computed names', '{% assign n = "constructor" %}{{ data[n] }}{{ data.text[n] }}'],
    [
      'prototypes of loops',
      '{% for i in data.list %}{{ i.constructor }}{{ forloop.constructor.name }}{{ forloop.toString }}{{ forloop.__proto__.valueOf }}{{ forloop.next }}{% endfor %}',
    ],
    ['the engine', '{{ context }}{{ liquid }}{{ self }}{{ globals }}'],
  ])('%s', (_name, template) => {
    expect(render(template, { data: { text: 'a', list: ['b'], object: {} } })).toBe('');
  });

  test('keeps assignments in their rendering and away from prototypes', () => {
    const template = '{% assign __proto__ = "x" %}{% assign constructor = "y" %}{{ constructor }}';
    expect(render(template)).toBe('y');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(render('[{{ constructor }}]')).toBe('[]');
  });

  test('reads data with names of prototypes as data', () => {
    const data: unknown = JSON.parse('{"__proto__": {"a": 1}, "constructor": "c"}');
    expect(render('{{ data.constructor }}{{ data.a }}', { data })).toBe('c');
  });
});

describe('the limits of a template', () => {
  const list = Array.from({ length: 500 }, (_, at) => `item ${at}`);
  const long = 'x'.repeat(50_000);
  test.each([
    ['loops in loops', `${'{%for i in l%}'.repeat(4)}x${'{%endfor%}'.repeat(4)}`],
    ['empty loops in loops', `${'{%for i in l%}'.repeat(4)}${'{%endfor%}'.repeat(4)}`],
    [
      'a filter in a loop',
      '{% for i in l %}{% for j in l %}{{ long | upcase | downcase | size }}{% endfor %}{% endfor %}',
    ],
    [
      'comparisons of long texts',
      `{% for i in l %}{% if ${'long contains "y" or '.repeat(40)} a %}{% endif %}{% endfor %}`,
    ],
    ['a text that doubles', `{% assign a = "xxxxxxxxxx" %}${'{% assign a = l | join: a %}'.repeat(20)}`],
    ['output without end', '{% for i in l %}{{ long }}{% endfor %}'],
    ['markup without end', `{% for i in l %}{% for j in l %}${'y'.repeat(900)}{% endfor %}{% endfor %}`],
    ['rich text in a loop', '{% for i in l %}{{ long | rich }}{% endfor %}'],
    [
      'branches with long ways',
      `{% for i in l %}{% for j in l %}{% if x %}${`{% elsif a${'.b'.repeat(480)} %}`.repeat(48)}{% endif %}{% endfor %}{% endfor %}`,
    ],
    [
      'branches that are never taken',
      `{% for i in l %}{% for j in l %}{% if x %}${'{% elsif nil %}'.repeat(990)}{% endif %}{% endfor %}{% endfor %}`,
    ],
    [
      'cases without number',
      `{% for i in l %}{% for j in l %}{% case x %}${`{% when ${'1,'.repeat(480)}1 %}`.repeat(48)}{% endcase %}{% endfor %}{% endfor %}`,
    ],
    ['cases of lists', '{% for i in l %}{% for j in l %}{% case l %}{% when m %}{% endcase %}{% endfor %}{% endfor %}'],
    ['cases of long lists', '{% for i in l %}{% case huge %}{% when huge2 %}{% endcase %}{% endfor %}'],
    [
      'cases of lists in variables',
      '{% assign a = huge %}{% for i in l %}{% case a %}{% when huge %}{% endcase %}{% endfor %}',
    ],
    ['first turns of long loops', '{% for i in l %}{% for j in huge limit: 1 %}{% endfor %}{% endfor %}'],
    ['loops over objects', '{% for i in l %}{% for j in wide limit: 1 %}{% endfor %}{% endfor %}'],
    ['sizes of objects', '{% for i in l %}{{ wide.size }}{% endfor %}'],
    ['objects held against nothing', '{% for i in l %}{% if wide == empty or wide == blank %}{% endif %}{% endfor %}'],
    ['comparisons of lists', '{% for i in l %}{% for j in l %}{% if l == m %}{% endif %}{% endfor %}{% endfor %}'],
  ])('%s', (_name, template) => {
    const compiled = compileTemplate(template);
    const huge = Array.from({ length: 500_000 }, () => 1);
    const wide = Object.fromEntries(huge.slice(0, 50_000).map((one, at) => [`k${at}`, one]));
    const values = { l: list, m: [...list], long, huge, huge2: [...huge], wide };
    const seconds = processorSeconds(() => {
      expect(refusalOf(() => renderTemplate(compiled, { values }))).toBeInstanceOf(AppError);
    });
    // A backstop far above what the budget takes on a slow machine.
    expect(seconds).toBeLessThan(10);
  });

  test('shares the budget of a page between its sections', () => {
    const page = new RenderMeter({ ...sectionBudget, output: 25 });
    const compiled = compileTemplate('0123456789');
    const one = (): unknown =>
      refusalOf(() => renderTemplate(compiled, { values: {}, meter: new RenderMeter(sectionBudget, page) }));
    expect([one(), one()]).toEqual(['0123456789', '0123456789']);
    expect(one()).toMatchObject({
      message: 'the template failed: the page takes more than 25 of output, line:1, col:1',
    });
  });
});

test('writes hostile text as text at each place of a template', () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>{{ 7 | times: 6 }}{% if true %}x{% endif %}`;
  const html = render(
    '<p title="{{ x }}">{{ x }}</p><a href="{{ x | url }}">{{ x | upcase }}</a><img src="{{ x | src }}" alt="{{ l | join: x }}">',
    { x: hostile, l: ['a', 'b'] },
  );
  expect(findActiveContent(html)).toEqual([]);
  expect(html).not.toContain('42');
});
