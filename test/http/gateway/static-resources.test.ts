/** Static resources send files of the server: they need a scope of their own, and no path leads out of their folder. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase } from '../../support/databases.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { dataOf, key } from './writing-site.js';

const writing = ['resources.read', 'resources.create', 'resources.update', 'preview'];
const person = (userId: number): Identity => ({
  kind: 'session',
  id: String(userId),
  userId,
  principal: { userId, sudo: false, groups: new Map([[userId, 9999]]) },
  csrfToken: 'csrf',
});
const identities = {
  writer: key(...writing),
  keeper: key(...writing, 'resources.static'),
  everything: key('*'),
  editor: person(51),
  master: person(52),
};

const names = ['modStaticResource', 'MODX\\Revolution\\modStaticResource'];
const staticClass = 'MODX\\Revolution\\modStaticResource';
const paths = '/etc/passwd ../config.php a\\b C:/x file:///x php://input data:,x %2e%2e/x [[x]]'.split(' ');

describeEachDatabase('a static resource', (database) => {
  let site: TestSite;
  let databaseUrl: string;

  beforeAll(async () => {
    databaseUrl = await database.url();
    site = await startTestSite({ databaseUrl, identities });
    const rule = { target: 'web', principal_class: 'MODX\\Revolution\\modUserGroup', authority: 9999 };
    const granted = ['load', 'list', 'view', 'resources.create', 'resources.update', 'preview'];
    const rights = Object.fromEntries(granted.map((name) => [name, true]));
    await site.fill({
      access_policies: [
        { id: 51, name: 'editors', data: JSON.stringify(rights) },
        { id: 52, name: 'masters', data: JSON.stringify({ ...rights, new_static_resource: true }) },
      ],
      access_context: [51, 52].map((id) => ({ ...rule, principal: id, policy: id })),
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
        { id: 5, pagetitle: 'Text', alias: 'text', uri: 'text.html', content: '/etc/passwd' },
        { id: 6, pagetitle: 'File', alias: 'file', uri: 'file.html', content: 'a.html', class_key: staticClass },
        { id: 7, pagetitle: 'Page', alias: 'page', uri: 'page.html', content: 'words' },
        { id: 9001, pagetitle: 'Any', alias: 'any', uri: 'any.html', content: 'words' },
        { id: 8, pagetitle: 'Old', alias: 'old', uri: 'old.html', content: 'b.html', class_key: 'modstaticresource' },
      ],
    });
  });

  const send = (method: string, path: string, as: string, body: unknown): Promise<Got> =>
    site.get(path, { method, as, body, headers: { 'x-csrf-token': 'csrf' } });
  /** No text and an empty one are both no path. */
  const stored = async (id: number): Promise<unknown> => {
    const sql = "SELECT class_key, COALESCE(content, '') FROM modx_site_content WHERE id = ?";
    return (await site.store.content.primary.select({ sql, params: [id] }))[0];
  };

  it.each(names)('is made as %s with its scope only', async (class_key) => {
    const body = { pagetitle: `New ${class_key}`, class_key, content: 'files/new.html' };
    for (const path of ['/resources', '/objects/resources']) {
      const refused = await send('POST', path, 'writer', body);
      const detail = 'Insufficient permissions: a static resource and its content need the scope resources.static';
      expect(refused.body).toMatchObject({ status: 403, code: 'scope_denied', detail });
    }
    const made = await send('POST', '/resources', 'keeper', body);
    expect([made.status, dataOf(made)['class_key']]).toEqual([201, staticClass]);
  });

  it.each([...names, 'modstaticresource', '\\MODX\\Revolution\\modStaticResource'])(
    'needs its scope when another resource gets the class %s',
    async (class_key) => {
      for (const method of ['PATCH', 'PUT']) {
        const refused = await send(method, '/resources/7', 'writer', { pagetitle: 'Page', class_key });
        expect([refused.status, refused.body['code']]).toEqual([403, 'scope_denied']);
      }
      expect(await stored(7)).toEqual(['MODX\\Revolution\\modDocument', 'words']);
    },
  );

  it.each([6, 8])('gets another path with its scope only (resource %i)', async (id) => {
    const [, content] = Object(await stored(id));
    for (const method of ['PATCH', 'PUT']) {
      const refused = await send(method, `/resources/${id}`, 'writer', { pagetitle: 'x', content: 'c.html' });
      expect([refused.status, refused.body['code']]).toEqual([403, 'scope_denied']);
      // What stays as it is needs no right, and neither does a title.
      expect((await send(method, `/resources/${id}`, 'writer', { pagetitle: 'x', content })).status).toBe(200);
    }
    expect(await stored(id)).toEqual([expect.anything(), content]);
    expect((await send('PATCH', `/resources/${id}`, 'keeper', { content: 'c.html' })).status).toBe(200);
  });

  it.each(paths)('never has the path %j', async (content) => {
    const answers = [
      await send('POST', '/resources', 'keeper', { pagetitle: 'New', class_key: 'modStaticResource', content }),
      await send('PATCH', '/resources/6', 'keeper', { content }),
      await send('PUT', '/resources/7', 'everything', { pagetitle: 'x', class_key: 'modStaticResource', content }),
    ];
    const errors = { content: [expect.stringMatching(/^must be the path of a file/)] };
    for (const { status, body } of answers) expect([status, body['errors']]).toEqual([422, errors]);
  });

  it('is not made of a resource whose stored text is such a path', async () => {
    const refused = await send('PATCH', '/resources/5', 'keeper', { class_key: 'modStaticResource' });
    expect([refused.status, Object.keys(Object(refused.body['errors']))]).toEqual([422, ['content']]);
    expect(await stored(5)).toEqual(['MODX\\Revolution\\modDocument', '/etc/passwd']);
  });

  it('needs the permission of the CMS for users', async () => {
    const body = { pagetitle: 'By a user', class_key: 'modStaticResource', content: 'u.html' };
    expect((await send('POST', '/resources', 'editor', body)).status).toBe(403);
    expect((await send('POST', '/resources', 'master', body)).status).toBe(201);
  });

  it('never has such a path from a command', async () => {
    const options = { openStore, env: { HCD_DATABASE_URL: databaseUrl } };
    for (const line of [
      'resource create --pagetitle x --class-key modStaticResource --content /etc/passwd',
      'resource update 6 --content ../config.php',
      'resource update 5 --class-key modStaticResource',
    ]) {
      const { code, stderr } = await runCli(line, options);
      expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining('must be the path of a file')]);
    }
    expect((await runCli('resource update 6 --content files/ok.html', options)).code).toBe(0);
  });

  it('is never left with a path that leads out of its folder, whatever is sent', async () => {
    const body = fc.record(
      {
        class_key: fc.constantFrom(...names, 'modstaticresource', 'modDocument', 'modWebLink', 7),
        content: fc.constantFrom<unknown>(...paths, 'fine.html', '', null, 12, '/etc\0'),
        pagetitle: fc.constant('Any'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('PATCH', 'PUT'),
        fc.constantFrom('writer', 'keeper'),
        body,
        async (method, as, given) => {
          const before = await stored(9_001);
          const { status } = await send(method, '/resources/9001', as, given);
          expect(status).toBeLessThan(500);
          const [classKey, content] = Object(await stored(9_001));
          const isStatic = String(classKey).toLowerCase().endsWith('modstaticresource');
          if (isStatic) expect([given, paths.includes(String(content))]).toEqual([given, false]);
          if (isStatic && as === 'writer') expect([given, [classKey, content]]).toEqual([given, before]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
