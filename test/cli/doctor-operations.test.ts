/** What `hcd doctor` finds about backups, the worker, replicas and Galera nodes, and how it shows findings to people. */
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { spaceFinding } from '../../src/operations/doctor/process-checks.js';
import type { CheckRow } from '../../src/operations/doctor/run-checks.js';
import { galeraFindings } from '../../src/operations/doctor/server-checks.js';
import { openDatabase, openStore } from '../../src/store/open/open.js';
import { type CliOptions, runCli } from '../support/cli.js';
import { describeEachDatabase, describeWithMariadb, freshMariadbUrl, freshSqliteUrl } from '../support/databases.js';
import { migrate } from '../support/migrate.js';
import { makeTempDir } from '../support/temp-dir.js';

const surroundings = { clock: systemClock, openStore };
const environment = { HCD_SECRET: 'a root secret for tests', NO_COLOR: '1' };

async function prepare(databaseUrl: string): Promise<string> {
  await migrate({ databaseUrl, prefix: 'modx_' });
  return databaseUrl;
}

async function change(url: string, sql: string): Promise<void> {
  const database = await openDatabase({ url });
  await database.write((tx) => tx.run({ sql, params: [] }));
  await database.close();
}

/** State, detail and fix of the findings of one check. */
async function found(url: string, check: string, options: CliOptions = {}): Promise<Omit<CheckRow, 'check'>[]> {
  const env = { HCD_DATABASE_URL: url, ...environment, ...options.env };
  const { stdout } = await runCli('doctor --json', { ...surroundings, ...options, env });
  const { data } = JSON.parse(stdout) as { data: CheckRow[] };
  return data.filter((row) => row.check === check).map(({ check: _name, ...rest }) => rest);
}

const hour = 3_600_000;

describeEachDatabase('hcd doctor about operations', (kind) => {
  it('warns of a backup that is older than a week, and of none that was never taken', async () => {
    const url = await prepare(await kind.url());
    expect(await found(url, 'backup')).toEqual([{ state: 'ok', detail: 'hcd backup was never used', fix: null }]);
    const folder = await makeTempDir('backups');
    const env = { HCD_DATABASE_URL: url };
    const { code } = await runCli(`backup --dir ${folder}`, { ...surroundings, env });
    expect(code).toBe(0);
    const [fresh] = await found(url, 'backup');
    expect(fresh).toEqual({
      state: 'ok',
      detail: expect.stringMatching(new RegExp(`^the last backup is 0 days old \\(${folder}/hcd-.*\\.backup\\)$`)),
      fix: null,
    });
    const later = { ...systemClock, now: () => systemClock.now() + 8 * 24 * hour };
    expect(await found(url, 'backup', { clock: later })).toEqual([
      {
        state: 'warning',
        detail: fresh?.detail.replace('0 days', '8 days'),
        fix: 'Run hcd backup --dir DIR --keep 7 every night (docs/backup.md)',
      },
    ]);

    const file = /\((.*)\)$/.exec(fresh?.detail ?? '')?.[1] ?? '';
    await chmod(file, 0o644);
    expect(await found(url, 'backup')).toEqual([
      {
        state: 'warning',
        detail: `other users of this machine may open 1 backup: ${file}`,
        fix: `chmod 600 ${file}`,
      },
    ]);
  });

  it('says nothing of the files of a backup whose folder cannot be read', async () => {
    const url = await prepare(await kind.url());
    const value = JSON.stringify({ takenOn: systemClock.now(), file: '/nowhere/site.backup' });
    await change(url, `INSERT INTO hcd_state (\`key\`, \`value\`, updated_at) VALUES ('last_backup', '${value}', 1)`);
    expect(await found(url, 'backup')).toEqual([
      { state: 'ok', detail: 'the last backup is 0 days old (/nowhere/site.backup)', fix: null },
    ]);
  });

  it('records a backup that is written to standard output', async () => {
    const url = await prepare(await kind.url());
    await runCli('backup -', { ...surroundings, env: { HCD_DATABASE_URL: url } });
    expect(await found(url, 'backup')).toEqual([
      { state: 'ok', detail: 'the last backup is 0 days old (written to standard output)', fix: null },
    ]);
  });

  it('warns of a worker that has not run for an hour', async () => {
    const url = await prepare(await kind.url());
    expect(await found(url, 'worker')).toEqual([{ state: 'ok', detail: 'no worker has run yet', fix: null }]);
    const passed = (ago: number) =>
      change(
        url,
        `INSERT INTO hcd_processes (id, host, pid, role, url, apis, version, started_on, seen_on, rss_bytes, counts, last_pass_on)
         VALUES ('${ago}', 'here', 1, 'worker', '', '', '1', 1, 0, 1, '{}', ${systemClock.now() - ago})`,
      );
    await passed(3 * hour + 60_000);
    expect(await found(url, 'worker')).toEqual([
      {
        state: 'warning',
        detail: 'no worker has run for 3 hours: deliveries, planned publications and the removal of old data wait',
        fix: 'Run hcd worker as a service, or hcd worker --once from cron every minute',
      },
    ]);
    await passed(120_000);
    expect(await found(url, 'worker')).toEqual([{ state: 'ok', detail: 'a worker ran 2 minutes ago', fix: null }]);
  });

  it('warns of resources whose publication or withdrawal is an hour late', async () => {
    const url = await prepare(await kind.url());
    const ago = (milliseconds: number): number => Math.floor((systemClock.now() - milliseconds) / 1000);
    const planned = (id: number, dates: string): Promise<void> =>
      change(
        url,
        `INSERT INTO modx_site_content (id, pagetitle, description, uri, pub_date, unpub_date)
         VALUES (${id}, 'x', '', 'p-${id}', ${dates})`,
      );
    await planned(1, `${ago(hour / 2)}, 0`);
    await planned(2, `${ago(-hour)}, ${ago(-2 * hour)}`);
    const inOrder = 'no planned publication or withdrawal of a resource is overdue';
    expect(await found(url, 'publications')).toEqual([{ state: 'ok', detail: inOrder, fix: null }]);
    await planned(3, `${ago(2 * hour)}, 0`);
    await planned(4, `0, ${ago(2 * hour)}`);
    expect(await found(url, 'publications')).toEqual([
      {
        state: 'warning',
        detail: '2 resources should have been published or withdrawn more than an hour ago: 3, 4',
        fix: 'Run a worker: hcd worker, or hcd worker --once from cron',
      },
    ]);
  });

  it('warns of a stored template that the rules refuse, which renders nothing', async () => {
    const url = await prepare(await kind.url());
    expect(await found(url, 'section-types')).toEqual([{ state: 'ok', detail: '12 section types', fix: null }]);
    const definition = JSON.stringify({
      ...{ key: 'note', version: 1, label: 'Note', category: 'text', categories: ['text'], fields: [] },
      template: '{% include x %}',
    });
    await change(
      url,
      `INSERT INTO hcd_section_types (\`key\`, definition, changed_on, changed_by) VALUES ('note', '${definition}', 1, 'test')`,
    );
    const [row, ...others] = await found(url, 'section-types');
    expect([row?.state, others]).toEqual(['error', []]);
    expect(row?.detail).toMatch(/^the section type note cannot be read: template/);
  });
});

