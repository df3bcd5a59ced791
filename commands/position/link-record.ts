/** Links of banners to positions as records. */
import type { Link } from '../../src/banners/rules/banner.js';
import type { JsonRecord } from '../result.js';

/** The names of the table's columns. */
export function linkRecord({ id, ad, position, idx, weight }: Link): JsonRecord {
  return { id, ad, position, idx, weight };
}
