/** Lines of CSV: quoted as RFC 4180 says, read back by another library as they were, and never a formula. */
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, withoutGuard } from '../../../src/banners/rules/csv.js';

test.each<[name: string, cell: string | number | null, written: string]>([
  ['plain text', 'Sale', 'Sale'],
  ['a comma', 'a,b', '"a,b"'],
  ['quotes', 'say "x"', '"say ""x"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['nothing', null, ''],
  ['empty text', '', ''],
  ['a number', 57.89, '57.89'],
  ['a number below 0', -5, '-5'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with a comma', '=A(1,2)', `"'=A(1,2)"`],
  ['plus', '+49', "'+49"],
  ['minus', '-1', "'-1"],
  ['at', '@SUM', "'@SUM"],
  ['a formula behind a semicolon, which parts cells in many spreadsheets', 'a;=1+1;', '"a;=1+1;"'],
  ['a formula behind a tab', 'a\t=1+1', '"a\t=1+1"'],
  ['a tab', '\t=1', `"'\t=1"`],
  ['a carriage return', '\r=1', `"'\r=1"`],
  ['a line feed', '\n=1', `"'\n=1"`],
  ['a line feed before letters', '\na', `"'\na"`],
  ['blanks before a sign', '  =1', "'  =1"],
  ['a space that does not break', '\u00a0+1', "'\u00a0+1"],
  ['a blank of East Asian width', '\u3000@x', "'\u3000@x"],
  ['characters without width before a sign', '\u200b\u2060\ufeff-1', "'\u200b\u2060\ufeff-1"],
  ['a mark of direction before a sign', '\u202e=1', "'\u202e=1"],
  ['a null before a sign', '\u0000=1', "'\u0000=1"],
  ['a sign of full width', '＝1+1', "'＝1+1"],
  ['a small sign', '﹢1', "'﹢1"],
  ['a raised plus', '⁺1', "'⁺1"],
  ['the plus of Hebrew', '﬩1', "'﬩1"],
  ['blanks before letters', '  a', '  a'],
  ['a sign behind letters', 'a =1', 'a =1'],
  ['an apostrophe of its own', "'=1", "''=1"],
  ['an apostrophe before letters', "'s", "'s"],
])('%s', (_name, cell, written) => {
  expect(csvLine([cell, 1])).toBe(`${written},1\r\n`);
});

test('every character that becomes a sign of a formula is guarded', () => {
  const signs = Array.from({ length: 0x11_0000 }, (_none, code) => String.fromCodePoint(code)).filter((one) =>
    /^[=+\-@]/.test(one.normalize('NFKC')),
  );
  expect(signs.filter((one) => csvLine([one]) !== `'${one}\r\n`)).toEqual([]);
});

test('restores every text and begins no cell like a formula, also with semicolons and tabs', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', 'a') }),
    fc.string({
      unit: fc.constantFrom('＝', '＋', '－', '＠', '=', ' ', '\u00a0', '\u3000', '\u200b', '\ufeff', "'", 'a'),
    }),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 2, maxLength: 5 }), (cells) => {
      const [row = []]: string[][] = parse(csvLine(cells), { record_delimiter: '\r\n' });
      for (const cell of row) {
        expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
        expect(cell.normalize('NFKC').replace(/[\s\u200b\ufeff]/g, '')).not.toMatch(/^[=+\-@]/);
      }
      expect(row.map(withoutGuard)).toEqual(cells);
      // As a spreadsheet reads the file that takes each of these marks for the end of a cell.
      const parted: string[][] = parse(csvLine(cells), { record_delimiter: '\r\n', delimiter: [',', ';', '\t'] });
      expect(parted).toEqual([row]);
    }),
    { numRuns: 1000 },
  );
});
