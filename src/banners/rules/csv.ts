/** Lines of CSV (RFC 4180) that no spreadsheet takes for formulas. */

/** The end of a line. */
export const csvEnd = '\r\n';

/** One line with its end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map(csvCell).join(',') + csvEnd;
}

/**
 * One cell; null is an empty one. Text that a spreadsheet would compute gets an apostrophe in front, which such programs
 * take for "this is text". What looks guarded already gets one more, so that taking it off gives the text as it was.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const guarded = computed.test(value) ? `'${value}` : value;
  return special.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/**
 * What a spreadsheet may compute: a sign that opens a formula with nothing visible before it, or a tab or line break
 * first, after which some look again. Signs are also those that Unicode's compatibility form (NFKC) makes such a sign:
 * of full width, small, raised, lowered, doubled, and the plus of Hebrew.
 */
const sign = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫⁺⁼₊₌⩵⩶﬩]`;
const opening = String.raw`(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*${sign})`;
// Made once: a pattern that stands in a function is another object in every call of it.
const computed = new RegExp(`^'*${opening}`, 'u');
const guardedText = new RegExp(`^'+${opening}`, 'u');
// A semicolon and a tab part cells too where a spreadsheet looks for them, and what is behind might be computed.
const special = /[",;\t\r\n]/;

/** The text that csvCell guarded, for whoever reads such a file. */
export function withoutGuard(cell: string): string {
  return guardedText.test(cell) ? cell.slice(1) : cell;
}
