/** Rows of `hcd_login_networks`: pairs of a user and a network from which a log-in succeeded lately, as digests. */
import type { Reader, Tx } from '../../store/base/database.js';
import { nowMilliseconds } from '../../store/state/ledger.js';

/** Whether the pair is kept and its time has not ended. */
export async function isLoginNetwork(reader: Reader, pairHash: string): Promise<boolean> {
  const rows = await reader.select({
    sql: `SELECT 1 FROM \`hcd_login_networks\` WHERE \`pair_hash\` = ? AND \`ends_on\` > ${nowMilliseconds(reader.dialect)}`,
    params: [pairHash],
  });
  return rows.length > 0;
}

/** Keeps the pair for so many milliseconds from now on. */
export async function keepLoginNetwork(
  tx: Tx,
  { pairHash, keptMs }: { readonly pairHash: string; readonly keptMs: number },
): Promise<void> {
  const isMariadb = tx.dialect === 'mariadb';
  const conflict = isMariadb ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (`pair_hash`) DO UPDATE SET';
  const given = isMariadb ? 'VALUES(`ends_on`)' : 'excluded.`ends_on`';
  await tx.run({
    sql: `INSERT INTO \`hcd_login_networks\` (\`pair_hash\`, \`ends_on\`) VALUES (?, ${nowMilliseconds(tx.dialect)} + ?) ${conflict} \`ends_on\` = ${given}`,
    params: [pairHash, keptMs],
  });
}

/** Removes pairs whose time has ended, so many at most; gives how many there were. */
export async function removeEndedLoginNetworks(tx: Tx, most: number): Promise<number> {
  const now = nowMilliseconds(tx.dialect);
  // The inner table makes MariaDB take a LIMIT here.
  const ended = `SELECT \`pair_hash\` FROM (SELECT \`pair_hash\` FROM \`hcd_login_networks\` WHERE \`ends_on\` <= ${now} LIMIT ?) AS \`old\``;
  const sql = `DELETE FROM \`hcd_login_networks\` WHERE \`pair_hash\` IN (${ended}) AND \`ends_on\` <= ${now}`;
  return (await tx.run({ sql, params: [most] })).changes;
}
