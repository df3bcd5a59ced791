/** `hcd user`: arguments, what is shown in each form, what is stored, and every refusal. That log-ins work is tested over HTTP. */
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Deps } from '../../commands/deps.js';
import { readPassword } from '../../commands/user.js';
import { verifyPassword } from '../../src/crypto/password.js';
import { generatePassword, newPasswordProblem } from '../../src/identity/users/manage-users.js';
import type { RawValue } from '../../src/store/base/database.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';
import { describeWithFixture, loadFixture } from '../support/fixture.js';
import { seed } from '../support/seed.js';
import { printed, refused } from './outcomes.js';
import { expectTranscript } from './transcript.js';

const password = 'a long enough one';
const accepted =
  'Accepted permissions: resources.read, resources.create, resources.update, resources.delete, contexts.read, chunks.read, templates.read, snippets.read, tvs.read, categories.read, content_types.read, media.read, media.create, media.delete, preview, view_unpublished, empty_recycle_bin, new_static_resource, tv_bindings, gateway_fields_createdby, gateway_fields_editedby, gateway_fields_deletedby, gateway_fields_publishedby, gateway_fields_all';

const rows = async (db: CliDatabase, sql: string): Promise<RawValue[][]> =>
  (await db.rows(sql)).map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)));

const add = (db: CliDatabase, words: string, text = `${password}\n`) =>
  db.run(`user add ${words} --password-stdin`, { stdin: text });

async function isPassword(db: CliDatabase, username: string, text: string): Promise<boolean> {
  const [row] = await rows(db, `SELECT password, hash_class, salt FROM modx_users WHERE username = '${username}'`);
  const [hash, hashClass, salt] = (row ?? []).map(String);
  const stored = { hash: hash ?? '', hashClass: hashClass ?? '', salt: salt ?? '' };
  return verifyPassword(text, { stored, decoys: [] });
}

