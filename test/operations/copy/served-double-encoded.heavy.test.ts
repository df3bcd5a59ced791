/** A site with double-encoded texts that is served with HCD_REPAIR_ENCODING=on: right texts come out, none go in. */
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock/clock.js';
import { buildIndexes } from '../../../src/content/indexing/keep-indexes.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeWithMariadb, executeOnMariadb, freshMariadbUrl, freshSqliteUrl } from '../../support/databases.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { doubleEncode, prefix, texts, textsOf } from './double-encoded-site.js';
import { makeOwnStore, withDatabase } from './stores.js';

/** In SQL. */
function doubled(text: string): string {
  return `CONVERT(CAST(CONVERT('${text}' USING utf8mb4) AS BINARY) USING latin1)`;
}

const env = { HCD_GATEWAY_ENABLED: '1' };
const all = { kind: 'api_key' as const, id: 'all', scopes: new Set(['*']), userId: null };
const visible = "published = 1, context_key = 'web', template = 1";
const uriOf = encodeURIComponent;

describeWithMariadb('a double-encoded site that is read as it was meant', () => {
  const sites: Record<string, { url: string; site: TestSite; right: Map<string, unknown> }> = {};
  beforeAll(async () => {
    for (const charset of ['latin1', 'utf8mb3']) {
      const url = await freshMariadbUrl();
      const right = await doubleEncode(url, charset);
      await executeOnMariadb(url, [
        `UPDATE ${prefix}site_content SET ${visible}, alias = ${doubled('größe')}, uri = ${doubled('größe/привет')}, longtitle = ${doubled('Straße')} WHERE id = 9001`,
        `UPDATE ${prefix}site_content SET ${visible}, alias = 'café', uri = 'café' WHERE id = 9004`,
        `INSERT INTO ${prefix}system_settings (\`key\`, value, xtype, namespace, area) VALUES ('motto', ${doubled('Žluťoučký')}, 'textfield', 'core', '')`,
      ]);
      const site = await startTestSite({ databaseUrl: url, repairEncoding: true, env, identities: { all } });
      await buildIndexes(site.store, new AbortController().signal);
      sites[charset] = { url, site, right };
    }
  });
  const ask = async (charset: string, path: string) => {
    const got = await sites[charset]?.site.get(path);
    expect(got?.text).toContain('"data"');
    return got?.body['data'];
  };

  it.each(['latin1', 'utf8mb3'])('in %s gives right texts of resources and of what they have', async (charset) => {
    const fields = 'fields=id,pagetitle';
    expect(await ask(charset, `/resources/9001?fields=id,pagetitle,longtitle,uri`)).toEqual({
      ...{ id: 9001, pagetitle: 'Größe', longtitle: 'Straße', uri: 'größe/привет' },
    });
    expect(await ask(charset, `/resources?ids=9004&${fields}`)).toEqual([{ id: 9004, pagetitle: 'café' }]);
    const { url = '', right = new Map() } = sites[charset] ?? {};
    const store = await openStore({ databaseUrl: url, prefix, repairEncoding: true });
    for (const [table, rows] of right) {
      const skipped = table === 'site_content' ? 9001 : 0;
      const of = (list: readonly (readonly unknown[])[]) =>
        list.filter(([id]) => Number(id) !== skipped && Number(id) < 9004);
      expect(of(await textsOf(store.content, table, texts[table] ?? []))).toEqual(of(rows as unknown[][]));
    }
    const sql = `SELECT value FROM ${prefix}system_settings WHERE \`key\` = 'motto'`;
    expect(await store.content.select({ sql, params: [] })).toEqual([['Žluťoučký']]);
    await store.close();
  });

  it.each(['latin1', 'utf8mb3'])('in %s finds a page by its right path', async (charset) => {
    for (const path of [`${uriOf('größe')}/${uriOf('привет')}`, uriOf('café')]) {
      expect(await ask(charset, `/pages/${path}?fields=uri`)).toMatchObject({ uri: decodeURIComponent(path) });
      expect(await ask(charset, `/pages?uris=${path}&fields=uri`)).toEqual([{ uri: decodeURIComponent(path) }]);
    }
    const stored = uriOf('grÃ¶ÃŸe/Ð¿Ñ€Ð¸Ð²ÐµÑ‚');
    expect(await sites[charset]?.site.get(`/pages/${stored}`)).toMatchObject({ status: 404 });
  });

  it.each([
    ['filter[alias]=größe', [9001]],
    ['filter[alias][in]=größe,café', [9001, 9004]],
    ['filter[alias][like]=GRö%', [9001]],
    ['filter[id][in]=9001,9004&filter[alias][neq]=größe', [9004]],
    ['filter[id][in]=9001,9004&filter[alias][not_in]=größe,x', [9004]],
    ['search=straße', [9001]],
    ['search=STRASSE', [9001]],
  ])('compares right texts: %s', async (query, ids) => {
    for (const charset of ['latin1', 'utf8mb3']) {
      const found = (await ask(charset, `/resources?fields=id&sort=id&${encodeURI(query)}`)) as { id: number }[];
      expect(found.map(({ id }) => id)).toEqual(ids);
    }
  });

  it.each(['latin1', 'utf8mb3'])('in %s takes ASCII text and refuses any other', async (charset) => {
    const { url = '' } = sites[charset] ?? {};
    const surroundings = { openStore, clock: systemClock };
    const on = { HCD_DATABASE_URL: url, HCD_REPAIR_ENCODING: 'on', NO_COLOR: '1' };
    const run = (line: string) => runCli(line, { ...surroundings, env: on });
    const stored = () =>
      withDatabase(url, (database) =>
        database.select({
          sql: `SELECT pagetitle, longtitle, introtext FROM ${prefix}site_content WHERE id = 9001`,
          params: [],
        }),
      );
    const before = await stored();
    expect(await run('resource update 9001 --pagetitle Länge')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('HCD_REPAIR_ENCODING'),
    });
    expect(await stored()).toEqual(before);
    const refused = await sites[charset]?.site.get('/resources/9001', {
      ...{ as: 'all', method: 'PATCH', body: { pagetitle: 'Länge' } },
    });
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('hcd db copy --repair-encoding') });
    expect(await stored()).toEqual(before);
    expect(await run('resource update 9001 --introtext Plain')).toMatchObject({ code: 0 });
    expect(await stored()).toEqual([[...(before[0] ?? []).slice(0, 2), 'Plain']]);
    expect(await run('setting set gateway_cache_ttl 100')).toMatchObject({ code: 0 });
  });

  it('is named by doctor with the setting that is on', async () => {
    const url = sites['latin1']?.url ?? '';
    const off = { HCD_DATABASE_URL: url, NO_COLOR: '1' };
    const encoding = async (env: Record<string, string>) => {
      const { stdout } = await runCli('doctor --json --all', { openStore, env, clock: systemClock });
      return JSON.parse(stdout).data.find(({ check }: { check: string }) => check === 'encoding');
    };
    expect(await encoding(off)).toMatchObject({ fix: expect.stringContaining('HCD_REPAIR_ENCODING=on') });
    expect(await encoding({ ...off, HCD_REPAIR_ENCODING: 'on' })).toMatchObject({
      detail: expect.stringContaining('only ASCII text can be written'),
    });
  });

  it('is warned of at the start of a server that does not repair it', async () => {
    const started = async (more: Record<string, string>) => {
      const env = { HCD_DATABASE_URL: sites['latin1']?.url ?? '', HCD_PORT: '0', ...more };
      const stop = AbortSignal.abort();
      return (await runCli('serve', { openStore, env, clock: systemClock, stop })).stderr;
    };
    expect(await started({})).toContain('double-encoded');
    expect(await started({ HCD_REPAIR_ENCODING: 'on' })).not.toContain('double-encoded');
  });

  it('is no store of our own: there the setting is refused', async () => {
    for (const url of [await freshSqliteUrl(), await freshMariadbUrl()]) {
      await makeOwnStore(url);
      const refused = openStore({ databaseUrl: url, prefix, repairEncoding: true });
      await expect(refused).rejects.toMatchObject({
        code: 'configuration_invalid',
        message: expect.stringContaining('remove HCD_REPAIR_ENCODING'),
      });
    }
  });
});
