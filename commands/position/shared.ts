/** What the commands for positions share. */
import type { Link } from '../../src/banners/rules/banner.js';
import type { JsonRecord } from '../result.js';

export const aboutContext = {
  placeholder: 'KEY',
  description: 'Context of the position (default: every context)',
};

/** The names of the table's columns. */
export function linkRecord({ id, ad, position, idx, weight }: Link): JsonRecord {
  return { id, ad, position, idx, weight };
}
