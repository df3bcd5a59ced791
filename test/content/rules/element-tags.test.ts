/** Links, settings and other tags in texts, and addresses in HTML, hostile ones included. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findLinks,
  type LinkParameters,
  replaceLinks,
  resolveSettingTags,
  stripTags,
} from '../../../src/content/rules/element-tags.js';
import { mapAddresses } from '../../../src/content/rules/html-addresses.js';
import { siteAddressOf, sitePlace } from '../../../src/content/rules/site-address.js';

const address = (id: number, parameters: LinkParameters) => `<${id}${JSON.stringify([...parameters])}>`;

function resolveLinkTags(text: string, addressOf: Parameters<typeof replaceLinks>[2]): string {
  return replaceLinks(text, findLinks(text), addressOf);
}

describe('tags', () => {
  it.each([
    ['a [[~5]] b', 'a <5[]> b'],
    ['[[!~5]][[~ 6 ]]', '<5[]><6[]>'],
    ['[[~5? &scheme=`full` &a=`b c`]]', '<5[["scheme","full"],["a","b c"]]>'],
    ['[[~5?scheme=`full`&amp;a=``]]', '<5[["scheme","full"],["a",""]]>'],
    ['[[~0]] [[~x]] [[~5:ucase]] [[~[[*id]]]]', '[[~0]] [[~x]] [[~5:ucase]] [[~[[*id]]]]'],
    ['[[~12345678901]]', '[[~12345678901]]'],
  ])('of links: %s', (text, expected) => {
    expect(resolveLinkTags(text, address)).toBe(expected);
  });

  it('of links are found', () => {
    expect(findLinks('[[~5]] [[~7? &a=`1`]] [[~5]]').map(({ id }) => id)).toEqual([5, 7, 5]);
  });

  it('of links are those that one expression finds', () => {
    const tag = /\[\[!?~[ \t]*([1-9]\d{0,9})[ \t]*(?:\?[^[\]]*)?\]\]/g;
    const piece = fc.constantFrom(
      '[',
      '[[',
      ']',
      ']]',
      '!',
      '~',
      '5',
      '0',
      ' ',
      '\t',
      '?',
      '&a=`b`',
      'x',
      '[[~5]]',
      '[[!~6?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const expected = text.replace(tag, (_tag, id: string) => `/${Number(id)}`);
        expect(resolveLinkTags(text, (id) => `/${id}`)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('of settings, one inside another', () => {
    const settings = new Map([
      ['a', '[[++b]]'],
      ['b', 'B'],
      ['loop', '[[++loop]][[++loop]]'],
    ]);
    const settingOf = (name: string) => settings.get(name) ?? null;
    expect(resolveSettingTags('[[++a]] [[!++b]] [[++c]] [[++a:lcase]]', settingOf)).toBe('B B [[++c]] [[++a:lcase]]');
    expect(resolveSettingTags('[[++loop]]', settingOf).length).toBeLessThan(200);
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
        const text = resolveSettingTags(pieces.join(''), () => 'x');
        expect(typeof stripTags(resolveLinkTags(text, () => '/y'))).toBe('string');
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
      expect(typeof stripTags(resolveLinkTags(text, () => ''))).toBe('string');
      expect(typeof mapAddresses(text, (one) => one)).toBe('string');
    }
    const spaces = `<img srcset="${' '.repeat(200_000)}">`;
    expect(mapAddresses(spaces, () => 'x')).toBe(spaces);
    const commas = `a${','.repeat(1_000_000)}`;
    expect(mapAddresses(`<img srcset="${commas}b">`, (one) => `/${one}`) === `<img srcset="/${commas}b">`).toBe(true);
  });

  it('make no text longer than a content can be', () => {
    const longest = 16_777_215;
    const long = 'x'.repeat(8000);
    const settings = resolveSettingTags('[[++a]]'.repeat(100_000), () => long);
    expect(settings.length).toBeLessThanOrEqual(longest);
    expect([settings.startsWith(long), settings.endsWith('[[++a]]')]).toEqual([true, true]);
    const links = resolveLinkTags('[[~5]]'.repeat(100_000), () => long);
    expect(links.length).toBeLessThanOrEqual(longest);
    expect([links.startsWith(long), links.endsWith('[[~5]]')]).toEqual([true, true]);
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
      ...['text ', 'a < b > c ', '<>', '</p>', '<p>', '<br/>', '<b data-src="x">', '< href="x">'].map(same),
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
