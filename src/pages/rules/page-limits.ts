/** Bounds of page documents and section types, which readers enforce, so that later code need not check sizes. */

export const pageLimits = Object.freeze({
  /** Sections of one page; the trash may hold as many. */
  sections: 1000,
  /** Characters of one document as JSON. */
  documentCharacters: 2_000_000,
  /** Lists and objects inside one another in `data`. */
  dataDepth: 12,
  /** Characters of a one-line text, an address or an id. */
  textCharacters: 2000,
  /** Characters of a text of several lines. */
  longTextCharacters: 50_000,
  /** Characters of rich text. */
  htmlCharacters: 200_000,
  /** Rows of one repeater, items of one list. */
  items: 500,
  /** Values of one visibility rule, and rules of one section. */
  rules: 50,
  /** Characters of a template. */
  templateCharacters: 50_000,
  /** Fields of one section type, nested ones included. */
  fields: 200,
  /** Repeaters inside one another. */
  fieldDepth: 4,
});
