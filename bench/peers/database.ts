/** An empty database of its own for a peer on the private MariaDB, with an account that owns it. */
import mariadb from 'mariadb';

export interface Account {
  readonly host: string;
  readonly port: string;
  /** Name of the database, of the user and its password. */
  readonly name: string;
}

export async function makeAccount(serverUrl: string, peer: string): Promise<Account> {
  const { hostname: host, port, username } = new URL(serverUrl);
  const name = `hcd_bench_${peer}`;
  const connection = await mariadb.createConnection({ host, port: Number(port), user: username });
  await connection.query(`DROP DATABASE IF EXISTS ${name}`);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
  await connection.query(`CREATE OR REPLACE USER ${name}@127.0.0.1 IDENTIFIED BY '${name}'`);
  await connection.query(`GRANT ALL ON ${name}.* TO ${name}@127.0.0.1`);
  await connection.end();
  return { host, port, name };
}
