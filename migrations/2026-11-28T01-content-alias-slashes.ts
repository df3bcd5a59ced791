/** A slash in a title ends a word of its alias, in stores whose aliases are ASCII by the method `ascii`. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { quote } from './sql.js';

async function replace({ run, prefix }: MigrationContext, from: string, to: string): Promise<void> {
  const [table, key, value, editedon] = [`${prefix}system_settings`, 'key', 'value', 'editedon'].map(quote);
  const isOwn = `SELECT ${key} FROM ${table} WHERE ${key} = 'friendly_alias_translit' AND ${value} = 'ascii'`;
  // The time stays; MariaDB reads a table that it updates only as a derived one.
  await run(
    `UPDATE ${table} SET ${value} = '${to}', ${editedon} = ${editedon} WHERE ${key} = 'friendly_alias_word_delimiters' AND ${value} = '${from}' AND EXISTS (SELECT 1 FROM (${isOwn}) AS own)`,
  );
}

export function up(context: MigrationContext): Promise<void> {
  return replace(context, '-_', '-_/');
}

export function down(context: MigrationContext): Promise<void> {
  return replace(context, '-_/', '-_');
}
