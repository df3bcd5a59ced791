/** Values may stand where escaping makes them harmless, and a template that puts them elsewhere is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basicSections } from '../../src/pages/basic-section-types.js';
import { compileTemplate, renderTemplate } from '../../src/pages/template-engine.js';
import { findActiveContent } from './strict-html.js';

function refusalOf(template: string): string | null {
  try {
    compileTemplate(template);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('a value may stand', () => {
  test.each([
    ['between tags', '<p>{{ x }}</p>'],
    ['in a quoted attribute', `<p title="{{ x }}" lang='{{ y }}'>`],
    ['beside other text in an attribute', '<p class="a {{ x }} b{% if y %} c{% endif %}">'],
    ['as an address by a filter', '<a href="{{ x | url }}"><img src="{{ x | image }}" alt=""></a>'],
    ['as an address by a variable', '{% assign a = x | url %}<a href="{{ a }}">'],
    ['as the rest of an address', '<a href="/search?q={{ x }}"><a href="mailto:{{ y }}"><a href="#{{ z }}">'],
    ['after another address and a mark', '<a href="{{ x | url }}?q={{ y }}#{{ z }}">'],
    ['as one address or another', '<a href="{% if x %}{{ x | url }}{% else %}{{ y | url }}{% endif %}">'],
    ['after a part that is there at times', '<a href="/a/{% if x %}b/{% endif %}{{ y }}">'],
    ['in a part that is there at times', '<a href="/a{% if x %}?q={{ x }}{% else %}?r={{ y }}{% endif %}">'],
    ['in a part that comes any number of times', '<a href="/a?{% for y in x %}{{ y }}:{% endfor %}">'],
    ['in an attribute that is there at times', '<a{% if x %} href="{{ x | url }}"{% endif %}>'],
    ['after a bracket that opens nothing', 'a < {{ x }}'],
    ['after a comment', '<!-- a " < --><p>{{ x }}</p>'],
    ['after a script', '<script>if (a < b) c("</p>")</script><p>{{ x }}</p>'],
    ['after an attribute without quotes', '<p class=a hidden>{{ x }}</p>'],
    ['beside a bracket in quotes', '<p title=">">{{ x }}</p><p title="{{ x }}">'],
    ['anywhere in a comment of the template', '{% comment %}<a {{ x }}>{% endcomment %}<p>{{ x }}</p>'],
    ['with rich text between tags', '<div>{{ x | rich }}</div>'],
  ])('%s', (_name, template) => {
    expect(refusalOf(template)).toBeNull();
  });

  test.each(
    basicSections.map(({ definition }) => [String(definition['key']), String(definition['template'])] as const),
  )('where the shipped type %s has it', (_key, template) => {
    expect(refusalOf(template)).toBeNull();
  });
});

test('an address that its filter has emptied lets no other text decide what the whole is', () => {
  const says = (before: string, value: string) =>
    `must not write {{ ${value} }} in href ${before === '' ? 'without the filter url or src' : `after ${before}`}`;
  expect(refusalOf('<a href="{{ x | url }}{{ y }}">')).toBe(says('', 'y'));
  expect(refusalOf('<a href="{{ x | url }}:{{ y }}">')).toBe(says('…:', 'y'));
  expect(refusalOf('<a href="{{ x | url }}:{{ y | url }}">')).toBe(says('…:', 'y | url'));
  expect(refusalOf('<a href="{{ x | url }}a{{ y }}">')).toBe(says('…a', 'y'));
  const both = compileTemplate('<a href="{{ x | url }}{{ y | url }}">');
  const render = (x: string, y: string) => renderTemplate(both, { values: { x, y } });
  expect(render('javascript', ':alert(1)')).toBe('<a href="javascript">');
  expect(render('javascript:0', 'javascript:alert(1)')).toBe('<a href="">');
});

describe('a value may not stand', () => {
  test.each([
    ['in an attribute without quotes', '<a href={{ x | url }}>', 'in href without quotes'],
    ['as an attribute', '<a {{ x }}>', 'in a tag outside the quotes of an attribute'],
    ['as the name of an element', '<{{ x }}>', 'in a tag outside the quotes of an attribute'],
    ['in the name of an element', '<h{{ x }}>', 'in a tag outside the quotes of an attribute'],
    ['in a closing tag', '</{{ x }}>', 'in a tag outside the quotes of an attribute'],
    ['in a handler', '<a onclick="f(\'{{ x }}\')">', 'in onclick'],
    ['in a style', '<p style="color: {{ x }}">', 'in style'],
    ['in a document of a frame', '<iframe srcdoc="{{ x }}"></iframe>', 'in srcdoc'],
    ['in a script', '<script>var a = "{{ x }}"</script>', 'in the element script'],
    ['in a script after a string that ends one', '<script>"<p>"</scrip>{{ x }}</script>', 'in the element script'],
    ['in a style sheet', '<STYLE>p { color: {{ x }} }</STYLE>', 'in the element style'],
    ['in a comment', '<!-- {{ x }} -->', 'in a comment'],
    ['as an address without a filter', '<a href="{{ x }}">', 'in href without the filter url or src'],
    [
      'as an address changed after its filter',
      '<a href="{{ x | url | upcase }}">',
      'in href without the filter url or src',
    ],
    [
      'as an address by a plain variable',
      '{% assign a = x %}<a href=" {{ a }}">',
      'in href without the filter url or src',
    ],
    [
      'as an address by a variable that is assigned twice',
      '{% assign a = x | url %}{% if y %}{% assign a = y %}{% endif %}<a href="{{ a }}">',
      'in href without the filter url or src',
    ],
    [
      'as an address by a variable that a loop has, too',
      '{% assign a = x | url %}{% for a in y %}<a href="{{ a }}">{% endfor %}',
      'in href without the filter url or src',
    ],
    ['after half a scheme', '<a href="java{{ x }}">', 'in href after java'],
    ['after the scheme of scripts', '<a href="javascript:{{ x }}">', 'in href after javascript:'],
    [
      'after a block that writes nothing',
      '<a href="{% if z %}{% endif %}{{ x }}">',
      'in href without the filter url or src',
    ],
    [
      'after a mark that may be absent',
      '<a href="{% if y %}/{% endif %}{{ x }}">',
      'in href without the filter url or src',
    ],
    [
      'after a mark that only one branch has',
      '<a href="{% if y %}/{% else %}{% endif %}{{ x }}">',
      'in href without the filter url or src',
    ],
    ['after a colon that is there at times', '<a href="{% if y %}a:{% endif %}{{ x | url }}">', 'in href after …:'],
    ['in every round of a loop', '<a href="{% for y in x %}{{ y | url }}:{% endfor %}">', 'in href after …:'],
    ['as the address of a script', '<script src="{{ x | src }}"></script>', 'in src of the element script'],
    ['as the address of a style sheet', '<link rel="stylesheet" href="{{ x | src }}">', 'in href of the element link'],
    ['as the address that all others follow', '<base href="{{ x | url }}">', 'in href of the element base'],
    ['as where the page goes by itself', '<meta content="0;url={{ x | url }}">', 'in content of the element meta'],
    ['as a program to load', '<embed src="{{ x | src }}">', 'in src of the element embed'],
    ['as the next value of an address', '<set attributeName="href" to="{{ x }}">', 'in to of the element set'],
    ['as rich text in an attribute', '<p title="{{ x | rich }}">', 'in title: rich text belongs between tags'],
    ['after a bracket in a comment', '<!-- > {{ x }} -->', 'in a comment'],
  ])('%s', (_name, template, says) => {
    const [output] = /\{\{.*?\}\}/s.exec(template) ?? [];
    expect(refusalOf(template)).toBe(`must not write ${output} ${says}`);
  });
});

describe('a template may not end where the next section would not be text', () => {
  test.each([
    ['in a tag', '<p>{{ x }}</p><a', 'in a tag'],
    ['in a value', '<a onclick="', 'in a tag'],
    ['in a value that is there at times', '{% if x %}<a title="{% endif %}', 'in a tag'],
    ['in a comment', '<p>{{ x }}</p><!-- ->', 'in a comment'],
    ['in a script', '<script>track("x");</scrip>', 'in the element script'],
    ['in a style sheet', '<style>p { color: red }', 'in the element style'],
  ])('%s', (_name, template, says) => {
    expect(refusalOf(template)).toBe(`must not end ${says}`);
  });
});

test('in templates that are accepted, no value becomes markup, whatever pieces they are made of', () => {
  const piece = fc.constantFrom(
    '<p>',
    '</p>',
    '<p class="',
    '">',
    '"',
    "'",
    ' ',
    '<a href="',
    "<a title='",
    "'>",
    '>',
    '<',
    '</',
    '<!--',
    '-->',
    '=',
    'x',
    '<img src="',
    ' alt="',
    ' onclick="',
    '<script>',
    '</script>',
    '/',
    '{{ x }}',
    '{{ x | url }}',
    '{{ x | rich }}',
  );
  const hostile = `"><img src=x onerror=alert(1)>' onmouseover='alert(1) javascript:alert(1)`;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const template = pieces.join('');
      if (refusalOf(template) !== null) return;
      const made = renderTemplate(compileTemplate(template), { values: { x: hostile } });
      // The same template with a word in the place of the value has as much active content.
      const plain = renderTemplate(compileTemplate(template), { values: { x: 'word' } });
      expect(activeIn(made)).toEqual(activeIn(plain));
    }),
    { numRuns: 5000 },
  );
});

/** What could run in HTML that a strict reader accepts; nothing is said of HTML that no careful writer makes. */
function activeIn(html: string): readonly string[] | null {
  try {
    return findActiveContent(html);
  } catch {
    return null;
  }
}
