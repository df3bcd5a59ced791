/** Links, settings and other tags in texts, and addresses in HTML, hostile ones included. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTag, replaceTags, stripTags } from '../../../src/content/rules/element-tags.js';
import { mapAddresses } from '../../../src/content/rules/html-addresses.js';
import { siteAddressOf, sitePlace } from '../../../src/content/rules/site-address.js';
import { filterText } from '../../../src/content/rules/tag-filters.js';

const shown = (inner: string) => {
  const tag = readTag(inner);
  if (tag === null) return null;
  const { kind, name, filters, parameters } = tag;
  return `<${[kind + name, ...filters.map((one) => `:${one.name}=${one.value}`), ...[...parameters].flat()].join(' ')}>`;
};
const resolve = (text: string) => replaceTags(text, ({ inner }) => shown(inner()));

describe('tags', () => {
  it.each([
    ['a [[~5]] b', 'a <~5> b'],
    ['[[!~5]][[~ 6 ]]', '<~5><~6>'],
    ['[[~5? &scheme=`full` &a=`b c`]]', '<~5 scheme full a b c>'],
    ['[[~5?scheme=`full`&amp;a=``]]', '<~5 scheme full a >'],
    ['[[~5?a=1&b=2 ]] [[~5? &flag &a[]=`x`]]', '<~5 a 1 b 2> <~5 a[] x>'],
    ['[[\n~38\n? &scheme=`full`\n]]', '<~38 scheme full>'],
    ['[[~5? &a=`x?y&z:w`]] [[~5?]]', '<~5 a x?y&z:w> <~5>'],
    ['[[~]] [[~x]] [[~5:ucase]]', '<~> <~x> <~5 :ucase=>'],
    ['[[*a:is=`1`:then=`x:y`\n:else=``? &b=`c`]]', '<*a :is=1 :then=x:y :else= b c>'],
    ['[[*a:limit=5]] [[*a:]] [[*a:x y]]', '[[*a:limit=5]] [[*a:]] [[*a:x y]]'],
    ['[[++a]] [[+a]] [[$a]] [[*#a]] [[a]] [[%a]]', '<++a> <+a> <$a> <*a> [[a]] [[%a]]'],
    ['[[~[[*id]]]] [[*a:default=`[[++b]]`]]', '<~<*id>> <*a :default=<++b>>'],
    ['[[Menu? &of=`[[*id]]`]]', '[[Menu? &of=`<*id>`]]'],
    ['[[~[[Menu]]]] [[*a:default=`[[Menu]]`]]', '[[~[[Menu]]]] <*a :default=[[Menu]]>'],
    ['[[[*id]]] [[[[*id]] [[*id', '[<*id>] [[<*id> [[*id'],
    ['[[*id]]]] ]] [[*id', '<*id>]] ]] [[*id'],
  ])('are read: %s', (text, expected) => {
    expect(resolve(text)).toBe(expected);
  });

  it('with a value that has the sign of values stay', () => {
    const show = (sign: string, inner: string) => (sign === '+' ? 'a `b`' : shown(inner));
    const read = (text: string) => replaceTags(text, ({ sign, inner }) => show(sign, inner()));
    expect(read('[[+x]] [[*a:default=`[[+x]]`]]')).toBe('a `b` [[*a:default=`a `b``]]');
  });

  it('are those that one expression finds, inner ones first', () => {
    const innermost = /\[\[(?!\[)((?:(?!\[\[|\]\])[\s\S])*)\]\]/;
    const piece = fc.constantFrom('[[', ']]', '!', '~', '5', '*', ' ', '?', '&a=`b`', ':x', 'x', '[[~5]]', '[[!~6?');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        let expected = text;
        for (let found = innermost.exec(expected); found !== null; found = innermost.exec(expected)) {
          const [whole, inner = ''] = found;
          const value = shown(inner) ?? `\u0001${inner}\u0002`;
          expected = expected.slice(0, found.index) + value + expected.slice(found.index + whole.length);
        }
        expect(replaceTags(text, ({ inner }) => shown(inner()) ?? `\u0001${inner()}\u0002`)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['Default', 'default', 'x', 'Default'],
    ['', 'default', 'x', 'x'],
    ['0', 'isempty', 'x', 'x'],
    ['a', 'notempty', 'x', 'x'],
    ['', 'notempty', 'x', ''],
    ['ärger im Ü', 'upper', '', 'ÄRGER IM Ü'],
    ['ÄRGER', 'lcase', '', 'ärger'],
    ['ärger im ölfass', 'ucwords', '', 'Ärger Im Ölfass'],
    ['ärger im', 'ucfirst', '', 'Ärger im'],
    ['ärger😀x', 'limit', '6', 'ärger😀'],
    ['short', 'limit', 'x', 'short'],
    ['hello World foo', 'ellipsis', '8', 'hello World&#8230;'],
    ['hello World', 'ellipsis', '8', 'hello World'],
    ['<b>Some <i>text</i></b> that is', 'ellipsis', '20', '<b>Some <i>text</i></b>&#8230;'],
    ['<p>one two <br>three four</p>', 'ellipsis', '13', '<p>one two <br>three&#8230;</p>'],
    ['<b>Some</b> text', 'stripTags', '', 'Some text'],
    ['<b>a</b>', 'strip_tags', '<b>', null],
    ['<b>"&é\'', 'htmlent', '', '&lt;b&gt;&quot;&amp;&eacute;&#039;'],
    ['A <b>É', 'ucwords', '', 'A <B>É'],
    ['a &amp; b', 'limit', '4', 'a & '],
    [' a ', 'cat', 'x', 'ax'],
    ['', 'append', 'x', ''],
    ['a', 'prepend', 'x', 'xa'],
    ['[a', 'cdata', '', '<![CDATA[ [a]]>'],
    ['a', 'input', 'x', 'x'],
    ['eye', 'replace', 'e==xx', 'xxyxx'],
    ['eye', 'replace', 'e', 'eye'],
    ['eye', 'stripString', 'e', 'y'],
    ['a \n b', 'strip', '', 'a b'],
    ['a\nb', 'nl2br', '', 'a<br />\nb'],
    ['ä b*~', 'urlencode', '', '%C3%A4+b%2A%7E'],
    ['äb', 'strlen', '', '2'],
    ['ab😀 2024-10', 'reverse', '', '102024- 😀ba'],
    ['ä', 'strrev', '', 'ä'],
    ['hello', 'md5', '', '5d41402abc4b2a76b9719d911017c592'],
    ['2', 'add', '', '3'],
    ['2.5kg', 'decr', '2', '0.5'],
    ['3', 'mpy', '3', '9'],
    ['b', 'select', 'a=1&b=2', '2'],
    ['c', 'select', 'a=1&b=2', ''],
    ['1709199000', 'date', '%d.%m.%Y %e %H:%M %A %B %j %p %y', '29.02.2024 29 09:30 Thursday February 060 AM 24'],
    ['2024-02-09 09:30:00', 'date', '%e|%k|%l|%w|%%|%P|%Q|d', ' 9| 9| 9|5|%|am|%Q|d'],
    ['29.02.2024', 'date', '%Y', '2024'],
    ['0', 'date', '%Y', '1970'],
    ['', 'date', '%Y', ''],
    ['2024-02-09 09:30:05', 'date', '%c|%x|%X', 'Fri Feb  9 09:30:05 2024|02/09/24|09:30:05'],
    ['nonsense', 'date', '%Y', ''],
    ['2024-02-29', 'strtotime', '', '1709164800'],
    ['a', 'mySnippet', '', null],
    ['a [[b]]', 'upper', '', null],
  ])('are filtered: %j by %s=`%s`', (text, name, value, expected) => {
    expect(filterText(text, [{ name, value }], { timeZone: 'UTC', locale: 'en-US' })).toBe(expected);
  });

  it.each([
    ['2', 'is=2 then=a else=b', 'a'],
    ['2', 'eq=2.0 then=a else=b', 'a'],
    ['2', 'eq=3 then=a', ''],
    ['2', 'ne=3 then=a else=b', 'a'],
    ['-5', 'gt=3 then=a else=b', 'b'],
    ['abc', 'gt=abb then=a else=b', 'a'],
    ['2', 'gte=2 then=a else=b', 'a'],
    ['2', 'lt=2 then=a else=b', 'b'],
    ['2', 'lte=1 then=a else=b', 'b'],
    ['2', 'is=3 or= is=2 then=a else=b', 'a'],
    ['2', 'is=2 and= is=3 then=a else=b', 'b'],
    ['2', 'is=2 and= gt=1 or= is=9 then=a else=b', 'a'],
    ['2', 'then=a else=b', '2'],
    ['x', 'is=x then= else=b', ''],
    ['Tent', 'contains=EN then=a else=b', 'a'],
    ['Tent', 'containsnot=EN then=a else=b', 'b'],
    ['2', 'in=1,2 then=a else=b', 'a'],
    ['2', 'is=2 show=', '2'],
    ['2', 'is=2 hide=', ''],
    ['2', 'is=3 show=', ''],
    ['2', 'is=[[b]] then=a', null],
    ['2', 'is=2 then=[[b]] else=c', '[[b]]'],
  ])('choose: %s by %s', (text, written, expected) => {
    const filters = written.split(' ').map((one) => {
      const [name = '', value = ''] = one.split('=');
      return { name, value };
    });
    expect(filterText(text, filters, { timeZone: 'UTC', locale: 'en-US' })).toBe(expected);
  });

  it.each([
    ['a [[Snippet? &x=`[[*id]]`]] b', 'a  b'],
    ['[[a]][[b]]c', 'c'],
    ['open [[ and [[b]] end', 'open [[ and  end'],
    ['a ]] b', 'a ]] b'],
    ['plain', 'plain'],
  ])('are taken out: %s', (text, expected) => {
    expect(stripTags(text)).toBe(expected);
  });

  it('of any kind never fail', () => {
    const piece = fc.constantFrom(
      '[[',
      ']]',
      '~',
      '5',
      '?',
      '&a=`',
      '`',
      '++',
      'x',
      '<a href="',
      '"',
      '>',
      ' ',
      ',',
      '[',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = resolve(pieces.join(''));
        expect(typeof stripTags(text)).toBe('string');
        expect(mapAddresses(text, (one) => one)).toBe(text);
      }),
    );
  });

  it('that are very many are read in one pass', () => {
    for (const many of [
      '[',
      '[[',
      '[[~',
      '[[~5?',
      '<a href=" ',
      '<a ',
      "<a href='a ",
      '<!--',
      '<script',
      '<img srcset=", ',
    ]) {
      const text = many.repeat(50_000);
      expect(typeof stripTags(resolve(text))).toBe('string');
      expect(typeof mapAddresses(text, (one) => one)).toBe('string');
    }
    const spaces = `<img srcset="${' '.repeat(200_000)}">`;
    expect(mapAddresses(spaces, () => 'x')).toBe(spaces);
    const commas = `a${','.repeat(1_000_000)}`;
    expect(mapAddresses(`<img srcset="${commas}b">`, (one) => `/${one}`) === `<img srcset="/${commas}b">`).toBe(true);
  });
});

describe('addresses in HTML', () => {
  const place = sitePlace((key) => (key === 'site_url' ? 'https://example.org/shop/' : null));

  it.each([
    ['<a href="about/">a</a>', '<a href="/shop/about/">a</a>'],
    ["<a class=x href = 'about/'>", "<a class=x href = '/shop/about/'>"],
    ['<img src=a.jpg>', '<img src=/shop/a.jpg>'],
    ['<img srcset="a.jpg 1x, b.jpg 2x">', '<img srcset="/shop/a.jpg 1x, /shop/b.jpg 2x">'],
    ['<img srcset=" a.jpg, b.jpg 2x,c.jpg ,, ">', '<img srcset=" /shop/a.jpg, /shop/b.jpg 2x,/shop/c.jpg ,, ">'],
    ['<img srcset="data:image/png;base64,AA 1x">', '<img srcset="data:image/png;base64,AA 1x">'],
    ['<a href="#top"><a href="?x">', '<a href="#top"><a href="?x">'],
    ['<a href="mailto:a@b"><a href="//cdn/x">', '<a href="mailto:a@b"><a href="//cdn/x">'],
    ['<a href=""><a href="[[~5]]">', '<a href=""><a href="[[~5]]">'],
    ['text href="a" <b data-href="a">', 'text href="a" <b data-href="a">'],
    ['<script>"<a href=\'x\'>"</script><a href="y">', '<script>"<a href=\'x\'>"</script><a href="/shop/y">'],
    ['<!-- <a href="x"> --><a href="y">', '<!-- <a href="x"> --><a href="/shop/y">'],
    ['<a title="1 > 0" href="./y">', '<a title="1 > 0" href="/shop/y">'],
    ['1 < 2 <a href="y', '1 < 2 <a href="y'],
  ])('%s', (html, expected) => {
    expect(mapAddresses(html, (one) => siteAddressOf(one, place, 'site'))).toBe(expected);
  });

  it('are found between anything else', () => {
    const same = (html: string): readonly [html: string, expected: string] => [html, html];
    const part = fc.constantFrom(
      ...['text ', 'a < b > c ', '<>', '</p>', '<p>', '<br/>', '<b data-source="x">', '< href="x">'].map(same),
      ...['<!-- <a href="x"> -->', '<STYLE>a{b:"<img src=x>"}</STYLE>', '<title><a href="x"></title>'].map(same),
      ['<script src=x>"<a href=\'x\'>"</script>', '<script src=/shop/x>"<a href=\'x\'>"</script>'] as const,
      ['<A HREF="x">', '<A HREF="/shop/x">'] as const,
      ['<img alt=\'">\' SrcSet="x, y 2x"/>', '<img alt=\'">\' SrcSet="/shop/x, /shop/y 2x"/>'] as const,
      ['<a\ntitle=src href\t=\nx>', '<a\ntitle=src href\t=\n/shop/x>'] as const,
      ['<scripty src="x">', '<scripty src="/shop/x">'] as const,
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const html = parts.map(([given]) => given).join('');
        const expected = parts.map(([, mapped]) => mapped).join('');
        expect(mapAddresses(html, (one) => siteAddressOf(one, place, 'site'))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['a.jpg', 'https://example.org/shop/a.jpg'],
    ['/a.jpg', 'https://example.org/a.jpg'],
    ['https://cdn/a.jpg', 'https://cdn/a.jpg'],
    ['', ''],
  ])('"%s" with the host', (path, expected) => {
    expect(siteAddressOf(path, place, 'absolute')).toBe(expected);
  });

  it.each([
    ['files/a.jpg', '/', 'https://files.example/files/a.jpg'],
    ['./files/a.jpg', '/', 'https://files.example/files/a.jpg'],
    ['/files/a.jpg', '/shop/', 'https://files.example/files/a.jpg'],
    ['files/a.jpg', '/shop/', 'https://example.org/shop/files/a.jpg'],
  ])('"%s" of a site at %s has the host of the files where it is one', (path, root, expected) => {
    const files = 'https://files.example';
    expect(siteAddressOf(path, { origin: 'https://example.org', root, files }, 'absolute')).toBe(expected);
  });

  it.each([
    ['', '/sub', { origin: '', root: '/sub/', files: '' }],
    ['example', 'x', { origin: '', root: '/', files: '' }],
    ['http://a.test', '/b/', { origin: 'http://a.test', root: '/', files: '' }],
  ])('of a site with site_url "%s" and base_url "%s"', (siteUrl, baseUrl, expected) => {
    expect(sitePlace((key) => (key === 'site_url' ? siteUrl : baseUrl))).toEqual(expected);
  });
});
