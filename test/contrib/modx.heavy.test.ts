/** The extra on the MODX sites that HCD_TEST_MODX_DIR names: what one side writes shows on the other. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../../contrib/modx/build.mjs';
import { ManagerLog } from '../../src/content/live/other-writers.js';
import { openStore, type Store } from '../../src/store/open/open.js';
import { deliveryHeaders } from '../../src/webhooks/rules/signatures.js';
import { startCli } from '../support/cli.js';
import { freePort } from '../support/free-port.js';
import { patientLimits } from '../support/patient-limits.js';
import { startProgram } from '../support/programs.js';
import { makeTempDir } from '../support/temp-dir.js';

const run = promisify(execFile);
const sites = (process.env['HCD_TEST_MODX_DIR'] ?? '').split(delimiter).filter((path) => path !== '');
if (sites.length === 0) {
  process.stdout.write('\nNOTICE: the extra was not tested on a real MODX: set HCD_TEST_MODX_DIR.\n');
}
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Lists the children of a folder with their addresses, as menus do. */
const menu = (folder: number) =>
  `return implode(' ', array_map([$modx, 'makeUrl'], $modx->getChildIds(${folder}, 1)));`;

describe.skipIf(sites.length === 0).each(sites.length === 0 ? [''] : sites)('the extra in %s', (root) => {
  const core = join(root, 'core/');
  let env: Readonly<Record<string, string>>;
  let store: Store;
  let folder: string;
  let archive: string;
  let prefix: string;
  const ids = { folder: 0, page: 0, group: 0 };

  const hcd = async (...words: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { code, stdout, stderr } = await startCli([...words, '--json'], { cwd: folder, env }).outcome;
    if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`);
    return JSON.parse(stdout).data;
  };
  const cms = async (action: string, data: unknown = {}) => {
    const { stdout } = await run('php', [here('modx/site.php'), core, action, JSON.stringify(data)]);
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  };
  const edit = async (name: string, data: unknown): Promise<{ readonly id: number }> => {
    const result = await cms('processor', { name, data });
    if (result?.error !== undefined) throw new Error(`${name}: ${result.error}`);
    return result;
  };
  const ask = (sql: string) => store.content.select({ sql, params: [] });
  const execute = (sql: string) => store.content.write((tx) => tx.run({ sql, params: [] }));

  beforeAll(async () => {
    const config = await readFile(join(core, 'config/config.inc.php'), 'utf8');
    const settingOf = (name: string) => new RegExp(`\\$${name}\\s*=\\s*'([^']*)'`).exec(config)?.[1] ?? '';
    const [host = '', port = '3306'] = settingOf('database_server').split(';port=');
    const login = `${encodeURIComponent(settingOf('database_user'))}:${encodeURIComponent(settingOf('database_password'))}`;
    const databaseUrl = `mariadb://${login}@${host}:${port}/${settingOf('dbase').replaceAll('`', '')}`;
    prefix = settingOf('table_prefix');
    env = { HCD_DATABASE_URL: databaseUrl, HCD_CONTENT_PREFIX: prefix, HCD_SECRET: 'a secret of this test only' };
    folder = await makeTempDir('real-modx');
    archive = buildPackage(folder);
    store = await openStore({ databaseUrl, prefix, limits: patientLimits });
    await hcd('migrate');
    await execute(
      `UPDATE ${prefix}system_settings SET value = '1' WHERE \`key\` IN ('friendly_urls', 'use_alias_path')`,
    );
    expect(await cms('install', { zip: archive })).toBe(true);
    await makePages();
  });
  afterAll(() => store?.close());

  const makePages = async () => {
    const name = `hcd${process.pid}${Date.now()}`;
    const content = '<h1>[[*pagetitle]]</h1>[[*content]]';
    const template = (await edit('Element/Template/Create', { templatename: name, content })).id;
    const class_key = existsSync(join(core, 'src')) ? 'MODX\\Revolution\\modDocument' : 'modDocument';
    const common = { class_key, context_key: 'web', template, published: 1, hidemenu: 0 };
    ids.folder = (await edit('Resource/Create', { ...common, pagetitle: name, alias: name, isfolder: 1 })).id;
    await edit('Element/Snippet/Create', { name, snippet: menu(ids.folder) });
    await edit('Resource/Update', {
      ...common,
      id: ids.folder,
      pagetitle: name,
      alias: name,
      isfolder: 1,
      content: `[[${name}]]`,
    });
    const tv = { name: `${name}tv`, type: 'text', templates: JSON.stringify([{ id: template, access: true }]) };
    await edit('Element/Tv/Create', tv);
    const page = { ...common, pagetitle: 'First', alias: 'first', parent: ids.folder, content: `text [[*${name}tv]]` };
    ids.page = (await edit('Resource/Create', page)).id;
    ids.group = (await edit('Security/ResourceGroup/Create', { name, resource_groups: '' })).id;
  };

  const uriOf = async (id: number) =>
    String((await ask(`SELECT uri FROM ${prefix}site_content WHERE id = ${id}`))[0]?.[0]);

  const serve = async () => {
    const port = await freePort();
    const words = ['-d', 'display_errors=0', '-S', `127.0.0.1:${port}`, '-t', root, here('modx/router.php')];
    const { said } = startProgram('php', words);
    await expect.poll(said).toContain('started');
    return { url: `http://127.0.0.1:${port}/` };
  };

  it('shows twelve kinds of changes through hcd at the next request', async () => {
    const { url } = await serve();
    const get = async (uri: string) => {
      const answer = await fetch(`${url}${uri}`);
      const text = await answer.text();
      return answer.status === 200 ? text : answer.status;
    };
    const page = String(ids.page);
    const menuUri = await uriOf(ids.folder);
    const variable = (await ask(`SELECT name FROM ${prefix}site_tmplvars ORDER BY id DESC LIMIT 1`))[0]?.[0];
    const first = await uriOf(ids.page);
    const below = first.slice(0, first.lastIndexOf('/') + 1);
    const suffix = first.slice(first.lastIndexOf('first') + 5);
    let second = '';
    const contains = (text: string) => expect.stringContaining(text);
    const lacks = (text: string) => expect.not.stringContaining(text);
    const steps: readonly (readonly [string, readonly string[], Readonly<Record<string, unknown>>])[] = [
      ['a title', ['update', page, '--pagetitle', 'Second'], { [first]: contains('<h1>Second</h1>') }],
      ['a value', ['update', page, '--tv', `${variable}=valued`], { [first]: contains('text valued') }],
      ['content', ['update', page, '--content', 'other'], { [first]: contains('</h1>other') }],
      ['withdrawn', ['unpublish', page], { [first]: 404 }],
      ['published', ['publish', page], { [first]: contains('other') }],
      [
        'an alias',
        ['update', page, '--alias', 'moved'],
        { [first]: 404, [`${below}moved${suffix}`]: contains('other'), [menuUri]: contains(`moved${suffix}`) },
      ],
      [
        'a new page',
        ['create', '--pagetitle', 'New', '--parent', `${ids.folder}`, '--published', '1', '--menuindex', '9'],
        { [`${below}new${suffix}`]: contains('New'), [menuUri]: expect.stringMatching(/moved.* .*new/) },
      ],
      ['the order', ['update', page, '--menuindex', '20'], { [menuUri]: expect.stringMatching(/new.* .*moved/) }],
      [
        'another place',
        ['update', page, '--parent', '0'],
        { [`${below}moved${suffix}`]: 404, [menuUri]: lacks('moved') },
      ],
      [
        'back',
        ['update', page, '--parent', `${ids.folder}`, '--alias', 'first'],
        { [first]: contains('other'), [menuUri]: contains('first') },
      ],
      ['a deleted page', ['delete', 'SECOND', '--yes'], { [`${below}new${suffix}`]: 404, [menuUri]: lacks('new') }],
      [
        'a restored page',
        ['restore', 'SECOND'],
        { [`${below}new${suffix}`]: contains('New'), [menuUri]: contains('new') },
      ],
    ];
    for (const [what, words, expected] of steps) {
      for (const uri of [menuUri, ...Object.keys(expected)]) {
        await get(uri);
        await get(uri);
      }
      const done = await hcd('resource', ...words.map((word) => (word === 'SECOND' ? second : word)));
      if (words[0] === 'create') second = String(done['id']);
      for (const [uri, text] of Object.entries(expected))
        expect([what, uri, await get(uri)]).toEqual([what, uri, text]);
    }
  });

  it('resolves tags that need no PHP as the parser of MODX does', async () => {
    const isNew = existsSync(join(core, 'src'));
    const class_key = isNew ? 'MODX\\Revolution\\modWebLink' : 'modWebLink';
    const place = { context_key: 'web', parent: ids.folder, published: 1 };
    const create = (data: unknown) => edit('Resource/Create', data);
    const name = `link${ids.page}`;
    const link = { ...place, class_key, pagetitle: name, alias: name, content: 'https://else.example/x' };
    const linkId = (await create(link)).id;
    await edit('Element/Tv/Create', { name, type: 'text', default_text: 'a variable of no template' });
    const schemes = ['full', 'abs', 'http', 'https', '1', '-1'].map((scheme) => `&scheme=\`${scheme}\``);
    const queries = ['&a=`1 x` &b=`é`', '&a=`b&c=d`', '&scheme=`full` &a=`1`', '&use_weblink_target=`1` &a=`1`'];
    const links = [ids.page, linkId].flatMap((id) => [...schemes, ...queries].map((more) => `[[~${id}? ${more}]]`));
    const fields = [
      ...[
        ':ucase',
        ':lcase',
        ':ucfirst',
        ':ucwords',
        ':limit=`3`',
        ':ellipsis=`4`',
        ':stripTags',
        ':htmlent',
        ':cat=`x`',
      ],
      ...[':replace=`e==x`', ':strlen', ':urlencode', ':nl2br', ':cdata', ':is=`x`:then=`a`:else=`b`', ':append=`x`'],
      ...[':contains=`é`:then=`a`:else=`b`', ':in=`a,b`:then=`a`:else=`b`', ':ne=`x`:show', ':notempty=`a`', ':strip'],
    ].map((filters) => `[[*pagetitle${filters}]]`);
    const texts = [
      ...links,
      ...fields,
      ...['[[~[[*id]]]]', '[[~[[*parent]]? &scheme=`full`]]', `[[~${ids.page}\n? &scheme=\`full\`\n]]`, '[[~999999]]'],
      ...['[[++site_url]]', '[[++assets_url]]', '[[*longtitle:default=`[[*pagetitle]]`]]', '[[*id:add=`2`]]'],
      ...['[[*none]]', `[[*${name}]]`],
      ...['[[*publishedon:date=`%d.%m.%Y %c %x %X`]]', '[[*menutitle:date=`%Y`]]', '[[*publishedon:reverse]]'],
      `[[~${ids.page}? &scheme=\`[[++link_tag_scheme]]\`]]`,
    ];
    await store.content.write((tx) =>
      tx.run({
        sql: `UPDATE ${prefix}site_content SET pagetitle = 'A <b>Tést</b> e  &', content = ? WHERE id = ${ids.page}`,
        params: [texts.map((text) => `<i>${text}</i>`).join('')],
      }),
    );
    await cms('refresh');
    const parsed = await cms('parse', { id: ids.page, texts });
    await hcd('setting', 'set', 'gateway_enabled', 'true');
    await hcd('setting', 'set', 'gateway_site_url', parsed.site_url);
    const port = await freePort();
    startCli(['serve', '--port', String(port)], { cwd: folder, env });
    const asked = `http://127.0.0.1:${port}/api/v1/resources/${ids.page}?fields=content&links=resolve&tags=resolve,strip`;
    await expect.poll(() => fetch(asked).catch(() => null), { timeout: 20_000 }).toMatchObject({ status: 200 });
    const { data } = (await (await fetch(asked)).json()) as { readonly data: { readonly content: string } };
    const shown = data.content.slice(3, -4).split('</i><i>');
    // Links of MODX begin at the address of its base element.
    const rooted = (text: string, at: number) =>
      texts[at]?.startsWith('[[~') ? text.replace(/^(?!\/|https?:|$)/, '/') : text;
    const expected = parsed.texts.map(rooted);
    expect(texts.map((text, at) => [text, shown[at]])).toEqual(texts.map((text, at) => [text, expected[at]]));
  });

  it('logs edits that MODX does not, so that hcd finds them', async () => {
    const log = new ManagerLog({ content: store.content, prefix });
    const found = async (work: () => Promise<unknown>) => {
      await log.read();
      await work();
      const ids = await log.read();
      return ids.includes(null) ? 'everything' : ids;
    };
    await execute(`UPDATE ${prefix}system_settings SET value = '1' WHERE \`key\` = 'hcd.log_unknown_edits'`);
    await cms('refresh');
    const of = { resource: ids.page, resourceGroup: ids.group };
    await execute(`INSERT INTO ${prefix}document_groups (document_group, document) VALUES (${ids.group}, ${ids.page})`);
    expect(await found(() => edit('Security/ResourceGroup/RemoveResource', of))).toEqual([ids.page]);
    await execute(`UPDATE ${prefix}site_content SET unpub_date = 1000 WHERE id = ${ids.page}`);
    expect(await found(() => cms('refresh'))).toEqual([ids.page]);
    const variable = (await ask(`SELECT name FROM ${prefix}site_tmplvars ORDER BY id DESC LIMIT 1`))[0]?.[0];
    expect(await found(() => cms('tv', { id: ids.page, name: variable, value: 'by a script' }))).toBe('everything');
    expect(await found(() => cms('refresh'))).toBe('everything');
    expect(await found(() => edit('Resource/Publish', { id: ids.page }))).toEqual([ids.page]);
    expect(await found(() => hcd('resource', 'update', String(ids.page), '--pagetitle', 'By hcd'))).toEqual([]);
  });

  it('takes signed webhooks, and refuses forged ones', async () => {
    const set = (value: string) =>
      execute(`UPDATE ${prefix}system_settings SET value = '${value}' WHERE \`key\` = 'hcd.webhook_secret'`);
    const secret = 'a secret of this test only';
    await set(secret);
    await cms('refresh');
    const { url } = await serve();
    const send = async (signedBy: string, eventId = randomUUID()) => {
      const body = JSON.stringify({ type: 'resources.updated', data: { object: 'resources', context: 'web' } });
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = deliveryHeaders({ eventId, event: '', deliveryId: 1, body, timestamp, secrets: [signedBy] });
      const answer = await fetch(`${url}assets/components/hcd/connector.php`, { method: 'POST', body, headers });
      return [answer.status, ((await answer.json()) as { readonly refreshed?: unknown }).refreshed];
    };
    const once = randomUUID();
    expect(await send(secret, once)).toEqual([200, ['web']]);
    expect(await send(secret, once)).toEqual([200, []]);
    expect(await send('another secret')).toEqual([401, undefined]);
    await set('');
    await cms('refresh');
  });

  it('is updated with its settings, and uninstalled without a trace', async () => {
    const settings = () => ask(`SELECT value FROM ${prefix}system_settings WHERE \`key\` = 'hcd.log_unknown_edits'`);
    await execute(`UPDATE ${prefix}system_settings SET value = '1' WHERE \`key\` = 'hcd.log_unknown_edits'`);
    expect(await cms('install', { zip: archive })).toBe(true);
    expect(await settings()).toEqual([['1']]);
    expect(
      await ask(
        `SELECT COUNT(*) FROM ${prefix}site_plugin_events JOIN ${prefix}site_plugins ON pluginid = id WHERE name = 'hcd'`,
      ),
    ).toEqual([[6]]);
    const signature = archive.slice(archive.lastIndexOf('/') + 1).replace('.transport.zip', '');
    expect(await cms('uninstall', { signature })).toBe(true);
    expect(await settings()).toEqual([]);
    expect(await ask(`SELECT id FROM ${prefix}site_plugins WHERE name = 'hcd'`)).toEqual([]);
    expect(await ask(`SELECT name FROM ${prefix}namespaces WHERE name = 'hcd'`)).toEqual([]);
    await expect(readFile(join(core, 'components/hcd/plugin.php'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
