/** A slash in a title ends a word of its alias: `A/B test` becomes `a-b-test`. A list that an operator changed stays. */
import type { MigrationContext } from '../src/store/migrations/migration.js';
import { quote } from './sql.js';

async function replace({ run, prefix }: MigrationContext, from: string, to: string): Promise<void> {
  // The time of the last edit is not that of this step.
  await run(
    `UPDATE ${quote(`${prefix}system_settings`)} SET ${quote('value')} = '${to}', ${quote('editedon')} = ${quote('editedon')} WHERE ${quote('key')} = 'friendly_alias_word_delimiters' AND ${quote('value')} = '${from}'`,
  );
}

export function up(context: MigrationContext): Promise<void> {
  return replace(context, '-_', '-_/');
}

export function down(context: MigrationContext): Promise<void> {
  return replace(context, '-_/', '-_');
}
