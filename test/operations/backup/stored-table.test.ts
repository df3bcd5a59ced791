/** Which tables a backup may hold. */
import { describe, expect, it } from 'vitest';
import { decodeTable, LineFault } from '../../../src/operations/backup/stored-table.js';

function tableOf(declared: string): unknown {
  const column = { name: 'c', declared, nullable: true, fallback: { kind: 'none' } };
  return {
    ...{ name: 't', group: 'extra', dialect: 'mariadb' },
    columns: [column],
    primaryKey: [],
    indexes: [],
    nextId: null,
  };
}

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
    expect(decodeTable(tableOf(declared)).shape.columns.get('c')?.declared).toBe(declared);
  });

  it.each([
    'int default (1)',
    'int); drop table x; --',
    'int(1)(2)',
    'int as (select)',
    'primary key',
    `int(${'1'.repeat(200)})`,
    "enum('a') default 'b'",
  ])('is refused: %s', (declared) => {
    expect(() => decodeTable(tableOf(declared))).toThrow(LineFault);
  });
});
