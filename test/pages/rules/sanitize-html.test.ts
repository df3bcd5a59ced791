/** Rich text keeps what formats it and loses everything that could run, load or imitate. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { htmlToText, sanitizeHtml } from '../../../src/pages/rules/sanitize-html.js';
import { processorSeconds } from '../../support/processor-time.js';
import { findActiveContent } from './strict-html.js';

describe('kept formatting', () => {
  test.each([
    ['plain text', 'Frames & forks', 'Frames &amp; forks'],
    ['a paragraph with emphasis', '<p>a <b>b</b> <em>c</em></p>', '<p>a <b>b</b> <em>c</em></p>'],
    ['an open paragraph', '<p>one<p>two', '<p>one</p><p>two</p>'],
    ['a list', '<ul><li>one<li>two</ul>', '<ul><li>one</li><li>two</li></ul>'],
    ['a relative link', '<a href="/a.html?x=1&y=2">a</a>', '<a href="/a.html?x=1&amp;y=2">a</a>'],
    ['a mail address', '<a href="mailto:a@b.example">a</a>', '<a href="mailto:a@b.example">a</a>'],
    [
      'a link to another window, cut off from this one',
      '<a href="https://x.example" target="_blank" rel="opener">x</a>',
      '<a href="https://x.example" target="_blank" rel="noopener noreferrer">x</a>',
    ],
    ['an image', '<img src="/a.jpg" alt="a">', '<img src="/a.jpg" alt="a">'],
    [
      'a table',
      '<table><tr><th scope=col>a<td colspan=2>b</table>',
      '<table><tbody><tr><th scope="col">a</th><td colspan="2">b</td></tr></tbody></table>',
    ],
    ['preformatted lines', '<pre>\n\na\n b</pre>', '<pre>\n\na\n b</pre>'],
    ['a first heading, as a second one', '<h1>a</h1>', '<h2>a</h2>'],
    ['an unknown element as its content', '<blink>a <custom-element>b</custom-element></blink>', 'a b'],
    ['times', '<time datetime="2026-11-21T09:30+01:00">a</time>', '<time datetime="2026-11-21T09:30+01:00">a</time>'],
    ['classes', '<p class="lead wide">a</p>', '<p class="lead wide">a</p>'],
  ])('%s', (_name, given, expected) => {
    expect(sanitizeHtml(given)).toBe(expected);
  });
});

/** Ways by which markup is known to have got past filters. */
const hostile: readonly (readonly [string, string, string])[] = [
  ['a script', 'a<script>alert(1)</script>b', 'ab'],
  ['a script in pieces', '<scr<script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
  ['a handler', '<img src=x onerror=alert(1)>', '<img src="x">'],
  ['a handler after a slash', '<img/src=x/onerror=alert(1)>', '<img src="x/onerror=alert(1)">'],
  ['a javascript address', '<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
  ['one in mixed case with a tab', '<a href="jAva\tscript:alert(1)">a</a>', '<a>a</a>'],
  ['one in references', '<a href="&#106;&#x61;vascript&colon;alert(1)">a</a>', '<a>a</a>'],
  ['one after control characters', '<a href="\u0001\u0019 javascript:alert(1)">a</a>', '<a>a</a>'],
  ['a vbscript address', '<a href="vbscript:msgbox(1)">a</a>', '<a>a</a>'],
  ['a data address', '<a href="data:text/html,<script>alert(1)</script>">a</a>', '<a>a</a>'],
  ['an image of a data address', '<img src="data:image/svg+xml,<svg onload=alert(1)>" alt="a">', 'a'],
  ['a style', '<p style="background:url(javascript:alert(1))">a</p><style>*{}</style>', '<p>a</p>'],
  ['a frame', '<iframe src="https://x.example"></iframe>a', 'a'],
  ['a frame with its document', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', ''],
  ['vector graphics', '<svg><script>alert(1)</script><a xlink:href="javascript:1">x</a></svg>b', 'b'],
  ['an animation of an address', '<svg><a><animate attributeName=href values=javascript:alert(1) /></a></svg>', ''],
  ['formulas that change the parser', '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', ''],
  ['raw text in an xmp', '<xmp><img src=x onerror=alert(1)></xmp>', ''],
  ['a text area that ends itself', '<textarea></textarea/><img src=x onerror=alert(1)>', '<img src="x">'],
  ['noscript', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">', '<img src="x">&quot;&gt;'],
  ['a comment that ends oddly', '<!--><img src=x onerror=alert(1)>-->', '<img src="x">--&gt;'],
  ['a template', '<template><img src=x onerror=alert(1)></template>', ''],
  ['a form', '<form action="https://x.example"><input name=a><button>b</button></form>', ''],
  ['a base', '<base href="https://x.example/"><a href="a">a</a>', '<a href="a">a</a>'],
  ['a refresh', '<meta http-equiv=refresh content="0;url=https://x.example">a', 'a'],
  ['names that overlay those of the page', '<a id=document name=cookie href=a>a</a>', '<a href="a">a</a>'],
  ['a quote out of an attribute', `<a title='"><script>alert(1)</script>'>a</a>`, ''],
  ['prototype names', '<p constructor=a __proto__=b>a</p><constructor>b</constructor>', '<p>a</p>b'],
  ['a NUL in a name', '<scr\0ipt>alert(1)</scr\0ipt>', 'alert(1)'],
];

describe('removed active content', () => {
  test.each(hostile)('%s', (name, given, expected) => {
    const html = sanitizeHtml(given);
    if (name === 'a quote out of an attribute') {
      expect(html).toBe('<a title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">a</a>');
    } else expect(html).toBe(expected);
    expect(findActiveContent(html)).toEqual([]);
  });

  const piece = fc.oneof(
    fc.constantFrom(...hostile.map(([, given]) => given)),
    fc.constantFrom('<', '>', '"', "'", '/', '=', '&', '--', '<!--', '-->', ']]>', '\0', '&lt;', '&#60;', ' ', '\n'),
    fc.constantFrom(
      '<p>',
      '</p>',
      '<b a=1>',
      '<a href=x>',
      '<table>',
      '<td>',
      '<svg>',
      '<math>',
      '<style>',
      '<select>',
    ),
    fc.constantFrom(
      '<li>',
      '<pre>\n',
      '<details open>',
      '<h1>',
      '<dl><dt>',
      '<img src=x ',
      ' onload=a ',
      '<title>',
      '</',
    ),
    fc.string({ maxLength: 12, unit: 'binary' }),
  );
  const markup = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''));

  test('leaves nothing of any markup that runs or loads', () => {
    fc.assert(
      fc.property(markup, (given) => {
        expect(findActiveContent(sanitizeHtml(given))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });

  test('changes nothing when it sanitises any markup again', () => {
    fc.assert(
      fc.property(markup, (given) => {
        const html = sanitizeHtml(given);
        expect(sanitizeHtml(html)).toBe(html);
      }),
      { numRuns: 3000 },
    );
  });

  test('keeps the readable text of any text without markup', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
        const expected = text.replace(/\0/g, '').replace(/\s+/g, ' ').trim();
        expect(htmlToText(sanitizeHtml(escaped))).toBe(expected);
      }),
    );
  });
});

/** Different names without end, each between the two texts. */
function manyNames(count: number, before: string, after = ''): string {
  return Array.from({ length: count }, (_, at) => `${before}a${at.toString(36)}${after}`).join('');
}

describe('size', () => {
  test.each([
    ['elements inside one another', '<div>'.repeat(9000)],
    ['formatting elements inside one another', '<b>'.repeat(9000)],
    ['quotations inside one another', '<blockquote>'.repeat(9000)],
    ['lists inside one another', '<ul><li>'.repeat(4500)],
    ['tables inside one another', '<table><tr><td>'.repeat(3000)],
    ['attributes of one element', `<p ${manyNames(5000, ' ')}>a</p>`],
    ['attributes of a closing tag', `</p ${manyNames(5000, ' ')}>`],
    ['attributes next to unclosed quotes', `<p ${manyNames(5000, '="a" ')} b='>`],
    ['too many elements', '<i>x</i>'.repeat(20_000)],
    ['formatting elements that multiply', Array.from({ length: 300 }, (_, at) => `<p><b class=c${at}>`).join('')],
  ])('%s are refused', (_name, given) => {
    expect(() => sanitizeHtml(given)).toThrow(AppError);
  });

  test('removes documents in documents', () => {
    const seconds = processorSeconds(() => {
      expect(sanitizeHtml(`${manyNames(15_000, '<html ', '>')}a`)).toBe('a');
      expect(sanitizeHtml(`${manyNames(15_000, '<body ', '>')}a`)).toBe('a');
    });
    // Seconds, when the attributes were gathered; milliseconds when they are not.
    expect(seconds).toBeLessThan(2);
  });

  test('accepts ordinary texts, which are far below the bounds', () => {
    const list = `<ul>${'<li>one <b>two</b></li>'.repeat(2000)}</ul>`;
    expect(sanitizeHtml(list)).toBe(list);
    const nested = `${'<ul><li>'.repeat(50)}deep${'</li></ul>'.repeat(50)}`;
    expect(sanitizeHtml(nested)).toBe(nested);
  });
});

test('separates the text of blocks, but not of phrases', () => {
  expect(htmlToText('<h2>One</h2><p>t<b>w</b>o<br>three</p><script>x</script>')).toBe('One two three');
});
