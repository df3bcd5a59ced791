/**
 * The check of templates against a browser's parser: in a template that is accepted, a hostile value stays the text or
 * the attribute that a harmless word was, for any HTML around it and any branches.
 */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { parseFragment, serialize } from 'parse5';
import { describe, expect, test } from 'vitest';
import { safeLink, safeSource } from '../../../src/pages/rules/safe-url.js';
import { sanitizeHtml } from '../../../src/pages/rules/sanitize-html.js';
import { compileTemplate, renderTemplate } from '../../../src/pages/rules/template-engine.js';
import { type TreeLine, treeOf } from './browser-tree.js';
import { basicSections, makeSection, renderSection } from './section-types.js';

/** Values without filter, as a link, as a picture, as rich text. */
interface Hostile {
  readonly x: string;
  readonly u: string;
  readonly s: string;
  readonly r: string;
}

const words: Hostile = { x: 'zqxz', u: 'zquz', s: 'zqsz', r: 'zqrz' };

const hostileTexts = [
  '"><img src=x onerror=alert(1)>',
  `' onmouseover='alert(1)`,
  'x onfocus=alert(1) autofocus ',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '--><script>alert(1)</script>',
  '</title></textarea></style></script><svg onload=alert(1)>',
  ']]><img src=x onerror=alert(1)>',
  '{{ x }}{% raw %}',
  '&#34; onclick=alert(1) &colon;&#58;',
  ':alert(1)//?#&',
  '!--><p id=a>',
  '/script><img src=x onerror=alert(1)>',
  'script src=//evil.example ',
  '<a href="javascript:alert(1)" onclick="a">b</a><table><p><style>i</style></table><svg><title><p>c',
];
const hostileText = fc.constantFrom(...hostileTexts);
const hostile: fc.Arbitrary<Hostile> = fc.record({
  x: hostileText,
  u: hostileText,
  s: hostileText,
  r: hostileText,
});

const output = fc.constantFrom('{{ x }}', '{{ x }}', '{{ u | url }}', '{{ s | src }}', '{{ r | rich }}');
const elementName = fc.constantFrom(
  ...['p', 'div', 'a', 'h2', 'img', 'br', 'table', 'tr', 'td', 'ul', 'li', 'option', 'form', 'input', 'button'],
  ...[
    'script',
    'style',
    'textarea',
    'title',
    'noscript',
    'xmp',
    'iframe',
    'plaintext',
    'noembed',
    'template',
    'select',
  ],
  ...['svg', 'math', 'path', 'use', 'animate', 'set', 'desc', 'foreignObject', 'mi', 'mtext', 'annotation-xml', 'g'],
  ...['meta', 'link', 'base', 'object', 'embed', 'image', 'STYLE', 'frameset', 'body', 'html', 'font'],
);
const attributeName = fc.constantFrom(
  ...['title', 'class', 'data-a', 'alt', 'id', 'href', 'src', 'srcset', 'formaction', 'action', 'xlink:href', 'poster'],
  ...['style', 'onclick', 'ONLOAD', 'srcdoc', 'content', 'http-equiv', 'to', 'values', 'attributeName', 'a"b', "a'b"],
);
const soup = fc.constantFrom(
  ...['<', '</', '<!', '<!-', '<!--', '<!-->', '<!--->', '-->', '--!>', '->', '--', '!', '>', '/', '/>', '=', '"', "'"],
  ...[
    '<![CDATA[',
    ']]>',
    '<!doctype html>',
    '<?php',
    '<%',
    '</>',
    '</ p>',
    '</p a="',
    '<p a=b',
    '<p a=',
    '<p a',
    '<a/b',
  ],
  ...['<p title="', "<p title='", '<a href="', ' title="', ' href="', 'java', 'script:', 'java&#115;cript:', 'java\n'],
  ...[
    'javascript:',
    'javascript&colon;',
    '&#58;',
    '&',
    ':',
    '/',
    '?',
    '#',
    ',',
    ' 2x',
    '\t',
    '\f',
    '\v',
    '\u00a0',
    '\0',
  ],
  ...[
    '</script>',
    '</script ',
    '</scr',
    '</style>',
    '</title>',
    '</textarea>',
    '</svg>',
    '</math>',
    '</select>',
    '</p>',
  ],
  ...[
    '<script>',
    '<style>',
    '<title>',
    '<textarea>',
    '<svg>',
    '<math>',
    '<select>',
    '<noscript>',
    '<svg/>',
    '<script/>',
  ],
  ...['word', ' ', '\n', 'a < b', '{% break %}', '{% continue %}', '{% assign b = x %}', '{% assign a = u | url %}'],
  ...['{{ a }}', '{{ x | default: "\\"" | join: " | url" }}', '{{ x ) | url }}', '{%- if y -%}', '{%- endif -%}'],
);
const quote = fc.constantFrom('"', "'", '"', "'", '');
const before = fc.constantFrom(
  '',
  '',
  '',
  '/',
  '/a?b=',
  'mailto:',
  'https://a.example/',
  ' ',
  'java',
  '#',
  'a:',
  'x&#47;',
);

