/** What each command that shows records prints: a table on a terminal, lines in a pipe, one object with --json. */
import { beforeAll, expect, test } from 'vitest';
import { insertAuditRows } from '../../src/gateway/models/audit.js';
import type { Store } from '../../src/store/open/open.js';
import type { CliOptions } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { fakeClock } from '../support/clock.js';
import { describeEachDatabase } from '../support/databases.js';
import { expectGolden } from '../support/golden.js';
import { seed } from '../support/seed.js';
import { steady } from './transcript.js';

const tenDaysLater = fakeClock(Date.UTC(2026, 11, 1, 9, 30));

const fill = (store: Store) =>
  seed(store, {
    users: [
      { id: 7, username: 'editor', createdon: 1_700_000_000 },
      { id: 8, username: 'guest' },
      { id: 9, username: 'noisy' },
      { id: 10, username: 'root', sudo: 1 },
      { id: 11, username: 'boss' },
    ],
    user_attributes: [
      { internalKey: 7, fullname: 'Ed', address: '', comment: '', thislogin: 1_795_253_000 },
      { internalKey: 9, blocked: 1, address: '', comment: '' },
    ],
    membergroup_names: [{ id: 5, name: 'Editors' }],
    user_group_roles: [{ id: 5, name: 'Editor', authority: 1000 }],
    member_groups: [
      { user_group: 5, member: 7, role: 5 },
      { user_group: 1, member: 9, role: 1 },
      { user_group: 5, member: 9, role: 77 },
      { user_group: 1, member: 11, role: 2 },
    ],
    access_policies: [
      { id: 50, name: 'Editing', data: '{"load":true,"view_unpublished":true,"preview":false,"frames":true}' },
    ],
    access_context: [
      { target: 'web', principal_class: 'modUserGroup', principal: 5, authority: 1000, policy: 50 },
      { target: 'web', principal_class: 'modUserGroup', principal: 1, authority: 0, policy: 51 },
    ],
    categories: [
      { id: 1, category: 'Layout' },
      { id: 2, category: 'Parts', parent: 1 },
    ],
    site_templates: [{ id: 1, templatename: 'Home', category: 1, content: '<html>\n</html>' }],
    site_htmlsnippets: [{ id: 1, name: 'head', snippet: '<head>' }],
    site_snippets: [{ id: 5, name: 'menu', snippet: 'return 1;' }],
    site_tmplvars: [{ id: 9, name: 'color', type: 'text', caption: 'Colour' }],
    site_content: [
      { id: 1, pagetitle: 'Home', uri: 'index.html', template: 1, createdby: 7 },
      { id: 2, pagetitle: 'Draft\tone\u001b[2J', uri: 'draft.html', published: 0, hidemenu: 1 },
    ],
  });

const audited = { requestId: 'request-1', identity: 'api_key:aaaa', method: 'POST', path: '/api/v1/resources' };

/** Records in every state that a list names. */
const made: readonly string[] = [
  'key create --scopes resources.read --name site',
  'key create --scopes resources.read,preview --expires 24d --user editor',
  'key create --scopes * --expires 10d --rate-limit 9 --rate-window 60',
  'key create --scopes chunks.read --name old',
  'key create --scopes chunks.read --user guest',
  'key revoke 4 --yes',
  'key rotate 1 --overlap 30d',
  'token create --scopes pages.read,catalog.read --name site',
  'token create --scopes pages.read --expires 24d',
  'token create --scopes catalog.read --expires 10d',
  'token create --scopes pages.read --name old',
  'token revoke 4 --yes',
  'oauth client add website --scopes chunks.read --name Site --rate-limit 20 --rate-window 30',
  'oauth client add closed --scopes *',
  'oauth client revoke closed --yes',
  'webhook add --url https://a.example/hook --events * --name site',
  'webhook add --url https://b.example/ --events resources.deleted --inactive',
  'webhook test 1 --queue',
  'position add header',
  'position add side --context-key web',
  'banner add --name Alpha --positions 1 --tags a --product-id 4',
  'banner add --name Beta --positions 1,2 --type html --active 0 --end 2026-12-24T00:00:00Z',
  'preset add Card --type html --tpl card --max-clicks 5 --tags a,b',
  'preset add Bare',
  'redirect add old.html index.html',
  'section-type remove spacer --yes',
];
const hero = (title: string) => JSON.stringify({ schemaVersion: 1, sections: [{ type: 'hero', data: { title } }] });

