/** MariaDB servers whose options are tighter than what a site needs: what works, and what is said where it does not. */
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { makeOwnStore } from '../operations/copy/stores.js';
import { type CliOutcome, runCli } from '../support/cli.js';
import {
  describeEachDatabase,
  describeWithOwnMariadb,
  executeOnMariadb,
  freshSqliteUrl,
  type MariadbServer,
  startMariadb,
} from '../support/databases.js';
import { makeTempDir } from '../support/temp-dir.js';

const run = (line: readonly string[]): Promise<CliOutcome> => runCli(line, { openStore, clock: systemClock });

async function newDatabase(server: MariadbServer, name: string): Promise<string> {
  await executeOnMariadb(server.url, [`CREATE DATABASE ${name}`]);
  return `${server.url}/${name}`;
}

describeWithOwnMariadb('a server whose tables have the row format COMPACT by default', () => {
  let server: MariadbServer;
  beforeAll(async () => {
    server = await startMariadb(['--innodb-default-row-format=compact']);
  });

  it('gets the tables of a new store', async () => {
    const url = await newDatabase(server, 'fresh');
    expect(await run(['migrate', '--database', url])).toMatchObject({ code: 0, stderr: '' });
  });

  it('gets a copy and a restored backup', async () => {
    const source = await freshSqliteUrl();
    await makeOwnStore(source, { site_content: [{ id: 1 }] });
    const file = join(await makeTempDir('compact'), 'a.backup');
    const [copied, restored] = [await newDatabase(server, 'copied'), await newDatabase(server, 'restored')];
    expect(await run(['db', 'copy', '--from', source, '--to', copied, '--quiet'])).toMatchObject({ code: 0 });
    expect(await run(['backup', file, '--database', copied])).toMatchObject({ code: 0 });
    expect(await run(['restore', file, '--database', restored])).toMatchObject({ code: 0 });
  });
});

describeEachDatabase('a step that the database refuses', (database) => {
  it('is reported with what the database answered, in the text and in the details', async () => {
    const url = await database.url();
    const opened = await openDatabase({ url });
    await opened.write((tx) => tx.run({ sql: 'CREATE VIEW hcd_previews AS SELECT 1 AS id', params: [] }));
    await opened.close();
    const said = database.name === 'sqlite' ? /views may not be indexed/ : /is not of type 'BASE TABLE' \(1347\)/;
    const outcome = await run(['migrate', '--database', url]);
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringMatching(said) });
    const { error } = JSON.parse((await run(['migrate', '--database', url, '--json'])).stdout);
    expect(error).toMatchObject({ code: 'database_not_ready', details: { cause: expect.stringMatching(said) } });
  });
});