const { part, attribute } = fc.letrec<{ part: string; attribute: string }>((tie) => {
  const inner = fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join(''));
  const inTag = fc.array(tie('attribute'), { maxLength: 2 }).map((list) => list.join(''));
  const block = (content: fc.Arbitrary<string>) =>
    fc.oneof(
      fc.tuple(content, content).map(([one, other]) => `{% if y %}${one}{% else %}${other}{% endif %}`),
      content.map((one) => `{% if y %}${one}{% endif %}`),
      content.map((one) => `{% unless y %}${one}{% endunless %}`),
      content.map((one) => `{%- if z -%}${one}{%- endif -%}`),
      content.map((one) => `{% for i in l %}${one}{% endfor %}`),
      fc.tuple(content, content).map(([one, other]) => `{% for i in l %}${one}{% else %}${other}{% endfor %}`),
      fc
        .tuple(content, content, content)
        .map((all) => `{% case k %}{% when 1 %}${all[0]}{% when 1, 2 %}${all[1]}{% else %}${all[2]}{% endcase %}`),
      fc
        .tuple(content, content)
        .map(([one, other]) => `{% for i in l %}${one}{% if y %}{% break %}{% endif %}${other}{% endfor %}`),
    );
  return {
    part: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { weight: 5, arbitrary: output },
      { weight: 2, arbitrary: fc.constantFrom('word', ' ', '\n', '<br>', '<hr/>', '</p>') },
      { weight: 1, arbitrary: soup },
      {
        weight: 6,
        arbitrary: fc
          .tuple(
            elementName,
            inTag,
            fc.constantFrom('>', '>', '>', '/>', ' >'),
            inner,
            fc.constantFrom(true, true, false),
          )
          .map(
            ([name, list, end, content, isClosed]) => `<${name}${list}${end}${content}${isClosed ? `</${name}>` : ''}`,
          ),
      },
      { weight: 1, arbitrary: inner.map((content) => `<!--${content}-->`) },
      { weight: 3, arbitrary: block(inner) },
    ),
    attribute: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      {
        weight: 6,
        arbitrary: fc
          .tuple(
            attributeName,
            quote,
            before,
            fc.array(fc.oneof({ weight: 4, arbitrary: output }, soup), { maxLength: 2 }),
          )
          .map(([name, mark, start, values]) => ` ${name}=${mark}${start}${values.join('')}${mark}`),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(attributeName, before, block(fc.oneof({ weight: 4, arbitrary: output }, soup)), output)
          .map(([name, start, inside, last]) => ` ${name}="${start}${inside}${last}"`),
      },
      { weight: 1, arbitrary: fc.constantFrom(' hidden', ' ', '/', ' a=b', '"', ' {{ x }}', 'b="c"') },
      { weight: 1, arbitrary: block(inTag) },
    ),
  };
});
const whole = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
/** A template with something put into it anywhere: most of what is refused is nearly right. */
const template = fc.oneof(
  { weight: 2, arbitrary: whole },
  {
    weight: 1,
    arbitrary: fc.tuple(whole, fc.nat(200), fc.oneof(soup, attribute, output)).map(([text, at, more]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + more + text.slice(place);
    }),
  },
);
const choices = fc.record({
  y: fc.boolean(),
  z: fc.boolean(),
  l: fc.constantFrom([], [1], [1, 2]),
  k: fc.constantFrom(1, 2, 3),
});

/** A section of the same page after the one that is looked at. */
const next = '<p title="next &quot;section&quot;">next</p>';

const addressNames = ['action', 'cite', 'data', 'formaction', 'href', 'poster', 'src', 'xlink:href'];
const codeSchemes = /^(about|blob|data|filesystem|javascript|vbscript):$/;

function accepted(text: string): ReturnType<typeof compileTemplate> | null {
  try {
    return compileTemplate(text);
  } catch {
    return null;
  }
}

/** Attributes by their elements that decide what runs or where the page leads by itself. */
const fixedAttributes = {
  'animate set': 'attributename by from to values',
  base: 'href',
  'embed script': 'src',
  link: 'href',
  meta: 'content http-equiv',
  object: 'data',
  use: 'href xlink:href',
};

/** What must not depend on a value: code, comments, what runs, and where the page leads by itself. */
function isFixed({ kind, element, name }: TreeLine): boolean {
  if (kind === 'comment') return true;
  if (kind === 'text') return /^:?(script|style|iframe|noscript|xmp|noembed|noframes|plaintext)$/.test(element);
  if (/^(on|style$|srcdoc$)/.test(name)) return true;
  const own = Object.entries(fixedAttributes).find(([elements]) =>
    elements.split(' ').includes(element.replace(':', '')),
  );
  return own?.[1].split(' ').includes(name) ?? false;
}

