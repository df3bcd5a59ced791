/** Texts in JSON that are changed where they are written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceTexts, textsWith } from '../../../src/content/reading/resolve-texts.js';

function change(json: string, map: (text: string) => string): string {
  return replaceTexts(
    json,
    textsWith('tags', json).map((found) => ({ ...found, text: map(found.written) })),
  );
}

/** What each of the texts becomes that are values. */
function changed(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => changed(item, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, changed(member, map)]));
}

const mark = (text: string) => text.replaceAll('[[', '"\\');

describe('texts in JSON', () => {
  it.each([
    ['{"a":"[[x","[[":1.10}', '{"a":"\\"\\\\x","[[":1.10}'],
    ['{"[["\n\t:\r "[["}', '{"[["\n\t:\r "\\"\\\\"}'],
    [String.raw`["\u005b[","\u005B\u005b","\\[["]`, String.raw`["\"\\","\"\\","\\\"\\"]`],
    [String.raw`[[1e2,-0.0],"x\"[[y","\/\u00e9"]`, String.raw`[[1e2,-0.0],"x\"\"\\y","\/\u00e9"]`],
    ['["[[",]', '["[[",]'],
    ['["[[', '["[['],
    ['"', '"'],
    [`${'['.repeat(64)}"[["${']'.repeat(64)}`, `${'['.repeat(64)}"\\"\\\\"${']'.repeat(64)}`],
    [`${'['.repeat(65)}"[["${']'.repeat(65)}`, `${'['.repeat(65)}"[["${']'.repeat(65)}`],
  ])('change alone: %s', (json, expected) => {
    expect(change(json, mark)).toBe(expected);
  });

  it('with HTML are found where they are asked for', () => {
    const json = String.raw`{"<a":"<a>","b":["\u003Cb","c","[["]}`;
    const found = textsWith('tagsOrHtml', json).map(({ written }) => written);
    expect(found).toEqual(['<a>', '<b', '[[']);
    expect(textsWith('tags', json).map(({ written }) => written)).toEqual(['[[']);
  });

  it('are those that a parser finds', () => {
    const text = fc
      .array(fc.constantFrom('[[', '[', '"', '\\', ':', ',', '{', 'é', '\n', '\ud800', 'x'))
      .map((parts) => parts.join(''));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      object: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    }));
    fc.assert(
      fc.property(value, fc.nat(2), (given, indent) => {
        const json = JSON.stringify(given, null, indent);
        const made = change(json, mark);
        expect(JSON.parse(made)).toEqual(changed(JSON.parse(json), mark));
        if (!/\[\[/.test(JSON.stringify(given))) expect(made).toBe(json);
      }),
    );
  });

  it('are looked for once, whatever the text holds', () => {
    for (const piece of ['\\"', '\\\\', '"', '"[[":', '"[["   ', '[[', '[]', '{"[[']) {
      expect(change(piece.repeat(200_000), mark)).toBe(piece.repeat(200_000));
    }
  });
});