describeWithMariadb('hcd doctor about read replicas', () => {
  it('warns of one that is behind or away, and of none that has every change', async () => {
    const [primary, behind] = [await prepare(await freshMariadbUrl()), await prepare(await freshMariadbUrl())];
    await change(primary, "INSERT INTO hcd_state (`key`, `value`, updated_at) VALUES ('content_generation', '7', 1)");
    const slept: number[] = [];
    const clock = {
      ...systemClock,
      sleep: async (milliseconds: number) => {
        slept.push(milliseconds);
      },
    };
    const away = 'mariadb://hcd:hidden@127.0.0.1:1/site';
    const options = { clock, env: { HCD_DATABASE_READ_URLS: [primary, behind, away].join(',') } };
    const rows = await found(primary, 'replicas', options);
    expect(rows.map(({ state }) => state)).toEqual(['ok', 'warning', 'warning']);
    expect(rows[0]?.detail).toMatch(/ has every change, after 0 s$/);
    expect(rows[1]?.detail).toMatch(/ lacks changes that the primary made more than 5 s ago: /);
    expect(rows[2]?.detail).toMatch(/^a replica does not answer, and the primary is read instead\. .*127\.0\.0\.1:1/);
    expect(JSON.stringify(rows)).not.toContain('hidden');
    expect(slept).toEqual([1000, 1000, 1000, 1000, 1000]);
    expect(await found(primary, 'replicas')).toEqual([{ state: 'ok', detail: 'no read replicas', fix: null }]);
  });
});

