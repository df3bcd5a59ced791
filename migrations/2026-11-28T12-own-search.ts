/** Indexes that the program fills: words of resources (FTS5 on SQLite, FULLTEXT on MariaDB), and typed values of template variables. */
import type { Migration, MigrationContext } from '../src/store/migrations/migration.js';
import { flag, nullable, required, stepOf } from './table.js';

const tables = stepOf([
  {
    name: 'search',
    columns: [
      required('resource', 'int(10) unsigned'),
      required('title', 'text'),
      required('words', 'mediumtext'),
      required('digest', 'varchar(64)'),
    ],
    primaryKey: ['resource'],
  },
  {
    name: 'tv_values',
    columns: [
      required('resource', 'int(10) unsigned'),
      required('tv', 'int(10) unsigned'),
      required('part', flag),
      required('place', 'int(10) unsigned'),
      nullable('number', 'double'),
      nullable('text', 'varchar(255)'),
      nullable('whole', 'mediumtext'),
    ],
    primaryKey: ['resource', 'tv', 'part', 'place'],
    indexes: [
      { name: 'by_number', columns: ['tv', 'part', 'number', 'resource'] },
      { name: 'by_text', columns: ['tv', 'part', 'text', 'resource'] },
    ],
  },
]);

export const up: Migration['up'] = async (context) => {
  await tables.up(context);
  if (context.dialect === 'mariadb') await addFulltext(context);
  else for (const sql of ftsOf(context.prefix)) await context.run(sql);
};

export const down: Migration['down'] = async (context) => {
  if (context.dialect === 'sqlite') await context.run(`DROP TABLE IF EXISTS \`${context.prefix}search_index\``);
  await tables.down(context);
};

async function addFulltext({ prefix, select, run }: MigrationContext): Promise<void> {
  const found = await select(
    `SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = '${prefix}search' AND index_name = 'words'`,
  );
  if (found.length === 0) await run(`ALTER TABLE \`${prefix}search\` ADD FULLTEXT KEY \`words\` (\`words\`)`);
}

/** The index has no copy of the text: it removes words by the row in the table. */
function ftsOf(prefix: string): string[] {
  const [name, index] = [`\`${prefix}search\``, `\`${prefix}search_index\``];
  const add = `INSERT INTO ${index} (rowid, words) VALUES (new.resource, new.words);`;
  const remove = `INSERT INTO ${index} (${index}, rowid, words) VALUES ('delete', old.resource, old.words);`;
  const trigger = (event: string, work: string) =>
    `CREATE TRIGGER IF NOT EXISTS \`${prefix}search_${event.toLowerCase()}\` AFTER ${event} ON ${name} BEGIN ${work} END`;
  return [
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${index} USING fts5(words, content=${name}, content_rowid='resource', tokenize='unicode61 remove_diacritics 2')`,
    trigger('INSERT', add),
    trigger('DELETE', remove),
    trigger('UPDATE', `${remove} ${add}`),
  ];
}
