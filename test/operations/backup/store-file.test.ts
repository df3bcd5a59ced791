/** Which types a column of a backup may have, and which folders of ended processes a backup removes. */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isType, withStoreFile } from '../../../src/operations/backup/store-file.js';
import { makeTempDir } from '../../support/temp-dir.js';

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

describe('the folder of an ended backup', () => {
  it.skipIf(process.getuid?.() !== 0)(
    'is removed when it is our own, and stays when another user made it',
    async () => {
      const parent = await makeTempDir('left');
      const { pid } = spawnSync('true');
      const [own, foreign, file] = ['aaaaaa', 'bbbbbb', 'cccccc'].map((end) => `hcd-backup-${pid}-${end}`);
      for (const name of [own, foreign]) mkdirSync(join(parent, `${name}`));
      chownSync(join(parent, `${foreign}`), 12_345, 12_345);
      writeFileSync(join(parent, `${file}`), 'a file');
      await withStoreFile(`sqlite:${join(parent, 'site.sqlite')}`, async () => undefined);
      expect(readdirSync(parent).sort()).toEqual([foreign, file]);
    },
  );
});
