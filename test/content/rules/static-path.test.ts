/** Which paths a static resource may have, and which class names make one. */
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStaticClass, staticPathProblem } from '../../../src/content/resources/check-values.js';

describe('a path of a static resource', () => {
  test.each([
    '',
    'price-list.pdf',
    'files/2026/price list.pdf',
    'a.b/c..d.html',
    'straße/ü.txt',
    '100%.txt',
    '.well-known/x',
  ])('may be %j', (path) => {
    expect(staticPathProblem(path)).toBeNull();
  });

  test.each([
    ...[
      '/etc/passwd',
      '//etc/passwd',
      '../config.php',
      'a/../../b',
      'a/..',
      '..',
      '.',
      './a',
      'a//b',
      'a/',
      '... /a',
      '.. /a',
    ],
    ...[
      '..\\config.php',
      'a\\b',
      '\\\\server\\share',
      'C:/boot.ini',
      'c:boot.ini',
      'C:\\boot.ini',
      'a:b',
      'x.txt::$DATA',
    ],
    ...[
      'file:///etc/passwd',
      'FILE:/etc/passwd',
      'php://filter/resource=x',
      'data:text/plain,x',
      'http://a/b',
      'zip:x',
    ],
    ...[' /etc/passwd', '\t/etc/passwd', 'a\0.txt', 'a\n', 'a\u202eb', '\ufeff/etc/passwd', 'a\u200b'],
    ...['%2fetc/passwd', '%2e%2e/x', '..%2f', '%252e%252e%252f', 'a%00', '%5c', '&#47;etc', '&period;&period;/x'],
    ...['[[++core_path]]config.inc.php', '{core_path}config.inc.php', '[[!snippet]]'],
  ])('may not be %j', (path) => {
    expect(staticPathProblem(path)).toMatch(/^must be the path of a file below the folder for static files/);
  });

  test('stays in its folder on any system, also when it is decoded again and again', () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      ':',
      '%',
      '2e',
      '2f',
      '25',
      '5c',
      '00',
      'a',
      'etc',
      ' ',
      'C',
      '\0',
      '&#46;',
      '~',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        let path = parts.join('');
        if (staticPathProblem(path) !== null) return;
        for (let round = 0; round < 4; round += 1) {
          for (const [system, folder] of [
            [posix, '/site/files'],
            [win32, 'C:\\site\\files'],
          ] as const) {
            const resolved = system.resolve(folder, path);
            expect([path, resolved === folder || resolved.startsWith(folder + system.sep)]).toEqual([path, true]);
          }
          path = path.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        }
      }),
      { numRuns: 3000 },
    );
  });
});

test.each([
  ['modStaticResource', true],
  ['MODX\\Revolution\\modStaticResource', true],
  ['\\MODX\\Revolution\\MODSTATICRESOURCE', true],
  ['modstaticresource ', true],
  ['Shop\\modStaticResource', true],
  ['modDocument', false],
  ['modStaticResourceLike', false],
  ['', false],
])('the class %j is static: %s', (name, isStatic) => {
  expect(isStaticClass(name)).toBe(isStatic);
});
