/** The extra for MODX: its package, and what it does in an imitation of MODX's events. */
import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeChangedRows } from '../../src/content/live/content-change.js';
import type { RowChange } from '../../src/content/live/mutation.js';
import type { Store } from '../../src/store/open/open.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { describeWithMariadb, freshMariadbUrl } from '../support/databases.js';
import { freePort } from '../support/free-port.js';
import { openMigrated } from '../support/migrate.js';
import { patientLimits } from '../support/patient-limits.js';
import { startProgram } from '../support/programs.js';
import { makeTempDir } from '../support/temp-dir.js';
import { type Event, type Imitation, installImitation, readPackage } from './modx/imitation.js';
import { contribPath } from './proxied-site.js';

const run = promisify(execFile);
const hasPhp = spawnSync('php', ['-r', 'exit(extension_loaded("pdo_mysql") ? 0 : 1);']).status === 0;
if (!hasPhp) process.stdout.write('\nNOTICE: tests of the extra for MODX were skipped: no PHP with pdo_mysql here.\n');

describe('npm run build:modx', () => {
  it('gives the same bytes in every time zone and folder', async () => {
    const build = async (zone: string) => {
      const folder = await makeTempDir('built');
      const words = [contribPath('modx/build.mjs'), folder];
      const { stdout } = await run(process.execPath, words, { cwd: folder, env: { ...process.env, TZ: zone } });
      expect(stdout).toMatch(/\/hcd-\d+\.\d+\.\d+-pl\.transport\.zip\n$/);
      return readFile(stdout.trim());
    };
    expect(await build('Pacific/Auckland')).toEqual(await build('America/New_York'));
  });

  it('holds every file of the extra, and what the manifest names', async () => {
    const files = await readPackage();
    const manifest = files.get('manifest.php') ?? '';
    const named = [...manifest.matchAll(/'filename' => '([^']+)'/g)].map(([, name]) => name ?? '');
    expect(named.map((name) => name.split('/')[0])).toEqual([
      ...['modNamespace', 'xPDOFileVehicle', 'xPDOFileVehicle', 'modSystemSetting', 'modSystemSetting', 'modPlugin'],
    ]);
    for (const name of named) expect(files.has(name), name).toBe(true);
    for (const folder of ['core', 'assets']) {
      for (const path of await filesIn(contribPath(`modx/${folder}`))) {
        const packed = [...files].find(([name]) => name.endsWith(`/hcd/${path}`));
        expect(packed?.[1], path).toBe(await readFile(contribPath(`modx/${folder}/${path}`), 'utf8'));
      }
    }
    expect(manifest).toContain("'php' => '>=7.2.0', 'modx' => '>=2.8.0'");
  });

  it.skipIf(!hasPhp)('is PHP', async () => {
    const folder = await makeTempDir('php');
    for (const [name, text] of await readPackage()) {
      const file = join(folder, name.replaceAll('/', '-'));
      await writeFile(file, text);
      const { stdout } = await run('php', ['-l', file]);
      expect(stdout).toContain('No syntax errors');
    }
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name).slice(folder.length + 1));
}

const page = (context: string, more: Readonly<Record<string, string>> = {}) => ({ context_key: context, ...more });
const changeOf = (before: RowChange['before'], after: RowChange['after'], object = 'resources'): RowChange => ({
  ...{ object, key: 7, before, after },
});
const all = {
  db: [],
  context_settings: { contexts: ['de', 'web'] },
  resource: { contexts: ['de', 'web'] },
  scripts: [],
};
const only = (...contexts: readonly string[]) => ({
  ...{ db: [], context_settings: { contexts }, resource: { contexts } },
});

describe.skipIf(!hasPhp)('the extra', () => {
  describeWithMariadb('in an imitation of MODX', () => {
    let store: Store;
    let modx: Imitation;
    let generation = 0;

    beforeAll(async () => {
      const databaseUrl = await freshMariadbUrl();
      store = await openMigrated({ databaseUrl, prefix: 'cms_', limits: patientLimits });
      await execute(
        "INSERT INTO cms_context (`key`, `name`) SELECT 'de', '' UNION SELECT 'web', '' UNION SELECT 'mgr', '' ON DUPLICATE KEY UPDATE `name` = ''",
      );
      modx = await installImitation(databaseUrl, 'cms_');
      return () => store.close();
    });

    beforeEach(async () => {
      await modx.set({ settings: {}, errmode: 0, broken: undefined });
      await execute('DELETE FROM cms_manager_log');
      await modx.afterPause();
      await write([]);
      await modx.request();
    });

    const execute = (sql: string) => store.own.write((tx) => tx.run({ sql, params: [] }));
    /** As a change that hcd makes. */
    const write = async (...payloads: readonly (readonly RowChange[] | null)[]) => {
      for (const rows of payloads) {
        generation += 1;
        const payload = rows === null ? null : writeChangedRows({ rows });
        await store.own.write(async (tx) => {
          await tx.run({ sql: 'INSERT INTO hcd_changes VALUES (?, 0, ?)', params: [generation, payload] });
          const state = "INSERT INTO hcd_state VALUES ('content_generation', ?, 0) ON DUPLICATE KEY UPDATE `value` = ?";
          await tx.run({ sql: state, params: [`${generation}`, `${generation}`] });
        });
      }
    };
    const logged = async () => {
      const sql = 'SELECT `action`, `classKey`, `item` FROM cms_manager_log ORDER BY id';
      return (await store.content.select({ sql, params: [] })).map((row) => row.join(' '));
    };

    it.each<readonly [string, readonly (readonly RowChange[] | null)[], unknown]>([
      ['a page', [[changeOf(page('web'), page('web', { uri: 'new' }))]], only('web')],
      ['a new page', [[changeOf(null, page('de'))]], only('de')],
      [
        'a page that moved, and others',
        [[changeOf(page('web'), page('de'))], [changeOf(page('web'), null)]],
        only('de', 'web'),
      ],
      ['a page of a context that MODX does not have', [[changeOf(null, page('gone'))]], null],
      ['entries of an index', [[changeOf({}, {})]], null],
      ['another object', [[changeOf(page('web'), page('web'), 'products')]], all],
      ['everything', [[changeOf(page('web'), null)], null], all],
    ])('refreshes what depends on %s, once', async (_what, payloads, refreshed) => {
      await write(...payloads);
      const expected = refreshed === null ? [] : [refreshed];
      const reloaded = expected.length;
      expect(await modx.request()).toEqual({ refreshed: expected, reloaded, log: [], kept: true });
      expect(await modx.request()).toEqual({ refreshed: [], reloaded: 0, log: [], kept: true });
    });

    it('refreshes nothing for what others changed', async () => {
      for (const payload of [writeChangedRows({ rows: [changeOf({}, {})], source: 'cms' }), '{"source":"cms"}']) {
        await write([]);
        await execute(`UPDATE hcd_changes SET payload = '${payload}' WHERE generation = ${generation}`);
        expect(await modx.request()).toEqual({ refreshed: [], reloaded: 0, log: [], kept: true });
      }
    });

    it.each([
      ['a change is no longer listed', 'DELETE FROM hcd_changes'],
      [
        'more changed than is listed',
        "UPDATE hcd_state SET `value` = `value` + 101 WHERE `key` = 'content_generation'",
      ],
      ['the database was restored', "UPDATE hcd_state SET `value` = `value` - 5 WHERE `key` = 'content_generation'"],
    ])('refreshes all contexts when %s', async (_why, sql) => {
      await write([changeOf(page('web'), null)], []);
      await execute(sql);
      expect((await modx.request()).refreshed).toEqual([all]);
      await write(null);
      await modx.request();
    });

    it.each([0, 2])('lets MODX go on without the tables of hcd, with error mode %i', async (errmode) => {
      await modx.set({ errmode });
      await execute('RENAME TABLE hcd_state TO hcd_state_away');
      const { log, refreshed } = await modx.request();
      expect(refreshed).toEqual([]);
      expect(log).toEqual([expect.stringMatching(/^\[hcd\] .*hcd_state/)]);
      expect((await modx.request()).log).toEqual([]);
      await execute('RENAME TABLE hcd_state_away TO hcd_state');
      await modx.afterPause();
      expect((await modx.request()).refreshed).toEqual([all]);
    });

    it('lets MODX go on while another request refreshes, and when a refresh fails', async () => {
      await write([changeOf(page('web'), null)]);
      await store.own.write(async (tx) => {
        await tx.select({ sql: "SELECT GET_LOCK(CONCAT('hcd ', MD5(DATABASE())), 0)", params: [] });
        const page = await modx.request(['OnBeforeSaveWebPageCache']);
        expect(page).toEqual({ refreshed: [], reloaded: 0, log: [], kept: false });
        await tx.select({ sql: 'SELECT RELEASE_ALL_LOCKS()', params: [] });
      });
      await modx.set({ broken: 'no space left' });
      expect((await modx.request()).log).toEqual([expect.stringContaining('no space left')]);
      await modx.set({ broken: undefined });
      await modx.afterPause();
      expect((await modx.request()).refreshed).toEqual([all]);
      expect(await logged()).toEqual([]);
    });

    it.each<readonly [string, readonly Event[], readonly string[]]>([
      [
        'a page taken out of a group',
        [['OnResourceRemoveFromResourceGroup', { resource: 7 }]],
        ['resource_update modResource 7'],
      ],
      [
        'pages published by their dates',
        [
          [
            'OnResourceAutoPublish',
            { results: { published_resources: [{ id: '8' }], unpublished_resources: [{ id: '9' }] } },
          ],
          ['OnCacheUpdate'],
        ],
        ['resource_update modResource 8', 'resource_update modResource 9'],
      ],
      ['a value of a template variable', [['OnTemplateVarSave']], ['hcd_unlogged  everything']],
      ['a script that clears the cache twice', [['OnCacheUpdate'], ['OnCacheUpdate']], ['hcd_unlogged  everything']],
      [
        'nothing where MODX logs by itself',
        [['OnResourceRemoveFromResourceGroup', { resource: 7 }], ['OnCacheUpdate'], ['logged', { id: 7 }]],
        ['resource_update modDocument 7'],
      ],
      ['nothing of what it refreshes itself', [], []],
    ])('logs %s', async (_what, events, rows) => {
      await modx.set({ settings: { 'hcd.log_unknown_edits': '1' } });
      await write([changeOf(page('web'), null)]);
      expect((await modx.request(...events)).log).toEqual([]);
      expect(await logged()).toEqual(rows);
    });

    it('keeps no page that was read before a change', async () => {
      expect((await modx.request(['OnBeforeSaveWebPageCache'])).kept).toBe(true);
      const sql = "UPDATE hcd_state SET `value` = `value` + 1 WHERE `key` = 'content_generation'";
      expect((await modx.request(['sql', { sql }], ['OnBeforeSaveWebPageCache'])).kept).toBe(false);
      await write(null, null);
    });

    it('leaves it to hcd to find unknown edits, unless hcd.log_unknown_edits is on', async () => {
      await modx.request(['OnTemplateVarSave'], ['OnCacheUpdate']);
      expect(await logged()).toEqual([]);
    });

    it('says how cron gets on', async () => {
      const refresh = (...words: readonly string[]) =>
        run('php', [join(modx.root, 'core/components/hcd/hcd-refresh.php'), ...words]);
      expect((await refresh()).stdout).toBe('Nothing to refresh.\n');
      await write([changeOf(page('web'), null)]);
      expect((await refresh()).stdout).toBe('Refreshed: web\n');
      expect((await refresh('--all')).stdout).toBe('Refreshed: de, web\n');
      await modx.set({ settings: { 'hcd.webhook_secret': 'secret' } });
      await expect(refresh()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('use --all') });
      await modx.set({ settings: {}, broken: 'no space left' });
      await write([changeOf(page('web'), null)]);
      await expect(refresh()).rejects.toMatchObject({ code: 1, stderr: 'hcd-refresh: no space left\n' });
    });

    it('refreshes for genuine webhooks only, and does not ask the tables of hcd then', async () => {
      const secret = `whsec_${Buffer.from('a secret of this test only').toString('base64')}`;
      await modx.set({ settings: { 'hcd.webhook_secret': secret } });
      await write([changeOf(page('web'), null)]);
      expect(await modx.request()).toEqual({ refreshed: [], reloaded: 0, log: [], kept: true });
      const port = await freePort();
      const { said } = startProgram('php', ['-S', `127.0.0.1:${port}`, '-t', modx.root]);
      await expect.poll(said).toContain('started');
      const url = `http://127.0.0.1:${port}/assets/components/hcd/connector.php`;
      const now = Math.floor(Date.now() / 1000);
      const send = async (
        event: unknown,
        { id = 'one', at = now, signedBy = secret, body = JSON.stringify(event) } = {},
      ) => {
        const asked = { eventId: id, event: '', deliveryId: 1, body: JSON.stringify(event), timestamp: at };
        const headers = deliveryHeaders({ ...asked, secrets: ['an older secret', signedBy] });
        const answer = await fetch(url, { method: 'POST', body, headers });
        return [answer.status, ((await answer.json()) as { refreshed?: unknown }).refreshed];
      };
      const event = {
        type: 'resources.updated',
        data: { object: 'resources', context: 'web' },
        meta: { source: 'hcd', revalidate: ['gateway:resources', 'gateway:context:de'] },
      };
      expect(await send(event, { signedBy: 'whsec_Zm9yZ2Vk' })).toEqual([401, undefined]);
      expect(await send(event, { at: now - 301 })).toEqual([401, undefined]);
      expect(await send(event, { body: JSON.stringify({ ...event, more: 1 }) })).toEqual([401, undefined]);
      expect((await fetch(url, { method: 'POST', body: JSON.stringify(event) })).status).toBe(401);
      expect((await fetch(url)).status).toBe(405);
      expect(await send(event)).toEqual([200, ['de', 'web']]);
      expect(await send(event)).toEqual([200, []]);
      const kinds: readonly (readonly [string, unknown, unknown])[] = [
        ['templates', { type: 'templates.updated', data: { object: 'templates' } }, ['de', 'web']],
        ['burst', { type: 'content.changed', meta: { source: 'hcd', count: 501 } }, ['de', 'web']],
        ['cms', { ...event, meta: { ...event.meta, source: 'cms' } }, []],
        ['page document', { type: 'pages.published', data: { resourceId: 7 } }, []],
        ['test', { type: 'webhook.test', data: { object: 'webhook', action: 'test' } }, []],
      ];
      for (const [id, sent, refreshed] of kinds)
        expect([id, ...(await send(sent, { id }))]).toEqual([id, 200, refreshed]);
      await modx.set({ broken: 'no space left' });
      expect(await send(event, { id: 'later' })).toEqual([503, undefined]);
      await modx.set({ broken: undefined });
      expect(await send(event, { id: 'later' })).toEqual([200, ['de', 'web']]);
    });

    it('lets MODX go on when only half of it is there', async () => {
      const core = join(modx.root, 'core/components/hcd');
      await writeFile(join(core, 'caches.php'), '<?php class {');
      expect((await modx.request()).log).toEqual([expect.stringContaining('[hcd] syntax error')]);
      await rm(core, { recursive: true });
      expect(await modx.request()).toEqual({ refreshed: [], reloaded: 0, log: [], kept: true });
    });
  });
});
