/** Which texts may be the address of a banner, and which would let a visitor choose the target. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placeholderPattern, urlAccepts, urlProblem } from '../../../src/banners/rules/banner-url.js';

const refused = `must be ${urlAccepts}`;

test.each<[name: string, url: string]>([
  ['nothing', ''],
  ['a host', 'https://example.com'],
  ['a host in upper case', 'HTTPS://EXAMPLE.COM/'],
  ['http', 'http://example.com/a?b=c#d'],
  ['a port', 'https://example.com:8443/x'],
  ['an address of IPv6', 'https://[2001:db8::1]:8443/x'],
  ['letters beyond ASCII', 'https://пример.example/путь'],
  ['a placeholder in the path', 'https://example.com/[[+campaign]]/x'],
  ['an uncached placeholder', 'https://example.com/[[!+campaign]]'],
  ['a placeholder in braces', 'https://example.com/?from={source}'],
  ['placeholders in query and fragment', 'https://example.com/?a=[[+a]]&b={b}#[[+c]]'],
  ['a path of the site', '/sale?from={source}'],
  ['a link to a resource', '[[~12]]'],
  ['an uncached link', '[[!~12]]'],
  ['a link with parameters', '[[~12? &a=`1` &b=`two words`]]'],
  ['a link with a query behind it', '[[~12]]?from=[[+source]]#top'],
])('%s is accepted', (_name, url) => {
  expect(urlProblem(url)).toBeNull();
});

test.each<[name: string, url: string]>([
  ['a script', 'javascript:alert(1)'],
  ['a script in disguise', 'java\tscript:alert(1)'],
  ['a script behind a space', ' javascript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['a file', 'file:///etc/passwd'],
  ['ftp', 'ftp://example.com/'],
  ['no scheme', 'example.com'],
  ['a host without scheme', '//example.com/'],
  ['a host behind backslashes', '/\\example.com/'],
  ['a backslash behind the host', 'https://example.com\\@evil.example/'],
  ['no host', 'https://'],
  ['no host before the path', 'https:///x'],
  ['a port without host', 'https://:80/'],
  ['a user', 'https://example.com@evil.example/'],
  ['user and password', 'https://user:password@example.com/'],
  ['a placeholder alone', '[[+url]]'],
  ['braces alone', '{url}'],
  ['a placeholder as scheme', '[[+scheme]]://example.com/'],
  ['a placeholder as host', 'https://[[+host]]/'],
  ['braces as host', 'https://{host}/'],
  ['a placeholder in the host', 'https://[[+name]].example.com/'],
  ['a placeholder that ends the host', 'https://example.com[[+x]]/'],
  ['braces that end the host', 'https://example.com{x}'],
  ['a placeholder as port', 'https://example.com:{port}/'],
  ['an encoded host', 'https://exa%6dple.com/'],
  ['a placeholder behind the first slash', '/[[+path]]'],
  ['braces behind the first slash', '/{path}'],
  ['a setting', '[[++site_url]]sale'],
  ['a snippet', '[[Redirect]]'],
  ['a setting behind the host', 'https://example.com/[[++site_url]]'],
  ['a field of the page behind the host', '/sale?page=[[*id]]'],
  ['a placeholder with an output filter', 'https://example.com/[[+x:default=`y`]]'],
  ['a setting behind a link', '[[~12]]?from=[[++site_name]]'],
  ['a link without id', '[[~]]'],
  ['a link to a placeholder', '[[~[[+id]]]]'],
  ['a link with text behind it', '[[~12]]evil'],
  ['a link with a host behind it', '[[~12]].evil.example'],
  ['a space', 'https://example.com/a b'],
  ['a line break', 'https://example.com/\r\nX: y'],
  ['a non-breaking space', 'https://example.com/\u00a0'],
])('%s is refused', (_name, url) => {
  expect(urlProblem(url)).toBe(refused);
});

test('keeps the host of an accepted address whatever fills its placeholders', () => {
  const pieces = [
    'https://example.com',
    'http://a.example:81',
    '/',
    '//',
    '[[+x]]',
    '{x}',
    '?',
    '#',
    '@',
    ':',
    '.',
    'evil.example',
    '\\',
    '%2f',
  ];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''));
  const values = fc.constantFrom(
    '/',
    '//evil.example',
    '@evil.example',
    '.evil.example',
    ':81',
    '\\\\evil.example',
    '?',
    '#',
  );
  fc.assert(
    fc.property(texts, values, (text, value) => {
      fc.pre(text !== '' && urlProblem(text) === null);
      const filled = (by: string): string =>
        new URL(text.replaceAll(placeholderPattern, by), 'https://site.example').host;
      expect(filled(value)).toBe(filled('x'));
    }),
    { numRuns: 3000 },
  );
});
