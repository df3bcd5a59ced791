/** `npm run bench:explain`: the plan that the database makes for every statement of every scenario. */
import type { Reader } from '../src/store/base/database.js';
import { endOnSignals } from './children.js';
import { type DatabaseName, provideSite } from './generate.js';
import { readOptions } from './options.js';
import { openRecorder, type RecordedStatement } from './record.js';
import { withServer } from './run.js';
import { chooseScenarios, type Scenario } from './scenarios.js';

endOnSignals();
const options = readOptions(process.argv.slice(2), 'node');
const say = (text: string) => void process.stderr.write(`${text}\n`);

for (const database of options.databases) {
  await withServer({ database, options }, async (serverUrl) => {
    for (const count of options.rows) {
      const { folder } = options;
      const databaseUrl = await provideSite({ database, count, folder, serverUrl, say });
      await explainSite({ database, count, databaseUrl });
    }
  });
}

async function explainSite(site: {
  readonly database: DatabaseName;
  readonly count: number;
  readonly databaseUrl: string;
}) {
  const recorder = await openRecorder(site.databaseUrl);
  try {
    print(`## ${site.database}, ${site.count} resources\n`);
    for (const scenario of chooseScenarios(options.scenarios)) {
      if (site.count > (scenario.most ?? site.count)) continue;
      const [variant] = await recorder.record(scenario, site.count);
      await explainScenario(scenario, { statements: variant?.first ?? [], reader: recorder.database });
    }
  } finally {
    await recorder.close();
  }
}

async function explainScenario(
  scenario: Scenario,
  { statements, reader }: { readonly statements: readonly RecordedStatement[]; readonly reader: Reader },
) {
  print(`${scenario.title}\n`);
  for (const { sql, params, heavy } of statements) {
    const word = reader.dialect === 'sqlite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const rows = await reader.select({ sql: `${word} ${sql}`, params, heavy });
    print(`    ${shortened(sql)}`);
    for (const row of rows) {
      // SQLite: only the words; MariaDB: table, type, key, key_len, rows, Extra.
      const shown = reader.dialect === 'sqlite' ? [row[3]] : [row[2], row[3], row[5], row[6], row[8], row[9]];
      print(`      -> ${shown.map((value) => value ?? '-').join(' | ')}`);
    }
  }
  print('');
}

/** Without the select list, and with long lists of marks cut. */
function shortened(sql: string): string {
  return sql
    .replaceAll(/\s+/g, ' ')
    .replace(/^SELECT (?:.{60,}?) FROM/, 'SELECT … FROM')
    .replaceAll(/\?(?:, \?){3,}/g, '?, …');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