describeEachDatabase('hcd user', (kind) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url());
  });

  test('add makes a user with a password of argon2id, a profile and nothing else', async () => {
    const { code, stdout, stderr } = await add(db, 'plain --full-name "Plain Person" --email plain@example.org');
    const [, id] = /^id\t(\d+)\nusername\tplain\nsudo\tfalse\ngroups\t\npermissions\t\n$/.exec(stdout) ?? [];
    expect(Number(id)).toBeGreaterThan(0);
    expect([code, stderr]).toEqual([0, 'The user has no permissions. See hcd user add --help on how to grant some.\n']);
    const stored = 'username, class_key, active, hash_class, salt, sudo, primary_group, createdon';
    expect(await rows(db, `SELECT ${stored} FROM modx_users WHERE id = ${id}`)).toEqual([
      ['plain', 'MODX\\Revolution\\modUser', 1, 'MODX\\Revolution\\Hashing\\modNative', '', 0, 0, 1_795_253_400],
    ]);
    const profile = 'internalKey, fullname, email, blocked, address, comment';
    expect(await rows(db, `SELECT ${profile} FROM modx_user_attributes WHERE internalKey = ${id}`)).toEqual([
      [Number(id), 'Plain Person', 'plain@example.org', 0, '', ''],
    ]);
    expect(await isPassword(db, 'plain', password)).toBe(true);
    expect(await rows(db, `SELECT * FROM modx_member_groups WHERE member = ${id}`)).toEqual([]);
  });

  test("add --permissions keeps them in the CMS's own model: group, rule of the context, policy with its template", async () => {
    const { code, stdout, stderr } = await add(
      db,
      'editor --permissions resources.read,resources.update,resources.read',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\ngroups\tgateway: editor\npermissions\tresources.read,resources.update\n$/);
    const found = await rows(
      db,
      `SELECT g.name, r.authority, a.target, a.principal_class, a.authority, p.name, p.data, t.name, u.primary_group = g.id
       FROM modx_users u JOIN modx_member_groups m ON m.member = u.id JOIN modx_membergroup_names g ON g.id = m.user_group
       JOIN modx_user_group_roles r ON r.id = m.role JOIN modx_access_context a ON a.principal = g.id
       JOIN modx_access_policies p ON p.id = a.policy JOIN modx_access_policy_templates t ON t.id = p.template
       WHERE u.username = 'editor'`,
    );
    const granted = { load: true, list: true, view: true, 'resources.read': true, 'resources.update': true };
    expect(found.map((row) => row.map((value, at) => (at === 6 ? JSON.parse(String(value)) : value)))).toEqual([
      [
        'gateway: editor',
        9999,
        'web',
        'MODX\\Revolution\\modUserGroup',
        9999,
        'gateway: editor',
        granted,
        'GatewayTemplate',
        1,
      ],
    ]);
    await add(db, 'writer --permissions resources.update,resources.create');
    const names = `SELECT x.name FROM modx_access_permissions x JOIN modx_access_policy_templates t ON t.id = x.template WHERE t.name = 'GatewayTemplate' ORDER BY x.name`;
    expect((await rows(db, names)).flat()).toEqual([
      'list',
      'load',
      'resources.create',
      'resources.read',
      'resources.update',
      'view',
    ]);
  });

  test('add --permissions counts in the context of the gateway', async () => {
    await add(db, 'elsewhere --permissions preview');
    const env = { HCD_GATEWAY_CONTEXT: 'journal' };
    await db.run('user add here --permissions preview --password-stdin', { stdin: password, env });
    expect(
      (
        await rows(
          db,
          "SELECT target FROM modx_access_context a JOIN modx_access_policies p ON p.id = a.policy WHERE p.name IN ('gateway: here', 'gateway: elsewhere') ORDER BY p.name",
        )
      ).flat(),
    ).toEqual(['web', 'journal']);
    const seen = async (given: Record<string, string>) =>
      ((await db.json('user list', { env: given })) as { data: { username: string; permissions: string[] }[] }).data
        .filter(({ username }) => ['here', 'elsewhere'].includes(username))
        .map(({ permissions }) => permissions);
    expect([await seen({}), await seen(env)]).toEqual([
      [['preview'], []],
      [[], ['preview']],
    ]);
  });

  test('add --sudo --generate shows the password once', async () => {
    const { data } = (await db.json('user add root --sudo --generate')) as { data: Record<string, unknown> };
    expect(data).toEqual({
      id: expect.any(Number),
      username: 'root',
      fullname: '',
      email: '',
      state: 'active',
      sudo: true,
      groups: [],
      permissions: ['*'],
      last_login_on: null,
      created_on: '2026-11-21T09:30:00Z',
      password: expect.stringMatching(/^[0-9A-Za-z]{20}$/),
    });
    expect(await isPassword(db, 'root', String(data['password']))).toBe(true);
    const { stdout, stderr } = await db.run('user add root2 --sudo --generate');
    expect(stdout).toMatch(
      /^id\t\d+\nusername\troot2\npassword\t[0-9A-Za-z]{20}\nsudo\ttrue\ngroups\t\npermissions\t\*\n$/,
    );
    expect(stderr).toBe('Copy the password now: it is not shown again.\nThe user can do everything.\n');
    const shown = JSON.stringify([
      await db.json('user list'),
      await db.run('user list', { terminal: { columns: 300 } }),
    ]);
    expect(shown).not.toContain(String(data['password']));
    expect(shown).not.toContain('argon2');
  });

  test.each([
    ['a line end of Windows', `${password}\r\n`, password],
    ['no line end', password, password],
    ['spaces, which are part of it', ` ${password} \n`, ` ${password} `],
    ['letters beyond ASCII', 'пароль 🧀 длинный', 'пароль 🧀 длинный'],
  ])('--password-stdin takes %s', async (_name, text, meant) => {
    await add(db, 'typist', text);
    await db.run('user passwd typist --password-stdin', { stdin: text });
    expect(await isPassword(db, 'typist', meant)).toBe(true);
  });

  test('add refuses wrong usage with the accepted values', async () => {
    await expectTranscript(db, 'refused/user-add-usage', [
      ['user', 'add'],
      ['user', 'add', ''],
      ['user', 'add', 'x'.repeat(101)],
      ['user', 'add', 'x '],
      ['user', 'add', 'a\nb'],
      ['user', 'add', 'x', '--permissions', 'a b'],
      ['user', 'add', 'x', '--permissions', ''],
      ['user', 'add', 'x', '--generate', '--password-stdin'],
      ['user', 'add', 'x'],
    ]);
  });

  test.each([
    ['a typing error', 'resource.read', 'There is no permission resource.read; did you mean resources.read?'],
    ['the scope of everything', '*', 'There is no permission *.'],
    ['a scope of keys only', 'context.web', 'There is no permission context.web.'],
    ['a field without its prefix', 'fields.createdby', 'There is no permission fields.createdby.'],
    ['two at once', 'preview,zzz,__proto__', 'There is no permission zzz. There is no permission __proto__.'],
  ])('add refuses an unknown permission with the accepted ones: %s', async (_name, permissions, hint) => {
    expect(await add(db, `x --permissions ${permissions}`)).toEqual(
      refused(`hcd: --permissions ${permissions}: ${hint} ${accepted}\n`),
    );
    expect(await rows(db, "SELECT * FROM modx_users WHERE username = 'x'")).toEqual([]);
  });

  test('add accepts every permission that it names', async () => {
    const permissions = accepted.slice('Accepted permissions: '.length).split(', ');
    expect((await add(db, `all --permissions ${permissions.join(',')}`)).code).toBe(0);
    const { data } = (await db.json('user list')) as { data: { username: string; permissions: string[] }[] };
    expect(data.find(({ username }) => username === 'all')?.permissions).toEqual([...permissions].sort());
  });

  test('add refuses a name that is taken, in whatever case', async () => {
    await add(db, 'Jürgen');
    for (const name of ['Jürgen', 'jÜRGEN', 'Ju\u0308rgen']) {
      expect(await add(db, `${name} --permissions preview`)).toEqual(refused('hcd: The user Jürgen already exists\n'));
    }
    expect(await rows(db, "SELECT name FROM modx_membergroup_names WHERE name LIKE '%rgen'")).toEqual([]);
  });

  test.each([
    ['add weak', '1234567', 'The password must have 8 characters or more'],
    ['add weak', '', 'The password must have 8 characters or more'],
    ['add weak', 'x'.repeat(1025), 'The password must have 1024 bytes at most'],
    ['add weak', 'two\nlines of it', 'The password must not have control characters'],
    ['passwd plain', '1234567', 'The password must have 8 characters or more'],
  ])('%s refuses a bad password and does not repeat it', async (words, text, message) => {
    expect(await db.run(`user ${words} --password-stdin`, { stdin: text })).toEqual(refused(`hcd: ${message}\n`));
    expect(await rows(db, "SELECT * FROM modx_users WHERE username = 'weak'")).toEqual([]);
  });

  test('passwd changes the password and says what ends', async () => {
    await add(db, 'changing');
    await db.change((store) =>
      store.content.write(
        async (tx) =>
          void (await tx.run({
            sql: "UPDATE modx_users SET salt = 'old', cachepwd = 'new' WHERE username = 'changing'",
            params: [],
          })),
      ),
    );
    expect(await db.run('user passwd changing --password-stdin', { stdin: 'another long one' })).toEqual(
      printed(
        'Changed the password of changing. The sessions and access tokens of the user stop working within one second.\n',
      ),
    );
    expect([await isPassword(db, 'changing', password), await isPassword(db, 'changing', 'another long one')]).toEqual([
      false,
      true,
    ]);
    expect(await rows(db, "SELECT salt, cachepwd FROM modx_users WHERE username = 'changing'")).toEqual([['', '']]);
    const { data } = (await db.json('user passwd changing --generate')) as { data: Record<string, unknown> };
    expect(data).toEqual({ id: expect.any(Number), username: 'changing', password: expect.stringMatching(/^\w{20}$/) });
    expect(await isPassword(db, 'changing', String(data['password']))).toBe(true);
  });

  test('remove takes along what is of this user alone, once', async () => {
    await add(db, 'leaving --permissions preview');
    const [[id] = []] = await rows(db, "SELECT id FROM modx_users WHERE username = 'leaving'");
    await db.change((store) =>
      seed(store, {
        user_settings: [{ user: Number(id), key: 'manager_language', value: 'de' }],
        member_groups: [{ user_group: 1, member: Number(id), role: 1 }],
      }),
    );
    const left = async () =>
      Promise.all([
        rows(db, `SELECT id FROM modx_users WHERE id = ${id}`),
        rows(db, `SELECT id FROM modx_user_attributes WHERE internalKey = ${id}`),
        rows(db, `SELECT id FROM modx_member_groups WHERE member = ${id}`),
        rows(db, `SELECT value FROM modx_user_settings WHERE user = ${id}`),
        rows(db, "SELECT id FROM modx_membergroup_names WHERE name = 'gateway: leaving'"),
        rows(db, "SELECT id FROM modx_access_policies WHERE name = 'gateway: leaving'"),
      ]);
    expect((await left()).map((found) => found.length)).toEqual([1, 1, 2, 1, 1, 1]);
    const rules = await rows(db, 'SELECT id FROM modx_access_context ORDER BY id');
    expect(await db.run('user remove leaving --yes')).toEqual(printed('Removed the user leaving.\n'));
    expect((await left()).flat()).toEqual([]);
    expect((await rows(db, 'SELECT id FROM modx_access_context ORDER BY id')).length).toBe(rules.length - 1);
    expect(await rows(db, 'SELECT name FROM modx_membergroup_names WHERE id = 1')).toEqual([['Administrator']]);
    expect(await db.run('user remove leaving --yes')).toMatchObject({ code: 1 });
  });

  test('remove keeps a group with another member', async () => {
    await add(db, 'founder --permissions preview');
    await add(db, 'joiner');
    const [[group] = []] = await rows(db, "SELECT id FROM modx_membergroup_names WHERE name = 'gateway: founder'");
    const [[member] = []] = await rows(db, "SELECT id FROM modx_users WHERE username = 'joiner'");
    await db.change((store) =>
      seed(store, { member_groups: [{ user_group: Number(group), member: Number(member), role: 1 }] }),
    );
    await db.run('user remove founder --yes');
    const { data } = (await db.json('user list')) as { data: { username: string; permissions: string[] }[] };
    expect(data.find(({ username }) => username === 'joiner')?.permissions).toEqual(['preview']);
  });

  test('remove keeps a policy that another group uses: a rule without its policy allows everything', async () => {
    await add(db, 'lender --permissions preview');
    const policies = () => rows(db, "SELECT id FROM modx_access_policies WHERE name = 'gateway: lender'");
    const [[policy] = []] = await policies();
    const rule = { principal_class: 'modUserGroup', principal: 1, policy: Number(policy) };
    await db.change((store) => seed(store, { access_resource_groups: [{ target: '1', context_key: 'web', ...rule }] }));
    expect((await db.run('user remove lender --yes')).code).toBe(0);
    expect(await rows(db, "SELECT id FROM modx_membergroup_names WHERE name = 'gateway: lender'")).toEqual([]);
    expect(await policies()).toEqual([[policy]]);
  });

  test('add refuses a taken name and a wrong permission before it asks for a password', async () => {
    await add(db, 'early');
    for (const [words, message] of [
      ['EARLY', 'The user early already exists'],
      ['later --permissions nonsense', 'There is no permission nonsense.'],
    ]) {
      const { code, stdout, stderr } = await db.run(`user add ${words}`, { terminal: { columns: 100 } });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('Password');
    }
  });

  test.each(['passwd', 'remove'])('%s refuses a user who does not exist before anything is asked', async (verb) => {
    for (const name of ['nobody', 'PLAIN']) {
      const { code, stdout, stderr } = await db.run(['user', verb, name], { terminal: { columns: 100 } });
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`hcd: There is no user ${name}; hcd user list shows every user`);
    }
    expect(await db.json(['user', verb, 'nobody', '--yes'])).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('a new password', () => {
  const prompted = (answers: readonly string[]) => {
    const left = [...answers];
    const asked: string[] = [];
    const password = async ({ message }: { message: string }) => {
      asked.push(message);
      return left.shift() ?? '';
    };
    return { asked, deps: { prompt: { password } } as unknown as Deps };
  };
  const neither = { passwordStdin: false, generate: false };

  it('is refused when the two differ', async () => {
    const { deps } = prompted([password, `${password} `]);
    await expect(readPassword(neither, deps)).rejects.toMatchObject({
      code: 'refused',
      message: 'The passwords do not match; nothing was changed',
    });
  });

  it('that is made fits both schemes, another one each time', () => {
    const many = new Set(Array.from({ length: 1000 }, generatePassword));
    expect(many.size).toBe(1000);
    for (const one of many)
      expect([newPasswordProblem(one, 'bcrypt'), newPasswordProblem(one, 'argon2id')]).toEqual([null, null]);
  });

  it('is text of UTF-8: what a terminal of another encoding sends could never be typed again elsewhere', () => {
    expect(newPasswordProblem('caf\ufffd au lait', 'argon2id')).toBe('must be UTF-8 text');
  });

  it('has characters counted, and for bcrypt bytes', () => {
    expect(newPasswordProblem('🧀'.repeat(7), 'argon2id')).toBe('must have 8 characters or more');
    expect(newPasswordProblem('🧀'.repeat(18), 'bcrypt')).toBe(null);
    expect(newPasswordProblem('🧀'.repeat(19), 'bcrypt')).toBe('must have 72 bytes at most');
    expect(newPasswordProblem('🧀'.repeat(19), 'argon2id')).toBe(null);
  });
});

describeWithFixture('hcd user on an existing site', () => {
  it('shows its users and keeps the last who may do everything', async () => {
    const db = await prepareCliDatabase(await loadFixture());
    const { data } = (await db.json('user list')) as { data: { username: string; state: string; sudo: boolean }[] };
    expect(data.map(({ username, state, sudo }) => [username, state, sudo])).toEqual([
      ['admin', 'active', true],
      ['editor', 'active', false],
      ['developer', 'inactive', true],
      ['admin2', 'active', false],
      ['shopmanager', 'active', false],
    ]);
    expect(await db.run('user remove admin --yes')).toEqual(
      refused('hcd: The user admin is the last one who may do everything in the CMS\n'),
    );
    expect((await add(db, 'chief --sudo')).code).toBe(0);
    const block = (blocked: number) =>
      db.change(async ({ content }) => {
        const sql = `UPDATE modx_user_attributes SET blocked = ${blocked} WHERE internalKey = (SELECT id FROM modx_users WHERE username = 'chief')`;
        await content.write((tx) => tx.run({ sql, params: [] }));
      });
    await block(1);
    expect((await db.run('user remove admin --yes')).code).toBe(1);
    await block(0);
    expect((await db.run('user remove admin --yes')).code).toBe(0);
    expect((await add(db, 'long', 'x'.repeat(73))).stderr).toBe('hcd: The password must have 72 bytes at most\n');
    expect((await add(db, 'EDITOR')).stderr).toBe('hcd: The user editor already exists\n');
    const taken = 'The database of the CMS treats the name êditor as equal to an existing name; choose another';
    expect(await add(db, 'êditor')).toEqual(refused(`hcd: ${taken}\n`));
  });

  it('keeps a policy that a rule of any kind uses, and takes along the rules of a group that goes', async () => {
    const db = await prepareCliDatabase(await loadFixture());
    await add(db, 'lender --permissions preview');
    const [[group, policy] = []] = await rows(
      db,
      "SELECT g.id, p.id FROM modx_membergroup_names g JOIN modx_access_policies p ON p.name = g.name WHERE g.name = 'gateway: lender'",
    );
    const put = `INSERT INTO modx_access_media_source (target, principal_class, principal, authority, policy) VALUES ('1', 'MODX\\\\Revolution\\\\modUserGroup', ?, 9999, ?)`;
    await db.change((store) =>
      store.content.write(async (tx) => {
        await tx.run({ sql: put, params: [1, Number(policy)] });
        await tx.run({ sql: put, params: [Number(group), 1] });
      }),
    );
    expect((await db.run('user remove lender --yes')).code).toBe(0);
    expect(await rows(db, "SELECT id FROM modx_access_policies WHERE name = 'gateway: lender'")).toEqual([[policy]]);
    expect(await rows(db, `SELECT id FROM modx_access_media_source WHERE principal = ${group}`)).toEqual([]);
  });

  it('writes the class names of version 2 where the site has them', async () => {
    const db = await prepareCliDatabase(await loadFixture());
    await db.change((store) =>
      store.content.write(
        async (tx) => void (await tx.run({ sql: "UPDATE modx_users SET class_key = 'modUser'", params: [] })),
      ),
    );
    await add(db, 'two --permissions preview');
    expect(
      await rows(
        db,
        "SELECT u.class_key, u.hash_class, a.principal_class FROM modx_users u JOIN modx_access_context a ON a.principal = u.primary_group WHERE u.username = 'two'",
      ),
    ).toEqual([['modUser', 'hashing.modNative', 'modUserGroup']]);
  });
});
