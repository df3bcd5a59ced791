/** Ids and counts are unsigned integers of four bytes, in the columns of both databases. */
export const largestUnsigned = 4_294_967_295;

/** Whether a text is a number from 1 in its shortest form, of as many digits as an id may have. */
export function isIdText(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text);
}
