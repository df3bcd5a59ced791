/** The site for assistants: what each tool answers, what a key does not allow, and how it ends. */
import { beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { hero, publish } from '../http/pages/published-site.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';

interface Said {
  readonly text: string;
  readonly isError: boolean;
  /** The text as JSON; throws for other texts. */
  json(): Record<string, unknown>;
}

const greeting = [
  {
    jsonrpc: '2.0',
    id: 'hello',
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
];

describeEachDatabase('hcd mcp', (database) => {
  let db: CliDatabase;
  let all: string;
  let reader: string;

  const keyWith = async (scopes: string): Promise<string> =>
    ((await db.json(`key create --scopes ${scopes}`, { clock: systemClock })) as { data: { key: string } }).data.key;

  /** Answers by the id of their request; everything that standard output holds. */
  const talk = async (messages: readonly object[], { key = all, flags = '', env = {} } = {}) => {
    const stdin = [...greeting, ...messages].map((message) => `${JSON.stringify(message)}\n`).join('');
    const { code, stdout, stderr } = await db.run(`mcp ${flags}`, {
      ...{ stdin, clock: systemClock, env: { HCD_KEY: key, ...env } },
    });
    const lines = stdout.split('\n').filter((line) => line !== '');
    const answers = lines.map((line) => JSON.parse(line) as { id: unknown; result?: Record<string, unknown> });
    return { code, stderr, answers: new Map(answers.map((answer) => [answer.id, answer.result ?? {}])) };
  };
  const call = async (name: string, input: object = {}, how: { key?: string; flags?: string } = {}): Promise<Said> => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
    const { code, answers } = await talk([asked], how);
    expect(code).toBe(0);
    const { content, isError = false } = answers.get(1) as { content: { text: string }[]; isError?: boolean };
    const text = content[0]?.text ?? '';
    return { text, isError, json: () => JSON.parse(text) as Record<string, unknown> };
  };
  const names = async (flags: string): Promise<readonly string[]> => {
    const { answers } = await talk([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], { flags });
    const { tools } = answers.get(1) as { tools: { name: string; annotations: { readOnlyHint: boolean } }[] };
    expect(tools.every(({ annotations }) => typeof annotations.readOnlyHint === 'boolean')).toBe(true);
    return tools.map(({ name }) => name);
  };

  beforeAll(async () => {
    db = await prepareCliDatabase(await database.url(), async (store) => {
      await seed(store, {
        site_content: [
          { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
          { id: 2, pagetitle: 'About', alias: 'about', uri: 'about/', isfolder: 1 },
          { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2 },
          { id: 4, pagetitle: 'Draft', alias: 'draft', uri: 'draft.html', published: 0 },
        ],
        site_templates: [{ id: 5, templatename: 'Article' }],
      });
      await publish(store, 1, [hero('Welcome')]);
    });
    await db.run('setting set gateway_audit_enabled 1');
    all = await keyWith('*');
    reader = await keyWith('resources.read');
  });

  const reading = [
    ...['list_resources', 'get_resource', 'search', 'get_tree', 'get_schema', 'list_templates', 'list_section_types'],
    ...['list_pages', 'get_page_document', 'get_page_draft', 'get_statistics'],
  ];

  it('offers tools that read and, with --write, those that change', async () => {
    expect(await names('')).toEqual(reading);
    expect(await names('--write')).toEqual([
      ...reading,
      'create_resource',
      'update_resource',
      'edit_page',
      'publish_page',
    ]);
  });

  it.each<[string, object, object]>([
    ['list_resources', { parent: 2, fields: 'id' }, { data: [{ id: 3 }] }],
    ['list_resources', { sort: '-id', fields: 'id', limit: 1 }, { data: [{ id: 3 }], meta: { total: 3 } }],
    ['list_resources', { filter: { parent: 2 }, fields: 'id' }, { data: [{ id: 3 }] }],
    ['list_resources', { filter: { id: [1, 3] }, fields: 'id' }, { data: [{ id: 1 }, { id: 3 }] }],
    ['list_resources', { filter: { id: { gt: 1, not_in: [3] } }, fields: 'id' }, { data: [{ id: 2 }] }],
    ['list_resources', { filter: { published: true, alias: { like: 'TEA%' } }, fields: 'id' }, { data: [{ id: 3 }] }],
    ['search', { text: 'Team', filter: { parent: 0 }, fields: 'id' }, { data: [] }],
    ['get_schema', {}, { data: { objects: { resources: { fields: expect.arrayContaining(['pagetitle']) } } } }],
    ['list_templates', {}, { data: [{ id: 5, templatename: 'Article', description: '' }], meta: { total: 1 } }],
    ['get_page_draft', { id: 1 }, { id: 1, revision: 1, published_revision: 1, document: { sections: [{}] } }],
    ['get_resource', { id: 3, fields: 'uri' }, { data: { uri: 'about/team.html' } }],
    ['get_resource', { uri: '/about/team.html', fields: 'id' }, { data: { id: 3 } }],
    ['get_resource', { id: 3, fields: 'id', include: 'parent' }, { data: { id: 3, parent: { id: 2 } } }],
    ['search', { text: 'Team', fields: 'id' }, { data: [{ id: 3 }] }],
    ['get_tree', { depth: 2, fields: 'id' }, { data: [{ id: 1 }, { id: 2, children: [{ id: 3 }] }] }],
    ['list_pages', {}, { items: [{ resourceId: 1 }], total: 1 }],
    ['get_page_document', { id: 1 }, { resourceId: 1, document: { sections: [{ type: 'hero' }] } }],
    ['get_statistics', { period: 'today' }, { summary: { clicks: 0 }, top_ads: [] }],
  ])('%s %j', async (name, input, expected) => {
    const said = await call(name, input);
    expect([said.isError, said.json()]).toMatchObject([false, expected]);
  });

  it.each(['list_resources', 'search'])(
    '%s shows a few fields, never the content, unless it is asked for',
    async (name) => {
      const input = name === 'search' ? { text: 'Team' } : {};
      const fieldsOf = async (more: object) => {
        const { data } = (await call(name, { ...input, ...more })).json() as { data: object[] };
        return Object.keys(data[0] ?? {});
      };
      const few = ['id', 'pagetitle', 'uri', 'parent', 'template', 'published', 'publishedon'];
      expect([await fieldsOf({}), await fieldsOf({ fields: 'content' })]).toEqual([few, ['content']]);
    },
  );

  it('lists the section types with their fields', async () => {
    const { items } = (await call('list_section_types')).json() as { items: { key: string; fields: object[] }[] };
    expect(items.find(({ key }) => key === 'hero')?.fields.length).toBeGreaterThan(0);
  });

  it('edits the draft of a page by the rules of hcd page edit, and leaves what readers see', async () => {
    const flags = '--write';
    const edit = async (resource: number, document: object, revision?: number) =>
      call('edit_page', { id: resource, document, ...(revision === undefined ? {} : { revision }) }, { flags });
    const document = { schemaVersion: 1, sections: [hero('By an assistant')] };
    const saved = await edit(3, document, 0);
    expect(saved.json()).toEqual({ id: 3, published_revision: 0, revision: 1, missing: [] });
    expect((await call('get_page_draft', { id: 3 })).text).toContain('By an assistant');
    expect(await call('get_page_document', { id: 3 })).toMatchObject({ isError: true });
    expect(await edit(3, document, 0)).toMatchObject({ isError: true, text: expect.stringContaining('revision') });
    const wrong = {
      schemaVersion: 1,
      sections: [
        { type: 'nothing', data: {} },
        { type: 'hero', data: { no: 1 } },
      ],
    };
    const refused = await edit(3, wrong);
    const byCommand = await db.run('page edit 3 --file -', { stdin: JSON.stringify(wrong) });
    expect(refused.isError).toBe(true);
    for (const line of refused.text.split('\n').slice(1)) expect(byCommand.stderr).toContain(line.split(': ').at(-1));
    expect((await edit(77, document)).text).toContain('77');
    const history = (await db.json('audit list')) as { data: Record<string, unknown>[] };
    expect(history.data.slice(0, 4).map(({ path, status }) => [path, status])).toEqual([
      ['/mcp/edit_page', 404],
      ['/mcp/edit_page', 422],
      ['/mcp/edit_page', 409],
      ['/mcp/edit_page', 200],
    ]);
  });

  it('changes and publishes, with rows in the audit log and the name of the key', async () => {
    const flags = '--write';
    const made = (await call('create_resource', { fields: { pagetitle: 'New' } }, { flags })).json();
    const { id } = made['data'] as { id: number };
    await call('update_resource', { id, fields: { longtitle: 'Longer' } }, { flags });
    expect(await call('get_resource', { id }, { key: reader })).toMatchObject({ isError: true });
    const page = { schemaVersion: 1, sections: [hero('Again')] };
    await db.run(['page', 'edit', '1', '--file', '-'], { stdin: JSON.stringify(page) });
    expect((await call('publish_page', { id: 1 }, { flags })).json()).toEqual({ id: 1, published_revision: 2 });
    const { data } = (await db.json('audit list')) as { data: Record<string, unknown>[] };
    expect(data.slice(0, 3).map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/mcp/publish_page', 200],
      ['PATCH', `/api/v1/resources/${id}`, 200],
      ['POST', '/api/v1/resources', 201],
    ]);
    const history = (await db.json('page history 1')) as { data: Record<string, unknown>[] };
    expect(JSON.stringify(history.data[0])).toContain('api_key:');
  });

  it.each<[string, object, string]>([
    ['get_resource', { id: 4 }, '"status":404'],
    ['get_page_document', { id: 2 }, 'no published content'],
    ['list_resources', { parent: '2' }, 'parent must be a whole number from 0'],
    ['list_resources', { colour: 'red' }, 'colour is unknown; known: parent'],
    ['list_resources', { sort: 'nothing' }, '"status":422'],
    ['list_resources', { filter: { content: 'x' } }, '"status":422'],
    ['list_resources', { filter: 'id=1' }, 'filter must be an object'],
    ['edit_page', { id: 1, document: {} }, 'There is no tool edit_page'],
    ['get_page_draft', { id: 2 }, 'page'],
    ['search', {}, 'text must be given'],
    ['get_statistics', { period: 'never' }, 'period must be one of'],
    ['create_resource', { fields: {} }, 'There is no tool create_resource'],
    ['get_resource', { uri: '../templates' }, 'uri must be an address without the parts "." and ".."'],
    ['get_resource', { uri: 'about/..' }, 'uri must be an address without the parts "." and ".."'],
    ['get_resource', { uri: '.' }, 'uri must be an address'],
    ['get_resource', { uri: '/about/\n/../../templates' }, 'uri must be an address'],
    ['get_resource', { uri: 'about/%2e%2e/team.html' }, '"status":404'],
    ['get_resource', { uri: 'about/..team' }, '"status":404'],
    ['drop_everything', {}, 'There is no tool drop_everything; tools: list_resources'],
  ])('refuses %s %j', async (name, input, words) => {
    expect(await call(name, input)).toMatchObject({ isError: true, text: expect.stringContaining(words) });
  });

  it.each<[string, object, string]>([
    ['get_statistics', {}, 'this needs the scope *'],
    ['publish_page', { id: 1 }, 'this needs the scope resources.update'],
    ['edit_page', { id: 1, document: {} }, 'this needs the scope resources.update'],
    ['get_page_draft', { id: 1 }, 'this needs the scope resources.update'],
    ['create_resource', { fields: { pagetitle: 'x' } }, 'scope_denied'],
    ['update_resource', { id: 3, fields: { pagetitle: 'x' } }, 'scope_denied'],
  ])('does no more than the key allows: %s', async (name, input, words) => {
    const said = await call(name, input, { key: reader, flags: '--write' });
    expect(said).toMatchObject({ isError: true, text: expect.stringContaining(words) });
    if (name.startsWith('get_')) return;
    const { data } = (await db.json('audit list')) as { data: Record<string, unknown>[] };
    expect(data[0]).toMatchObject({ status: 403, identity: expect.stringContaining('api_key:') });
  });

  it('logs nothing but warnings and errors, unless the log has a level', async () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_resources', arguments: {} } };
    expect(await talk([asked])).toMatchObject({ code: 0, stderr: '' });
    const { stderr } = await talk([asked], { env: { HCD_LOG_LEVEL: 'info' } });
    expect(stderr).toContain('"event":"request_finished"');
  });

  it('counts every call for the rate limit of the key', async () => {
    const made = await db.json('key create --scopes * --rate-limit 4 --rate-window 3600', { clock: systemClock });
    const { key } = (made as { data: { key: string } }).data;
    const asked: readonly [name: string, input: object][] = [
      ['list_pages', {}],
      ['get_resource', { id: 1, fields: 'id' }],
      ['get_page_document', { id: 1 }],
      ['get_statistics', {}],
      ['list_pages', {}],
      ['get_statistics', {}],
      ['get_resource', { id: 1 }],
    ];
    const calls = asked.map(([name, input], at) => ({
      ...{ jsonrpc: '2.0', id: at + 1, method: 'tools/call' },
      params: { name, arguments: input },
    }));
    const { answers } = await talk(calls, { key });
    const refusals = [...answers.values()]
      .filter(({ isError }) => isError === true)
      .map((answer) => JSON.stringify(answer));
    expect(refusals).toHaveLength(3);
    for (const text of refusals) expect(text).toContain('The limit of 4 requests in 3600 seconds is reached');
  });

  it('answers everything that was asked before the input ended', async () => {
    const asked = [1, 2, 3, 4, 5].map((id) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'get_resource', arguments: { id: 1, fields: 'id' } },
    }));
    const { answers } = await talk(asked);
    expect([...answers.keys()].sort()).toEqual([1, 2, 3, 4, 5, 'hello']);
  });

  describe('without a key that works', () => {
    it.each([
      ['none', '', 2, '--key is required, or HCD_KEY'],
      ['a wrong one', 'gk_0123456789abcdef_x', 1, 'The key is not one of this site'],
    ])('refuses %s', async (_name, key, code, words) => {
      const run = await db.run('mcp', { env: { HCD_KEY: key } });
      expect([run.code, run.stdout, run.stderr]).toEqual([code, '', expect.stringContaining(words)]);
    });
  });
});
