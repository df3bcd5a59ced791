/** `hcd db copy`: what it accepts; `copy-stores.ts` does the work. */
import { databaseUrlValue } from '../../src/config/database-url.js';
import { choiceValue, listValue, textValue } from '../../src/config/value-type.js';
import { passingTables } from '../../src/operations/copy/copy-request.js';
import { defineCommand } from '../command.js';
import { optional, required, toggle } from '../parameters.js';
import { copyStores } from './copy-stores.js';

export const command = defineCommand({
  path: 'db copy',
  summary: 'Copy a database to SQLite or MariaDB',
  description:
    'Copies everything from one database to another: from a database of hcd or of an existing MODX site (2.8 to 3.1), to SQLite or MariaDB. The source is only read. The target must be empty or contain an interrupted copy of the same source, which continues after its last committed batch. Nothing else is ever overwritten. Ids stay the same, and tables of MODX extras are copied too. Each table is read back and compared with the source; the exit code is 1 when one differs. Rows of the tables session and manager_log are skipped unless --include names them.',
  arguments: {},
  options: {
    from: required(databaseUrlValue, { placeholder: 'URL', description: 'Database to copy from' }),
    to: required(databaseUrlValue, { placeholder: 'URL', description: 'Empty database to copy to' }),
    fromPrefix: optional(textValue({ accepts: 'letters, digits and _', pattern: /^\w*$/ }), {
      placeholder: 'PREFIX',
      description: 'Prefix of the content tables in the source (default: the configured content prefix)',
    }),
    fromOwn: optional(databaseUrlValue, {
      placeholder: 'URL',
      description: 'Database of the hcd_ tables of the source, when they are not in the content database',
    }),
    tables: optional(choiceValue(['core', 'all']), {
      placeholder: 'WHICH',
      description: 'Tables to copy: core skips the tables of MODX extras (default: all)',
    }),
    include: optional(listValue(choiceValue(passingTables)), {
      placeholder: 'TABLES',
      description: 'Skipped tables to copy too, separated by commas',
    }),
    dryRun: toggle('List the tables without copying them'),
  },
  examples: [
    {
      line: 'db copy --from mariadb://site:secret@db.example/modx --to sqlite:./hcd.sqlite',
      does: 'Copy an existing site into a SQLite file',
    },
    {
      line: 'db copy --from sqlite:./hcd.sqlite --to mariadb://hcd:secret@db.example/hcd --dry-run',
      does: 'List the tables that a move to a server would copy',
    },
  ],
  run: copyStores,
});
