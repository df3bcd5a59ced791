/** Typed values of template variables for filters and sorts, defaults included, made from the content alone. */
import { double, integer, key, orNull, text } from '../../store/models/columns.js';
import { defineModel, type RowOf } from '../../store/models/model.js';

export const tvParts = Object.freeze({
  /** A list is one text. */
  value: 0,
  member: 1,
  /** Marks a resource that inherits values; belongs to no variable. */
  inherits: 2,
  /** Of no resource: says what a variable was when its entries were made. */
  made: 3,
});

export const tvIndex = defineModel('hcd_tv_values', {
  resource: key(integer()),
  tv: key(integer()),
  part: key(integer()),
  place: key(integer()),
  number: orNull(double()),
  text: orNull(text(255)),
  /** Null when `text` holds all of it. */
  whole: orNull(text()),
});

export type TvIndexRow = RowOf<typeof tvIndex>;
