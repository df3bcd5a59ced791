/** Which types a column of a backup may have. */
import { describe, expect, it } from 'vitest';
import { isType } from '../../../src/operations/backup/store-file.js';

describe('a column type', () => {
  it.each([
    'int(10) unsigned',
    'bigint(20)',
    'decimal(10, 2)',
    'double precision',
    'varchar( 191 )',
    'datetime /* mariadb-5.3 */',
    'national varchar(20)',
    "enum('a','it''s')",
    `enum('${'a'.repeat(5000)}')`,
    '',
  ])('is restored: %s', (declared) => {
    expect(isType(declared)).toBe(true);
  });

  it.each([
    'int default (1)',
    'int); drop table x; --',
    'int(1)(2)',
    'int as (select)',
    'primary key',
    `int(${'1'.repeat(20_000)})`,
    "enum('a') default 'b'",
  ])('is refused: %s', (declared) => {
    expect(isType(declared)).toBe(false);
  });
});
