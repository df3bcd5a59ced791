/** Lines of CSV (RFC 4180) that spreadsheets do not read as formulas. */

/** The end of a line. */
export const csvEnd = '\r\n';

/** One line with its end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return cells.map(csvCell).join(',') + csvEnd;
}

/**
 * One cell; null is an empty one. Text that a spreadsheet would compute gets a leading apostrophe, which marks text in such
 * programs. Text that already looks guarded gets one more, so that removing one restores the original.
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
// Outside the functions, so that each pattern is compiled once.
const computed = new RegExp(`^'*${opening}`, 'u');
const guardedText = new RegExp(`^'+${opening}`, 'u');
// Some spreadsheets also split at semicolons and tabs, and could compute the rest as a cell.
const special = /[",;\t\r\n]/;

/** The text before csvCell guarded it. */
export function withoutGuard(cell: string): string {
  return guardedText.test(cell) ? cell.slice(1) : cell;
}