describe('hcd doctor about a Galera node', () => {
  const sound = {
    wsrep_provider: '/usr/lib/galera/libgalera_smm.so',
    wsrep_on: 'ON',
    wsrep_cluster_status: 'Primary',
    wsrep_local_state_comment: 'Synced',
    wsrep_cluster_size: '3',
    auto_increment_increment: '3',
  };
  const findings = (facts: Readonly<Record<string, string>>): [string, string][] =>
    galeraFindings(new Map(Object.entries(facts))).map(({ state, detail }) => [state, detail]);

  it.each([
    ['a sound node', sound],
    ['one node alone', { ...sound, wsrep_cluster_size: '1', auto_increment_increment: '1' }],
    ['a server without a provider', { wsrep_provider: 'none', wsrep_on: 'OFF' }],
    ['a server that knows no Galera', {}],
  ])('finds nothing wrong with %s', (_name, facts) => {
    expect(findings(facts)).toEqual([]);
  });

  it('finds nothing else wrong with a node whose wsrep_on is off, which does not show its state', () => {
    const { wsrep_local_state_comment: _state, wsrep_cluster_status: _status, ...others } = sound;
    expect(findings({ ...others, wsrep_on: 'OFF' })).toHaveLength(1);
  });

  it.each([
    ['wsrep_on', 'OFF', 'error', 'wsrep_on is off on this Galera node: changes here do not reach the other nodes'],
    [
      'wsrep_cluster_status',
      'non-Primary',
      'error',
      'this Galera node is not in the primary component (wsrep_cluster_status non-Primary): it refuses statements',
    ],
    [
      'wsrep_local_state_comment',
      'Donor/Desynced',
      'warning',
      'this Galera node is not synced (wsrep_local_state_comment Donor/Desynced): it can be behind the others',
    ],
    [
      'auto_increment_increment',
      '1',
      'warning',
      'auto_increment_increment is 1 in a cluster of 3 nodes: when the writing node changes, new rows can get an id that is taken, and are written again',
    ],
  ])('finds %s %s', (name, value, state, detail) => {
    expect(findings({ ...sound, [name]: value })).toEqual([[state, detail]]);
  });
});

describe('hcd doctor about the disk', () => {
  it.each([
    ['error', 63, 1],
    ['warning', 511, 1],
    ['ok', 512, 1],
    ['warning', 2047, 2048],
    ['ok', 2048, 2048],
  ])('finds %s where %i MB are left and the database file has %i MB', (state, free, needed) => {
    const detail = `${free} MB free; the database file has ${needed} MB`;
    expect(spaceFinding(free, needed)).toEqual({
      state,
      detail,
      fix: state === 'ok' ? null : 'Free space on the disk',
    });
  });
});

describe('the output of hcd doctor', () => {
  const terminal = { columns: 60 };

  it('shows findings by subject on a terminal, each with its fix', async () => {
    const url = await prepare(await freshSqliteUrl());
    const path = url.slice('sqlite:'.length);
    await chmod(path, 0o644);
    const env = { HCD_DATABASE_URL: url, HCD_GATEWAY_SITE_URL: 'https://example.com', NO_COLOR: '1' };
    const { code, stdout, stderr } = await runCli('doctor', { ...surroundings, env, terminal });
    for (const line of stdout.split('\n')) {
      if (line.trim().includes(' ')) expect([...line].length).toBeLessThanOrEqual(60);
    }
    expect(stdout.split('\n').filter((line) => /^\S/.test(line))).toEqual(['Database', 'Credentials and secrets']);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(
        `^Database warning file-permissions: ${path} has mode 644: other users of this machine may open it Fix: chmod 600 ${path} Credentials and secrets warning secrets: HCD_SECRET is not set: .* Fix: Set HCD_SECRET .* $`,
      ),
    );
    expect([code, stderr]).toEqual([0, '0 errors, 2 warnings.\n']);
  });

  it('lists the checks that found nothing with --all, and always in JSON', async () => {
    const url = await prepare(await freshSqliteUrl());
    const env = { HCD_DATABASE_URL: url, HCD_GATEWAY_SITE_URL: 'https://example.com', ...environment };
    const plain = await runCli('doctor', { ...surroundings, env, terminal });
    expect([plain.stdout, plain.stderr]).toEqual(['', 'No problems found.\n']);
    const all = await runCli('doctor --all', { ...surroundings, env, terminal });
    expect(all.stdout).toMatch(/^This machine\n {2}ok node: /);
    expect(all.stdout).toContain('\nBackups\n  ok backup: hcd backup was never used\n');
    const json = await runCli('doctor --json', { ...surroundings, env });
    expect((await runCli('doctor --json --all', { ...surroundings, env })).stdout.length).toBe(json.stdout.length);
    expect(JSON.parse(json.stdout).data[0]).toEqual({
      check: 'node',
      state: 'ok',
      detail: expect.any(String),
      fix: null,
    });
  });

  it('says in one line how many checks could not run', async () => {
    const cwd = await makeTempDir('doctor');
    const env = { HCD_DATABASE_URL: `sqlite:${join(cwd, 'new.sqlite')}`, ...environment };
    const { stdout } = await runCli('doctor', { ...surroundings, env, cwd, terminal });
    expect(stdout).toMatch(/\n\d\d checks could not run: the database cannot be opened\.\n$/);
    expect(stdout).not.toContain('not checked');
    const piped = await runCli('doctor', { ...surroundings, env, cwd });
    expect(piped.stdout).toMatch(/^database\twarning\t[^\n]+\n$/);
    expect(piped.stderr).toMatch(
      /^\d\d checks could not run: the database cannot be opened\.\n0 errors, 1 warning\.\n$/,
    );
    const all = await runCli('doctor --all', { ...surroundings, env, cwd });
    expect(all.stdout).toContain('\tnot checked: the database cannot be opened');
  });
});
