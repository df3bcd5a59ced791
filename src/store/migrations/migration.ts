/** Types of migrations, which import nothing else of the program, so that a released step keeps its meaning. */
import type { QueryInterface, Transaction } from 'sequelize';
import type { DialectName } from '../base/database.js';

export type MigrationTarget = 'content' | 'own';

export interface MigrationContext {
  readonly dialect: DialectName;
  /** The content prefix, or `hcd_` for own tables. */
  readonly prefix: string;
  /** One complete statement; values are literals in its text. */
  run(sql: string): Promise<void>;
  select(sql: string): Promise<readonly (readonly unknown[])[]>;
  change(work: (queryInterface: QueryInterface, transaction: Transaction) => Promise<unknown>): Promise<void>;
}

/** Both directions are safe to repeat: MariaDB commits DDL at once, so a crash can leave a step unrecorded. */
export interface Migration {
  /** Its file name without extension, such as `2026-11-28T03-content-resources`. Steps run in order of name. */
  readonly name: string;
  readonly target: MigrationTarget;
  up(context: MigrationContext): Promise<void>;
  down(context: MigrationContext): Promise<void>;
}
