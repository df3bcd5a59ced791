/** Rows of `hcd_section_types`: definitions that stand in the place of shipped ones or beside them, and hidden keys. */
import type { RawRow, Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

export interface SectionTypeRow {
  readonly key: string;
  /** The definition as JSON, as it was imported; null hides the shipped type of the key. */
  readonly definition: string | null;
  /** Unix milliseconds of the database's clock. */
  readonly changedOn: number;
  readonly changedBy: string;
}

const columns = '`key`, `definition`, `changed_on`, `changed_by`';

/** All rows, by key. */
export async function readSectionTypeRows(reader: Reader): Promise<readonly SectionTypeRow[]> {
  const sql = `SELECT ${columns} FROM \`hcd_section_types\` ORDER BY \`key\``;
  return (await reader.select({ sql, params: [] })).map(decodeRow);
}

/** Creates or replaces the row of a key. */
export async function writeSectionTypeRow(
  tx: Tx,
  { key, definition, changedBy }: Omit<SectionTypeRow, 'changedOn'>,
): Promise<void> {
  const now = nowMilliseconds(tx.dialect);
  const conflict =
    tx.dialect === 'mariadb'
      ? `ON DUPLICATE KEY UPDATE \`definition\` = VALUES(\`definition\`), \`changed_on\` = ${now}, \`changed_by\` = VALUES(\`changed_by\`)`
      : `ON CONFLICT (\`key\`) DO UPDATE SET \`definition\` = excluded.\`definition\`, \`changed_on\` = ${now}, \`changed_by\` = excluded.\`changed_by\``;
  await tx.run({
    sql: `INSERT INTO \`hcd_section_types\` (${columns}) VALUES (?, ?, ${now}, ?) ${conflict}`,
    params: [key, definition, changedBy],
  });
}

/** False when there was no row of the key. */
export async function deleteSectionTypeRow(tx: Tx, key: string): Promise<boolean> {
  const { changes } = await tx.run({ sql: 'DELETE FROM `hcd_section_types` WHERE `key` = ?', params: [key] });
  return changes > 0;
}

function decodeRow([key, definition, changedOn, changedBy]: RawRow): SectionTypeRow {
  return {
    key: String(key),
    definition: definition === null || definition === undefined ? null : String(definition),
    changedOn: Number(changedOn),
    changedBy: String(changedBy),
  };
}
