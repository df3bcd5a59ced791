/** Values may stand where escaping makes them harmless, and a template that puts them elsewhere is refused. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileTemplate, renderTemplate } from '../../../src/pages/rules/template-engine.js';
import { basicSections } from './section-types.js';
import { findActiveContent } from './strict-html.js';

function refusalOf(template: string): string | null {
  try {
    compileTemplate(template);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('accepts a value', () => {
  test.each([
    ['between tags', '<p>{{ x }}</p>'],
    ['in a quoted attribute', `<p title="{{ x }}" lang='{{ y }}'>`],
    ['next to other text in an attribute', '<p class="a {{ x }} b{% if y %} c{% endif %}">'],
    ['as an address by a filter', '<a href="{{ x | url }}"><img src="{{ x | image }}" alt=""></a>'],
    ['as an address by a variable', '{% assign a = x | url %}<a href="{{ a }}">'],
    ['as the rest of an address', '<a href="/search?q={{ x }}"><a href="mailto:{{ y }}"><a href="#{{ z }}">'],
    ['after another address and a mark', '<a href="{{ x | url }}?q={{ y }}#{{ z }}">'],
    ['as one address or another', '<a href="{% if x %}{{ x | url }}{% else %}{{ y | url }}{% endif %}">'],
    ['after a part that is there at times', '<a href="/a/{% if x %}b/{% endif %}{{ y }}">'],
    ['in a part that is there at times', '<a href="/a{% if x %}?q={{ x }}{% else %}?r={{ y }}{% endif %}">'],
    ['in a part that comes any number of times', '<a href="/a?{% for y in x %}{{ y }}:{% endfor %}">'],
    ['in an attribute that is there at times', '<a{% if x %} href="{{ x | url }}"{% endif %}>'],
    ['after references in an address', '<a href="/a?b=1&amp;c&#58;d"><a href="mailto:a&#64;b.example">{{ x }}'],
    ['after a bracket that opens nothing', 'a < {{ x }}'],
    ['after a comment', '<!-- a " < --><p>{{ x }}</p>'],
    ['after a script', '<script>if (a < b) c("</p>")</script><p>{{ x }}</p>'],
    ['after an attribute without quotes', '<p class=a hidden>{{ x }}</p>'],
    ['next to a bracket in quotes', '<p title=">">{{ x }}</p><p title="{{ x }}">'],
    ['anywhere in a comment of the template', '{% comment %}<a {{ x }}>{% endcomment %}<p>{{ x }}</p>'],
    ['in a text field', '<textarea rows=3>{{ x }}</textarea><p title="{{ x }}">'],
    ['in a title of an icon', '<svg viewBox="0 0 9 9"><title>{{ x }}</title><g><path d="M0 0"/></g></svg><p>{{ x }}'],
    ['in a formula', '<math><mi>{{ x }}</mi><mo>=</mo><mn>2</mn></math>'],
    ['in a choice', '<select name="a"><option value="{{ x }}">{{ x }}</option></select>'],
    ['as an address in a list', '<img srcset="{{ x | image }} 1x, {{ y | src }} {{ z }}x, /a/{{ z }}.png 3x">'],
    ['after a comment that holds one', '<!-- <!-- --><p title="{{ x }}">'],
    ['after a comment that is there at times', '{% if x %}<!-- a -->{% endif %}<p title="{{ x }}">'],
    ['in a tag that all branches begin', '{% if x %}<a href="/b"{% else %}<a{% endif %} title="{{ y }}">'],
    ['in an element that is there at times', '{% if x %}<a href="/b">{% endif %}{{ y }}{% if x %}</a>{% endif %}'],
    [
      'in rounds of a loop that ends early',
      '{% for a in x %}<p>{{ a }}</p>{% if y %}{% break %}{% endif %}{% endfor %}',
    ],
    ['in one of several cases', '<a href="{% case x %}{% when 1 %}/a{% when 2 %}{{ y | url }}{% endcase %}">'],
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

test('refuses an address in which another text would decide the scheme when its filter gives nothing', () => {
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

describe('refuses a value', () => {
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
    [
      'as what the next value of an address is for',
      '<set to="a" attributeName="{{ x }}">',
      'in attributename of the element set',
    ],
    ['as where elements are taken from', '<svg><use href="{{ x | src }}"/></svg>', 'in href of the element use'],
    ['as the character set of the page', '<meta charset="{{ x }}">', 'in charset of the element meta'],
    [
      'as an address in a list without a filter',
      '<img srcset="/a 1x, {{ x }} 2x">',
      'in srcset without the filter url or src',
    ],
    ['after a reference', '<a href="java&#115;cript:{{ x }}">', 'in href after java&#115;cript:'],
    ['after a reference that looks like a mark', '<a href="&#x6a;{{ x | url }}">', 'in href after &#x6a;'],
    ['after a line break in a scheme', '<a href="java\nscript:{{ x }}">', 'in href after java\nscript:'],
    ['after a control character', '<a href="\u0001javascript:{{ x }}">', 'in href after \u0001javascript:'],
    ['after a document in an address', '<iframe src="data:text/html,{{ x }}">', 'in src after data:text/html,'],
    ['after a reference in a branch', '<a href="{% if y %}javascript&#58;{% endif %}/{{ x }}">', 'in href after …:/'],
    [
      'after a filter that is only a text',
      '<a href="{{ x | default: "\\"" | join: " | url" }}">',
      'in href without the filter url or src',
    ],
    ['after a filter that is not applied', '<a href="{{ x ) | url }}">', 'in href without the filter url or src'],
    [
      'as rich text in a text field',
      '<textarea>{{ x | rich }}</textarea>',
      'in the element textarea: rich text belongs between tags of HTML',
    ],
    [
      'as rich text in an icon',
      '<svg>{{ x | rich }}</svg>',
      'in the element svg: rich text belongs between tags of HTML',
    ],
    ['as rich text in an attribute', '<p title="{{ x | rich }}">', 'in title: rich text belongs between tags'],
    ['after a bracket in a comment', '<!-- > {{ x }} -->', 'in a comment'],
  ])('%s', (_name, template, says) => {
    const [output] = /\{\{.*?\}\}/s.exec(template) ?? [];
    expect(refusalOf(template)).toBe(`must not write ${output} ${says}`);
  });
});

describe('refuses HTML that browsers read differently than it looks:', () => {
  const comment = 'has a comment that ends where it begins: ';
  const mark = 'has a tag or mark that browsers read in other ways than it looks: ';
  const tag = 'has a tag that is not plain: ';
  const inside = (name: string) => `must not have {% ${name} %} inside a name or mark of HTML`;
  test.each([
    ['a comment that has ended', '<!--><p title="-->', `${comment}<!--><p title="-->`],
    ['a comment that has ended, with a dash', '<!---><p>', `${comment}<!---><p>`],
    ['another end of a comment', '<!-- a --!><p title="-->', 'has a comment that ends with --!>:  a --!><p title="-->'],
    ['a comment put together', '<!-{% if x %}{% endif %}->', inside('if x')],
    ['an end of a comment put together', '<!-- a -{% if x %}{% endif %}->', inside('if x')],
    ['a tag put together', '<p>{% if x %}<{% else %}<{% endif %}script>', inside('else')],
    ['an end put together', '<style></sty{% if x %}{% endif %}le><p>', inside('if x')],
    ['a comment in a script', '<script><!-- <script> --></script>', 'has <!-- in a script: <!-- <script> --></script>'],
    ['a section of characters', '<![CDATA[ <p title="]]>', `${mark}<![CDATA[ <p title="]]>`],
    ['an instruction', '<?a "?>', `${mark}<?a "?>`],
    ['a document type', '<!doctype html>', `${mark}<!doctype html>`],
    ['an end tag without name', '</ p title=">">', `${mark}</ p title=">">`],
    ['an end tag with attributes', '</p title=">">', `${mark}</p title=">">`],
    ['a quote in a name', '<p a"b="c">', `${tag}"b="c">`],
    ['attributes without a blank', '<p a="b"c="d">', `${tag}c="d">`],
    ['a value whose blank the template takes away', '<p a="b" {%- assign c = 1 -%} c="d">', `${tag}c="d">`],
    ['a value of another tag', '<p a={% if x %}"b"{% endif %}>', inside('if x')],
    ['a slash in a tag', '<p / a>', `${tag}/ a>`],
    ['a quote in a value without quotes', `<p a=b'c>`, `has a value without quotes that is not plain: a=b'c>`],
    ['a text of another parser', '<noscript><p title="</noscript>">', 'must not have the element noscript'],
    ['a text without end', '<plaintext>', 'must not have the element plaintext'],
    ['HTML in an icon', '<svg><p></p></svg>', 'must not have the element p inside svg'],
    [
      'HTML that an icon begins',
      '<svg><foreignObject></foreignObject></svg>',
      'must not have the element foreignobject inside svg',
    ],
    [
      'markup in a style of an icon',
      '<svg><style><a title="</style>"></svg>',
      'has a < in the element style: <a title="</style>"></svg>',
    ],
    ['an icon that is closed in a wrong order', '<svg><g></svg></g>', 'must close the element g before </svg>'],
    [
      'a style in a list of choices',
      '<select><style><p title="</style>">',
      'must not have the element style inside select',
    ],
    ...[
      '<a href="java&#115;cript:alert(1)">',
      '<a href="java\nscript:alert(1)">',
      '<a href="\u0001javascript:alert(1)">',
      "<a href='javascript&colon;alert(1)'>",
      '<a href=&#x6a;avascript:alert(1)>',
      '<form action="java&Tab;script:alert(1)">',
    ].map((html): [string, string, string] => [
      'a scheme in disguise',
      html,
      `must not hide the scheme javascript: of ${html.includes('href') ? 'href' : 'action'} behind references or line breaks`,
    ]),
    ['the character zero', '<p\0>', 'must not have the character U+0000'],
    [
      'branches with other places',
      '{% if x %}<a title="{% endif %}">',
      'must not have branches of {% if x %} that end in different places',
    ],
    [
      'branches with other attributes',
      '<a {% if x %}title="{% else %}class="{% endif %}b">',
      'must not have branches of {% if x %} that end in different places',
    ],
    [
      'rounds with other places',
      '{% for a in x %}<p {% endfor %}>',
      'must not have branches of {% for a in x %} that end in different places',
    ],
    [
      'cases with other places',
      '{% case x %}{% when 1 %}<p{% else %}<p{% endcase %}>',
      'must not have branches of {% case x %} that end in different places',
    ],
    [
      'a branch after the last',
      '{% unless x %}a{% else %}b{% else %}c{% endunless %}',
      'must not have {% else %} after {% else %}',
    ],
    [
      'a loop that ends in a tag',
      '{% for a in x %}<p title="{% break %}">{% endfor %}',
      'must not have {% break %} in another place of the HTML than where its blocks begin',
    ],
    [
      'a template that ends in a tag',
      '<p {% if x %}{% break %}{% endif %}>',
      'must not have {% break %} in another place of the HTML than where its blocks begin',
    ],
  ])('%s', (_name, template, says) => {
    expect(refusalOf(template)).toBe(says);
  });
});

describe('refuses a template that ends where the next section would not be text', () => {
  test.each([
    ['in a tag', '<p>{{ x }}</p><a', 'in a tag'],
    ['in a value', '<a onclick="', 'in a tag'],
    ['in a value', '{% if x %}<a title="{% else %}<a title="b{% endif %}', 'in a tag'],
    ['in an icon', '<svg><path d=""/>', 'in the element svg'],
    ['in a list of choices', '<select><option>{{ x }}</option>', 'in the element select'],
    ['in a text field', '<textarea>{{ x }}', 'in the element textarea'],
    ['in a comment', '<p>{{ x }}</p><!-- ->', 'in a comment'],
    ['in a script', '<script>track("x");</scrip>', 'in the element script'],
    ['in a style sheet', '<style>p { color: red }', 'in the element style'],
  ])('%s', (_name, template, says) => {
    expect(refusalOf(template)).toBe(`must not end ${says}`);
  });
});

test('writes no value as markup in any accepted template', () => {
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
      // The same template with a word instead of the value has as much active content.
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
