/** What the commands for positions of banners share. */
import type { Link } from '../../src/banners/rules/banner.js';
import type { JsonRecord } from '../command.js';

export const aboutContext = {
  placeholder: 'KEY',
  description: 'Context of the position (default: every context)',
};

export function linkRecord({ id, ad, position, idx, weight }: Link): JsonRecord {
  return { id, ad, position, idx, weight };
}
