/** Hints for mistyped names: close names are found, far ones are not. */
import { describe, expect, it } from 'vitest';
import { nearMatch } from '../../src/config/near-match.js';

const names = ['port', 'host', 'database', 'database_read_urls', 'log_level'];

describe('the name that was probably meant', () => {
  it.each([
    ['two letters swapped', 'prot', 'port'],
    ['a letter missing', 'databse', 'database'],
    ['a letter too many', 'hosst', 'host'],
    ['another case', 'LOG_LEVEL', 'log_level'],
    ['hyphens for underscores', 'database-read-urls', 'database_read_urls'],
    ['nothing alike', 'colour', undefined],
    ['a short word with little in common', 'pit', undefined],
    ['the empty name', '', undefined],
  ])('with %s', (_name, typed, meant) => {
    expect(nearMatch(typed, names)).toBe(meant);
  });
});
