/** Records the statements of a step: MariaDB commits DDL at once, so a step cannot be tried and rolled back there. */
import type { QueryInterface } from 'sequelize';
import { type Direction, type MigrationStore, prefixOf } from './migrate.js';
import type { Migration } from './migration.js';

export async function stepSql(store: MigrationStore, step: Migration, direction: Direction): Promise<string[]> {
  const { primary } = step.target === 'content' ? store.content : store.own;
  const statements: string[] = [];
  const record = async (sql: unknown): Promise<void> => {
    if (typeof sql !== 'string') throw new Error(`migration ${step.name} sends a statement that is not one text`);
    statements.push(sql);
  };
  await step[direction]({
    dialect: primary.dialect,
    prefix: prefixOf(store, step),
    run: record,
    select: (sql) => primary.select({ sql, params: [] }),
    change: async (work) => {
      await primary.query(step.name, ({ sequelize, transaction }) =>
        work(recording(sequelize.getQueryInterface(), record), transaction),
      );
    },
  });
  return statements;
}

function recording(real: QueryInterface, record: (sql: unknown) => Promise<void>): QueryInterface {
  const sequelize = Object.create(real.sequelize, { query: { value: record } });
  return Object.create(real, { sequelize: { value: sequelize } });
}
