/**
 * A migration: one reversible, dated step with everything that it may use. Migrations import these types and
 * nothing else of the program, so that a released step keeps meaning what it meant.
 */
import type { QueryInterface, Transaction } from 'sequelize';
import type { DialectName } from '../base/database.js';

/** Which database a step changes: the content tables (own store only) or the program's own tables. */
export type MigrationTarget = 'content' | 'own';

/** The only way for a migration to reach a database. */
export interface MigrationContext {
  readonly dialect: DialectName;
  /** Prefix of the target's tables: the content prefix, or `hcd_` for own tables. */
  readonly prefix: string;
  /** Executes one complete statement; values are literals in its text. */
  run(sql: string): Promise<void>;
  /** Rows as arrays of values in the order of the select list. */
  select(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Changes the database by Sequelize's query interface, where it can say what a step needs. */
  change(work: (queryInterface: QueryInterface, transaction: Transaction) => Promise<unknown>): Promise<void>;
}

/**
 * One step. `up` and `down` must be safe to repeat: on MariaDB a crash can leave a step done but not recorded, since
 * every DDL statement commits at once.
 */
export interface Migration {
  /** Name of its file without extension: `2026-11-21T02-content-resources`. Order of names is order of steps. */
  readonly name: string;
  readonly target: MigrationTarget;
  up(context: MigrationContext): Promise<void>;
  down(context: MigrationContext): Promise<void>;
}
