/** Values that the CMS evaluates are code: they need a right of their own, however they are written. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Identity } from '../../../src/access/identity.js';
import { evaluatedBinding } from '../../../src/content/rules/tv-values.js';
import { openStore } from '../../../src/store/open/open.js';
import { runCli } from '../../support/cli.js';
import { describeEachDatabase } from '../../support/databases.js';
import { type Got, startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';
import { key } from './writing-site.js';

const writing = ['resources.read', 'resources.create', 'resources.update', 'preview'];
const person = (userId: number, sudo = false): Identity => ({
  kind: 'session',
  id: String(userId),
  userId,
  principal: { userId, sudo, groups: new Map([[userId, 9999]]) },
  csrfToken: 'csrf',
});
const identities = {
  writer: key(...writing),
  trusted: key(...writing, 'resources.bindings'),
  everything: key('*'),
  editor: person(51),
  master: person(52),
  sudo: person(53, true),
};

describe('a value of a template variable', () => {
  const evaluated: Readonly<Record<string, string>> = {
    '@EVAL return 1;': '@EVAL',
    '@eval return 1;': '@EVAL',
    ' \n\t@FILE a.txt': '@FILE',
    '@DIRECTORY/assets': '@DIRECTORY',
    '@SELECTpassword FROM users': '@SELECT',
    '@CHUNK a': '@CHUNK',
    '@SnIpPeT a': '@SNIPPET',
    '@RESOURCE 5': '@RESOURCE',
    '@DOCUMENT 5': '@DOCUMENT',
    // The CMS looks for the first one anywhere behind a leading @.
    '@me, see @EVAL x': '@EVAL',
    // And again in what is behind @INHERIT.
    '@INHERIT @EVAL x': '@EVAL',
    '@inherit\n@INHERIT @me @file x': '@FILE',
  };
  const texts = [
    '',
    '@INHERIT',
    '@inherit red',
    '@INHERIT red @EVAL x',
    'red @EVAL x',
    'info@file.example',
    '@',
    '@me',
  ];

  it.each(Object.entries(evaluated))('is evaluated by the CMS: %j', (value, binding) => {
    expect(evaluatedBinding(value)).toBe(binding);
  });

  it.each(texts)('is a text to the CMS: %j', (value) => {
    expect(evaluatedBinding(value)).toBeNull();
  });
});

describeEachDatabase('a value that the CMS evaluates', (database) => {
  let site: TestSite;
  let databaseUrl: string;

  beforeAll(async () => {
    databaseUrl = await database.url();
    site = await startTestSite({ databaseUrl, identities, env: { HCD_DATABASE_URL: databaseUrl } });
    const rule = { target: 'web', principal_class: 'MODX\\Revolution\\modUserGroup', authority: 9999 };
    const names = ['load', 'list', 'view', 'preview', 'resources.read', 'resources.create', 'resources.update'];
    const rights = Object.fromEntries(names.map((name) => [name, true]));
    const tvs = ['color:text', 'tags:tag', 'boxes:checkbox', 'rows:migx', 'chosen:text'].map((one, at) => {
      const [name = '', type = ''] = one.split(':');
      return { id: at + 1, name, type, default_text: name === 'chosen' ? '@SELECT 1' : '' };
    });
    await site.fill({
      access_policies: [
        { id: 51, name: 'editors', data: JSON.stringify(rights) },
        { id: 52, name: 'masters', data: JSON.stringify({ ...rights, tv_bindings: true }) },
      ],
      access_context: [51, 52].map((id) => ({ ...rule, principal: id, policy: id })),
      site_templates: [{ id: 1, templatename: 'Page' }],
      site_tmplvars: tvs,
      site_tmplvar_templates: tvs.map(({ id }) => ({ tmplvarid: id, templateid: 1 })),
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
        { id: 5, pagetitle: 'Page', alias: 'page', uri: 'page.html', template: 1 },
        { id: 6, pagetitle: 'Old', alias: 'old', uri: 'old.html', template: 1 },
      ],
      site_tmplvar_contentvalues: [
        { id: 1, contentid: 6, tmplvarid: 1, value: '@CHUNK old' },
        { id: 2, contentid: 6, tmplvarid: 4, value: '[{"a":"@CHUNK old","b":"one"}]' },
      ],
    });
  });

  const send = (method: string, path: string, as: string, body: unknown, headers = {}): Promise<Got> =>
    site.get(path, { method, as, body, headers: { 'x-csrf-token': 'csrf', ...headers } });
  const stored = (resource: number): Promise<unknown> =>
    site.store.content.primary.select({
      sql: 'SELECT tmplvarid, value FROM modx_site_tmplvar_contentvalues WHERE contentid = ? ORDER BY tmplvarid',
      params: [resource],
    });
  const codes: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    'as a text': { color: '@EVAL return 1;' },
    'in small letters, behind white space': { color: '\n @eval return 1;' },
    'behind @INHERIT': { color: '@INHERIT @FILE config.php' },
    'as the first member of a list': { boxes: ['@SELECT 1', 'b'] },
    'as the first tag': { tags: [' @CHUNK a', 'b'] },
    'in a row of MIGX': { rows: '[{"a":"\\u0040EVAL x"}]' },
    'in rows within a row of MIGX': { rows: JSON.stringify([{ a: JSON.stringify([{ b: '@SNIPPET x' }]) }]) },
    'in JSON of a text': { color: '{"a":["@RESOURCE 1"]}' },
    'in JSON behind @INHERIT': { rows: '@INHERIT @inherit [{"a":"@EVAL x"}]' },
  };

  it.each(Object.entries(codes))('needs its scope %s', async (_where, tvs) => {
    const [name = ''] = Object.keys(tvs);
    const requests: readonly (readonly [string, string])[] = [
      ['PATCH', '/resources/5'],
      ['PUT', '/resources/5'],
      ['POST', '/resources'],
      ['PATCH', '/objects/resources/5'],
      ['POST', '/objects/resources'],
    ];
    for (const as of ['writer', 'editor']) {
      for (const [method, path] of requests) {
        const { status, body } = await send(method, path, as, { pagetitle: 'Page', template: 1, tvs });
        expect([method, path, status, body['code']]).toEqual([method, path, 403, 'scope_denied']);
        expect(body['detail']).toMatch(new RegExp(`^Insufficient permissions: tvs\\.${name} .*resources\\.bindings`));
      }
    }
    expect(await stored(5)).toEqual([]);
  });

  it.each(['trusted', 'everything', 'master', 'sudo'])('is written by %s', async (as) => {
    const { status } = await send('PATCH', '/resources/5', as, { tvs: { color: `@CHUNK ${as}` } });
    expect(status).toBe(200);
    expect(await stored(5)).toEqual([[1, `@CHUNK ${as}`]]);
    expect((await send('PATCH', '/resources/5', as, { tvs: { color: '' } })).status).toBe(200);
  });

  it('may stay as it is, in a row that others change too', async () => {
    for (const method of ['PATCH', 'PUT']) {
      const tvs = { color: '@CHUNK old', rows: `[{"a":"@CHUNK old","b":"${method}"}]`, chosen: '@SELECT 1' };
      expect((await send(method, '/resources/6', 'writer', { pagetitle: 'Old', tvs })).status).toBe(200);
      expect(await stored(6)).toEqual([
        [1, '@CHUNK old'],
        [4, `[{"a":"@CHUNK old","b":"${method}"}]`],
      ]);
    }
  });

  it('does not become the whole value where only a row had it', async () => {
    const { status, body } = await send('PATCH', '/resources/6', 'writer', { tvs: { rows: '@CHUNK old' } });
    expect([status, body['code']]).toEqual([403, 'scope_denied']);
  });

  it('is anything but what is inherited, and texts with an @', async () => {
    const tvs = { color: '@INHERIT red', boxes: ['a', '@EVAL b'], tags: 'me@select.example', rows: '[{"a":"@me"}]' };
    expect((await send('PATCH', '/resources/5', 'writer', { tvs })).status).toBe(200);
  });

  it('is refused again when the request is repeated with its Idempotency-Key', async () => {
    const body = { pagetitle: 'Again', template: 1, tvs: { color: '@EVAL x' } };
    for (let time = 0; time < 2; time += 1) {
      const { status } = await send('POST', '/resources', 'writer', body, { 'idempotency-key': 'again' });
      expect(status).toBe(403);
    }
  });

  it('comes from commands with --trust only', async () => {
    const options = { openStore, env: { HCD_DATABASE_URL: databaseUrl } };
    for (const command of ['resource update 5 --tv', 'resource create --pagetitle New --template 1 --tv']) {
      const words = [...command.split(' '), 'color=@EVAL x'];
      const refused = await runCli(words, options);
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/tvs\.color .*@EVAL.*--trust/)]);
      expect((await runCli([...words, '--trust'], options)).code).toBe(0);
    }
  });

  it('is imported with --trust only, as a value, a default and the choices of a variable', async () => {
    const folder = await makeTempDir('bindings');
    const file = join(folder, 'site.ndjson');
    const options = { openStore, env: { HCD_DATABASE_URL: databaseUrl } };
    const page = { context_key: 'web', uri: 'index.html', template: 'Page', tvs: { color: '@EVAL x' } };
    const records: readonly (readonly [string, string, unknown])[] = [
      ['tvs', 'resources', page],
      ['default_text', 'tvs', { name: 'tags', default_text: ' @Select 1' }],
      ['elements', 'tvs', { name: 'boxes', elements: '@DIRECTORY /' }],
    ];
    const head = (await runCli('export - --object contexts', options)).stdout.split('\n')[0];
    for (const [member, object, record] of records) {
      await writeFile(file, `${head}\n${JSON.stringify({ object, record })}\n`);
      for (const more of ['', '--dry-run', '--atomic']) {
        const refused = await runCli(`import ${file} ${more}`.trim(), options);
        expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(member)]);
        expect(refused.stderr).toContain('--trust');
      }
      expect((await runCli(`import ${file} --trust`, options)).code).toBe(0);
      // What the site has already is unchanged, so it needs no trust.
      expect((await runCli(`import ${file}`, options)).code).toBe(0);
    }
  });

  it('is in the way of no export that comes back to its site', async () => {
    const options = { openStore, env: { HCD_DATABASE_URL: databaseUrl } };
    const { stdout } = await runCli('export -', options);
    const back = await runCli('import -', { ...options, stdin: stdout });
    expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('0 records created, 0 updated')]);
  });
});
