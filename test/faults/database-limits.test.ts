/** MariaDB servers whose options are tighter than what a site needs: what works, and what is said where it does not. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConnection } from 'mariadb';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { servingLimits } from '../../src/store/base/limits.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { key } from '../http/gateway/writing-site.js';
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
import { startTestSite, type TestSite } from '../support/site.js';
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

describeWithOwnMariadb('a server with low limits', () => {
  let server: MariadbServer;
  let url: string;
  let site: TestSite;
  beforeAll(async () => {
    server = await startMariadb(['--max-allowed-packet=1M', '--innodb-lock-wait-timeout=1']);
    url = await newDatabase(server, 'low');
    await makeOwnStore(url, {
      site_content: [
        { id: 1, uri: 'one', alias: 'one' },
        { id: 2, uri: 'two', alias: 'two' },
      ],
    });
    const env = { HCD_GATEWAY_MAX_BODY_BYTES: '8000000' };
    site = await startTestSite({ databaseUrl: url, env, identities: { all: key('*') }, limits: servingLimits });
  });

  it('answers a value beyond max_allowed_packet with 413 that names the limit, and goes on', async () => {
    const patch = { as: 'all', method: 'PATCH', body: { content: 'x'.repeat(2_000_000) } };
    const refused = await site.get('/resources/1', patch);
    expect(refused).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', detail: expect.stringContaining('max_allowed_packet') },
    });
    expect(await site.get('/resources/1', { ...patch, body: { content: 'x' } })).toMatchObject({ status: 200 });
  });

  it('ends a command with 1 and the limit', async () => {
    const file = join(await makeTempDir('large'), 'page.json');
    await writeFile(file, JSON.stringify({ content: 'x'.repeat(2_000_000) }));
    const outcome = await run(['resource', 'update', '1', '--file', file, '--database', url]);
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('max_allowed_packet') });
  });

  it.each([['chunks'], ['resources']])('names the line of an import of %s that is too large', async (object) => {
    const file = join(await makeTempDir('large'), 'site.ndjson');
    const record = (name: string, text: string) =>
      object === 'chunks' ? { name, snippet: text } : { context_key: 'web', uri: name, pagetitle: name, content: text };
    const lines = [
      { hcd: 1, exported: '2026-11-20T00:00:00Z' },
      { object, record: record('small', 'x') },
      // Written with the row before it.
      { object, record: record('large', 'x'.repeat(2_000_000)) },
    ];
    const write = (given: readonly object[]) =>
      writeFile(file, given.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await write(lines);
    const refused = await run(['import', file, '--json', '--database', url]);
    expect(refused.code).toBe(1);
    expect(JSON.parse(refused.stdout)).toMatchObject({
      error: {
        message: expect.stringMatching(/^line 2 to line 3: .*max_allowed_packet.*; nothing was imported$/),
        details: { line: 2, column: 1, kept: { records: 0 } },
      },
    });
    await write(lines.slice(0, 2));
    expect(await run(['import', file, '--database', url])).toMatchObject({ code: 0 });
    // Now its row is changed, not inserted.
    await write([...lines.slice(0, 1), { object, record: record('small', 'x'.repeat(2_000_000)) }]);
    expect((await run(['import', file, '--database', url])).stderr).toMatch(/^hcd: line 2: .*max_allowed_packet/);
  });

  it('answers a row that does not fit into a page of an old table with 413, and changes nothing', async () => {
    // Each text takes 768 bytes of the page in this row format; a row has 8126 at most.
    const texts = Array.from({ length: 9 }, (_none, at) => `extra${at} text NULL`);
    const rows = `\`low\`.modx_site_content`;
    await executeOnMariadb(server.url, [
      'SET SESSION innodb_strict_mode = 0',
      `ALTER TABLE ${rows} ROW_FORMAT=COMPACT, ${texts.map((text) => `ADD ${text}`).join(', ')}`,
      `UPDATE ${rows} SET ${texts.map((_text, at) => `extra${at} = REPEAT('x', 900)`).join(', ')} WHERE id = 1`,
    ]);
    const long = 'x'.repeat(900);
    const body = {
      content: long,
      introtext: long,
      description: long,
      longtitle: 'ä'.repeat(191),
      menutitle: 'ä'.repeat(191),
    };
    const refused = await site.get('/resources/1', { as: 'all', method: 'PATCH', body });
    expect(refused).toMatchObject({
      status: 413,
      body: { code: 'payload_too_large', detail: expect.stringContaining('the size of its rows') },
    });
    expect(await site.get('/resources/1?fields=introtext')).toMatchObject({ body: { data: { introtext: '' } } });
  });

  it.each([
    ['innodb_lock_wait_timeout', { statement: 0, answer: 0, busy: 1 }],
    ['max_statement_time', { statement: 1000, busy: 1 }],
  ])('answers a write that waits for a lock beyond %s with 503 that names it', async (limit, limits) => {
    const identities = { all: key('*') };
    const waiting = await startTestSite({ databaseUrl: url, identities, limits: { ...servingLimits, ...limits } });
    const held = await createConnection({ port: server.port, host: '127.0.0.1', user: 'root', database: 'low' });
    await held.query('BEGIN');
    await held.query('SELECT * FROM modx_site_content WHERE id = 2 FOR UPDATE');
    const answer = await waiting.get('/resources/2', { as: 'all', method: 'PATCH', body: { introtext: 'x' } });
    await held.end();
    await waiting.close();
    expect(answer).toMatchObject({
      status: 503,
      body: { code: 'unavailable', detail: expect.stringContaining(limit) },
    });
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it('reports the limits that are below those of the settings in doctor', async () => {
    const { stdout } = await runCli(['doctor', '--all', '--json', '--database', url], {
      openStore,
      clock: systemClock,
    });
    const found = JSON.parse(stdout).data.filter(({ check }: { check: string }) => check === 'server-limits');
    expect(found).toEqual([
      expect.objectContaining({ state: 'warning', detail: expect.stringContaining('max_allowed_packet is 1048576') }),
    ]);
  });
});

describeWithOwnMariadb('a server without a free connection', () => {
  it('ends a command with 3 and the limit to raise', async () => {
    const server = await startMariadb(['--max-connections=10']);
    const url = await newDatabase(server, 'full');
    await makeOwnStore(url);
    const held = [];
    for (;;) {
      const one = await createConnection({ port: server.port, host: '127.0.0.1', user: 'root' }).catch(() => null);
      if (one === null) break;
      held.push(one);
    }
    const outcome = await run(['resource', 'list', '--database', url]);
    for (const one of held) await one.end();
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringContaining('max_connections') });
  });
});

describeEachDatabase('a step that the database refuses', (database) => {
  it('is reported with what the database answered, in the text and in the details', async () => {
    const url = await database.url();
    const opened = await openDatabase({ url });
    await opened.write((tx) => tx.run({ sql: 'CREATE VIEW hcd_search AS SELECT 1 AS id', params: [] }));
    await opened.close();
    const said =
      database.name === 'sqlite' ? /cannot create AFTER trigger on view/ : /is not of type 'BASE TABLE' \(1347\)/;
    const outcome = await run(['migrate', '--database', url]);
    expect(outcome).toMatchObject({ code: 3, stderr: expect.stringMatching(said) });
    const { error } = JSON.parse((await run(['migrate', '--database', url, '--json'])).stdout);
    expect(error).toMatchObject({ code: 'database_not_ready', details: { cause: expect.stringMatching(said) } });
  });
});