function checkOnce(text: string, values: Hostile, choice: Readonly<Record<string, unknown>>): 'accepted' | 'refused' {
  // A value that is left out can complete a reference around it, which is still text.
  const compiled = /&[#\w]*\{/.test(text) ? null : accepted(text);
  if (compiled === null) return 'refused';
  const render = (given: Hostile) => renderTemplate(compiled, { values: { ...choice, ...given } });
  // Rich text is markup by purpose; it has its own property.
  const plain = render({ ...words, r: words.r }) + next;
  const attacked = render({ ...values, r: words.r }) + next;
  const put = (of: string) =>
    of
      .replaceAll(words.x, () => values.x)
      .replaceAll(words.u, () => safeLink(values.u) ?? '')
      .replaceAll(words.s, () => safeSource(values.s) ?? '');
  for (const hasScripts of [true, false]) {
    const expected = treeOf(plain, { hasScripts });
    const found = treeOf(attacked, { hasScripts });
    // Texts that have become empty are not nodes.
    const full = (lines: readonly TreeLine[]) => lines.filter(({ kind, value }) => kind !== 'text' || value !== '');
    expect(full(found), text).toEqual(full(expected.map((line) => ({ ...line, value: put(line.value) }))));
    expect(
      expected.filter((line) => isFixed(line) && /zq[xusr]z/.test(line.value)),
      text,
    ).toEqual([]);
    expect(
      found.filter(({ kind, name, value }) => kind === 'attribute' && name === 'title' && value === 'next "section"'),
      text,
    ).toHaveLength(1);
    found.forEach((line, at) => {
      const isOfValue =
        line.kind === 'attribute' && expected.length === found.length && expected[at]?.value !== line.value;
      if (!isOfValue || !addressNames.includes(line.name) || !URL.canParse(line.value, 'https://a.example/')) return;
      expect(new URL(line.value, 'https://a.example/').protocol, text).not.toMatch(codeSchemes);
    });
  }
  return 'accepted';
}

test('accepts templates in which browsers find each value where the check found it', () => {
  let writing = 0;
  fc.assert(
    fc.property(template, hostile, choices, (text, values, choice) => {
      if (checkOnce(text, values, choice) === 'refused') return;
      if (text.includes('{{')) writing += 1;
    }),
    { numRuns: 2000 },
  );
  // The property is about templates that are accepted and write something.
  expect(writing).toBeGreaterThan(300);
});

/** Everything in the tree that can run, load a program, send a form or lead to code. */
function activeIn(lines: readonly TreeLine[]): readonly TreeLine[] {
  const elements = /^(:.*|script|style|iframe|object|embed|form|input|button|select|textarea|meta|link|base|template)$/;
  return lines.filter(({ kind, element, name, value }) => {
    if (kind === 'comment') return true;
    if (kind === 'element') return elements.test(element);
    if (kind === 'text') return false;
    if (/^(on|style$|srcdoc$|id$|name$)/.test(name)) return true;
    if (!addressNames.includes(name) || !URL.canParse(value, 'https://a.example/')) return false;
    return codeSchemes.test(new URL(value, 'https://a.example/').protocol);
  });
}

const html = fc.oneof(
  whole,
  fc.array(fc.oneof(hostileText, soup, attribute), { maxLength: 6 }).map((all) => all.join('')),
);

test('leaves nothing active in rich text for browsers, also after they have written and read it again', () => {
  fc.assert(
    fc.property(html, (text) => {
      const clean = sanitizeHtml(text);
      const around = [clean, `<table><tr><td>${clean}</td></tr></table>`, serialize(parseFragment(clean))];
      for (const one of around) {
        for (const hasScripts of [true, false]) expect(activeIn(treeOf(one, { hasScripts })), text).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
});

describe('renders hostile data without active content in the shipped type', () => {
  const types = basicSections.map(({ definition, sample }) => [String(definition['key']), sample] as const);

  test.each(types)('%s', (key, sample) => {
    const render = (data: Readonly<Record<string, unknown>>) =>
      treeOf(renderSection(makeSection({ type: key, data })).html);
    const expected = activeIn(render(sample));
    fc.assert(
      fc.property(html, fc.boolean(), fc.nat(20), (text, isAdded, only) => {
        let at = 0;
        const attack = (value: unknown): unknown => {
          if (Array.isArray(value)) return value.map(attack);
          if (typeof value === 'object' && value !== null) {
            return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, attack(one)]));
          }
          at += 1;
          // One value or all of them: a value that is refused can hide what the others do.
          if (only < 10 && at !== only) return value;
          return typeof value === 'string' && isAdded ? value + text : text;
        };
        const found = activeIn(render(Object(attack(sample))));
        expect(
          found.filter((line) => !expected.some((one) => isDeepStrictEqual(one, line))),
          text,
        ).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
