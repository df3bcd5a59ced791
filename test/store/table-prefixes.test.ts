/** Prefixes of content tables that hold more than ASCII letters: every command and the server work with them. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { tablePrefixValue } from '../../src/config/value-type.js';
import { managerLog } from '../../src/content/models/changes.js';
import { openStore } from '../../src/store/open/open.js';
import { key } from '../http/gateway/writing-site.js';
import { runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { patientLimits } from '../support/patient-limits.js';
import { seed } from '../support/seed.js';
import { startTestSite } from '../support/site.js';
import { makeTempDir } from '../support/temp-dir.js';

const names = ['site-2_', 'mod$x_', '$a_', '-$$-', 'é$1_', 'сайт-', 'サイト$'];

it.each(['a`b', 'a\0b', 'a/b', 'a.b', 'a b', "a'b", 'a"b', 'a\\b', 'a%b', 'a'.repeat(33)])(
  'refuses the prefix %j',
  (prefix) => {
    expect(tablePrefixValue.parse(prefix).ok).toBe(false);
  },
);

describeEachDatabase('content tables with an unusual prefix', (database) => {
  const on = (url: string, prefix: string) => async (line: readonly string[]) => {
    const env = { HCD_DATABASE_URL: url, HCD_CONTENT_PREFIX: prefix, NO_COLOR: '1' };
    const outcome = await runCli([...line, '--json'], { openStore, env, clock: systemClock, cwd: '/' });
    expect({ line, ...outcome }).toMatchObject({ code: 0 });
    return JSON.parse(outcome.stdout).data;
  };

  it.each(['-2größe$1-サ'])('are made, written, exported, backed up, copied and checked with %s', async (prefix) => {
    const [url, next, again] = [await database.url(), await database.url(), await database.url()];
    const folder = await makeTempDir('prefix');
    const run = on(url, prefix);
    await run(['migrate']);
    const made = await run(['resource', 'create', '--template', '0', '--pagetitle', 'Größe $1', '--alias', 'a']);
    await run(['resource', 'update', String(made.id), '--introtext', '$2 $sequelize_1 $$']);
    expect(await run(['resource', 'show', String(made.id)])).toMatchObject({ introtext: '$2 $sequelize_1 $$' });
    const doctor = await run(['doctor', '--all']);
    expect(doctor.filter(({ state }: { state: string }) => state === 'error')).toEqual([]);
    await run(['db', 'check']);
    await run(['export', join(folder, 'a.ndjson')]);
    await run(['backup', join(folder, 'a.backup')]);
    await on(next, 'other_')(['migrate']);
    const imported = await on(next, 'other_')(['import', join(folder, 'a.ndjson')]);
    expect(imported).toMatchObject({ created: 1 });
    await on(again, prefix)(['restore', join(folder, 'a.backup'), '--yes']);
    expect(await on(again, prefix)(['resource', 'show', String(made.id)])).toMatchObject({ pagetitle: 'Größe $1' });
    const target = await database.url();
    await on(target, 'modx_')(['db', 'copy', '--from', url, '--from-prefix', prefix, '--to', target]);
    expect(await on(target, 'modx_')(['resource', 'show', String(made.id)])).toMatchObject({ pagetitle: 'Größe $1' });
  });

  it.each(names)('of a CMS are served, written and watched with %s', async (prefix) => {
    const url = await database.url();
    await on(url, prefix)(['migrate']);
    const store = await openStore({ databaseUrl: url, prefix, limits: patientLimits });
    await seed(store, { site_content: [{ id: 5, pagetitle: 'Five', alias: 'five', uri: 'five' }] });
    const own = [...(await store.content.primary.select({ sql: ownTables[database.name], params: [] }))];
    await store.content.write(async (tx) => {
      for (const [name] of own) await tx.run({ sql: `DROP TABLE IF EXISTS \`${name}\``, params: [] });
    });
    await store.close();
    const identities = { admin: key('*') };
    const site = await startTestSite({ databaseUrl: url, prefix, identities });
    expect(site.store.kind).toBe('attached');
    expect(await site.get('/pages/five')).toMatchObject({ status: 200 });
    expect(await site.get('/resources?search=five&include=ancestors')).toMatchObject({ status: 200 });
    const patch = { as: 'admin', method: 'PATCH', body: { introtext: 'new $1' } };
    expect(await site.get('/resources/5', patch)).toMatchObject({
      status: 200,
      body: { data: { introtext: 'new $1' } },
    });
    await site.store.content.write((tx) =>
      managerLog
        .on(tx, prefix)
        .create({ occurred: '2026-01-01 00:00:00', action: 'resource_update', item: '5' } as never),
    );
    await site.change([`UPDATE \`${prefix}site_content\` SET introtext = 'by the CMS' WHERE id = 5`]);
    expect((await site.get('/resources/5')).text).toContain('by the CMS');
  });
});

const ownTables = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'hcd!_%' ESCAPE '!'",
  mariadb:
    "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE 'hcd!_%' ESCAPE '!'",
};