const kinds = ['contexts', 'chunks', 'templates', 'snippets', 'tvs', 'categories', 'content_types', 'media_sources'];
const lists = [
  ...['key list', 'token list', 'oauth client list', 'oauth token list', 'webhook list', 'delivery list', 'audit list'],
  ...['user list', 'resource list', 'page list', 'page history 1', 'banner list', 'banner audit', 'position list'],
  ...['position order header', 'preset list', 'redirect list', 'section-type list', 'object list'],
  ...kinds.map((name) => `element list ${name}`),
];
const lines = [
  ...lists,
  ...['key list --usable', 'key show 1', 'token list --usable', 'oauth client show website', 'user list --usable'],
  ...[
    'resource show 1',
    'element show snippet menu',
    'webhook show 1',
    'setting list --changed',
    'position show header',
  ],
];

describeEachDatabase('what is printed', (kind) => {
  let db: CliDatabase;
  const transcript = async (line: string, options: CliOptions): Promise<string> => {
    const { code, stdout, stderr } = await db.run(line, { clock: tenDaysLater, ...options });
    expect([line, code]).toEqual([line, 0]);
    return steady(stdout + (stderr === '' ? '' : `--- stderr\n${stderr}`)).replaceAll('\u001b', '\\u001b');
  };

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), fill);
    for (const line of made) {
      const { code, stderr } = await db.run(line);
      if (code !== 0) throw new Error(`${line}: ${stderr}`);
    }
    await db.run('page edit 1 --file - --publish', { stdin: hero('First') });
    await db.run('page edit 1 --file -', { stdin: hero('Second') });
    await db.sql('UPDATE modx_users SET active = 0 WHERE id = 8');
    await db.change((store) =>
      store.own.write((tx) =>
        insertAuditRows(tx, [{ ...audited, context: 'web', status: 201, durationMs: 1, age: 1 }]),
      ),
    );
  });

  test.each(lines)('by hcd %s', async (line) => {
    const on = (columns: number) => transcript(line, { terminal: { columns }, env: { NO_COLOR: '' } });
    const parts = {
      'a terminal': await on(200),
      // Times of others are those of the database, and as long as they are on the day of the test.
      ...(/^(?:key|token|oauth client) list/.test(line) ? { 'a narrow terminal': await on(80) } : {}),
      'a pipe': await transcript(line, {}),
      JSON: steady(JSON.stringify(await db.json(line, { clock: tenDaysLater }), null, 1)),
    };
    const text = Object.entries(parts).map(([where, said]) => `=== ${where}\n${said.trimEnd()}\n`);
    expectGolden(`cli/golden/shown/${line.replaceAll(' ', '-')}.txt`, text.join(''));
  });
});

describeEachDatabase('what is printed where there is nothing', (kind) => {
  test('says how to make the first one', async () => {
    const empty = await prepareCliDatabase(await kind.url());
    const said: string[] = [];
    for (const line of [...lists, 'setting list --changed'].filter((one) => !/ 1$| header$/.test(one))) {
      const { code, stdout, stderr } = await empty.run(line, { terminal: { columns: 100 } });
      if (code === 0 && stdout === '') {
        said.push(`hcd ${line}: ${stderr}`);
        expect(await empty.json(line)).toEqual({ data: [], meta: { total: 0 } });
      }
    }
    expectGolden('cli/golden/shown/nothing.txt', said.join(''));
  });
});
