/** Lines of CSV (RFC 4180) that spreadsheets do not read as formulas. */

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Marks text that a spreadsheet would compute with an apostrophe; text that looks marked gets another one. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const guarded = computed.test(value) ? `'${value}` : value;
  return special.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

/** Signs that open a formula, also after invisible characters, and those that NFKC turns into such a sign. */
const sign = String.raw`[=+\-@＝＋－＠﹦﹢﹣﹫⁺⁼₊₌⩵⩶﬩]`;
const opening = String.raw`(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*${sign})`;
// Outside the functions, so that each pattern is compiled once.
const computed = new RegExp(`^'*${opening}`, 'u');
const guardedText = new RegExp(`^'+${opening}`, 'u');
// Some spreadsheets also split at semicolons and tabs, and could compute the rest as a cell.
const special = /[",;\t\r\n]/;

export function withoutGuard(cell: string): string {
  return guardedText.test(cell) ? cell.slice(1) : cell;
}
