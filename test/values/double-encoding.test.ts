/** What counts as double-encoded: only text of which every byte is kept by the repair. */
import { expect, it } from 'vitest';
import { hasDoubleEncoding, repairedText } from '../../src/values/double-encoding.js';

/** As MySQL's latin1 reads the bytes of UTF-8. */
function doubled(text: string): string {
  const windows = new TextDecoder('windows-1252');
  return windows.decode(Buffer.from(text));
}

it.each(['é', 'Größe', 'Привет, мир', '漢字 😀', '“quoted” – €', 'ÀÁ\u0090', 'a\ufeffb é'])('repairs %j', (text) => {
  expect(repairedText(doubled(text))).toBe(text);
  expect(hasDoubleEncoding(doubled(text))).toBe(true);
});

it.each(['', 'plain', 'é', 'Größe', 'Привет', '漢字', '€', 'naïve café', 'Ã', '½ Âµ é'])(
  'leaves %j as it is',
  (text) => {
    expect(repairedText(text)).toBeNull();
  },
);

it.each([
  ['a right letter next to a double-encoded one', `é ${doubled('é')}`],
  ['a text that was cut inside a letter', doubled('Привет').slice(0, -1)],
  ['a letter that Latin-1 does not have', `${doubled('é')} 漢`],
])('leaves %s as it is, and finds it unclear', (_name, text) => {
  expect(repairedText(text)).toBeNull();
  expect(hasDoubleEncoding(text)).toBe(true);
});
