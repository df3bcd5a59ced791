/** `hcd db copy`: what it accepts; `copy-stores.ts` does the work. */
import { databaseUrlValue } from '../../src/config/database-url.js';
import { choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import { passingTables } from '../../src/operations/copy/copy-request.js';
import { defineCommand } from '../command.js';
import { optional, required, toggle } from '../parameters.js';
import { copyStores } from './copy-stores.js';

export const command = defineCommand({
  path: 'db copy',
  summary: 'Copy a store into an empty database of either kind',
  description:
    'Copies everything from one database to another: a store of this program or the database of an existing MODX site (2.8 to 3.1), SQLite or MariaDB, to SQLite or MariaDB. The source is only read. The target must be empty or hold an interrupted copy of the same source, which then goes on after its last committed batch; nothing else is ever overwritten. The target gets the tables of this program, ids stay the same, and tables of extras are copied too. Each table is read back and compared with the source; the exit code is 1 when any differs. Rows of the tables session and manager_log are left out unless --include names them.',
  arguments: {},
  options: {
    from: required(databaseUrlValue, { placeholder: 'URL', description: 'Database to copy from' }),
    to: required(databaseUrlValue, { placeholder: 'URL', description: 'Empty database to copy to' }),
    fromPrefix: optional(textValue({ accepts: 'letters, digits and _', pattern: /^\w*$/ }), {
      placeholder: 'PREFIX',
      description: 'Prefix of the content tables in the source; the configured content prefix when left out',
    }),
    fromOwn: optional(databaseUrlValue, {
      placeholder: 'URL',
      description: "Database of the source's hcd_ tables where they are not beside its content (HCD_OWN_DATABASE_URL)",
    }),
    tables: optional(choiceValue(['core', 'all']), {
      placeholder: 'WHICH',
      description: 'Whether tables of extras are copied too (all, the default) or left out (core)',
    }),
    include: optional(listValue(choiceValue(passingTables)), {
      placeholder: 'TABLES',
      description: 'Comma list of tables to copy that are left out otherwise',
    }),
    dryRun: toggle('Say what would be copied and change nothing'),
  },
  examples: [
    {
      line: 'db copy --from mariadb://site:secret@db.example/modx --to sqlite:./hcd.sqlite',
      does: 'Make an embedded file of an existing site',
    },
    {
      line: 'db copy --from sqlite:./hcd.sqlite --to mariadb://hcd:secret@db.example/hcd --dry-run',
      does: 'See what moving to a server would copy',
    },
  ],
  run: copyStores,
});
