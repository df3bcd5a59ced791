/**
 * Questions over the whole tree of commands: what is missing is asked for on a terminal and refused elsewhere, and what
 * cannot be undone never happens without a yes.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Command } from '../../commands/command.js';
import { flagOf, type Parameter } from '../../commands/parameters.js';
import { createProgram, loadAll } from '../../commands/program.js';
import { insertAuditRows } from '../../src/gateway/models/audit.js';
import { runCli, splitLine } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { makeTempDir } from '../support/temp-dir.js';

const commands = await loadAll(createProgram());
const terminal = { columns: 100 };
const down = '\u001b[B';

/** A text that every kind of parameter accepts somewhere in this list. */
const someTexts = ['1', 'key', 'Name', 'https://site.example/', '2026-11-21', 'sqlite:x', '0123456789abcdef', 'round'];

function textFor({ read, choices }: Parameter<unknown>): string {
  const text = [...choices, ...someTexts].find((candidate) => read([candidate]).ok);
  if (text === undefined) throw new Error('no text of the list is accepted');
  return text;
}

/** The words of a command with a text for each required parameter but one. */
function wordsWithout(command: Command, left: string | null): string[] {
  const given = (parameters: Command['options']) =>
    Object.entries(parameters).filter(([name, { required }]) => required && name !== left);
  return [
    ...splitLine(command.path),
    ...given(command.arguments).map(([, parameter]) => textFor(parameter)),
    ...given(command.options).flatMap(([name, parameter]) => [flagOf(name), textFor(parameter)]),
  ];
}

const required = commands.flatMap((command) =>
  Object.entries({ ...command.arguments, ...command.options })
    .filter(([, parameter]) => parameter.required)
    .map(([name]) => ({ command, name, title: `${command.path}: ${name}` })),
);

describe('a required value that is missing', () => {
  it.each(required)('off a terminal is wrong usage and names itself: $title', async ({ command, name }) => {
    // Without an argument those after it are missing too.
    const isArgument = command.arguments[name] !== undefined;
    const words = isArgument ? splitLine(command.path) : wordsWithout(command, name);
    const label = command.arguments[name]?.placeholder ?? flagOf(name);
    for (const flags of [[], ['--yes', '--json']]) {
      const { code, stdout, stderr } = await runCli([...words, ...flags]);
      expect(code).toBe(2);
      expect(`${stdout}${stderr}`).toContain(`${label} is required`);
    }
  });

  it.each([
    ['resource create', '--pagetitle'],
    ['banner add', '--name'],
    ['user add rowan', '--password-stdin'],
  ])('that depends on other values is refused in the same way: %s', async (line, flag) => {
    const { url } = await prepareCliDatabase(await freshSqliteUrl());
    const run = await prepareCliDatabase(url).then((db) => db.run(line));
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`${flag} is required`)]);
  });

  describe('on a terminal', () => {
    let db: CliDatabase;

    beforeAll(async () => {
      db = await prepareCliDatabase(await freshSqliteUrl());
    });

    test('is chosen from the scopes of the site for a key', async () => {
      const none = await db.run('key create', { terminal, stdin: '\u0003' });
      expect([none.code, none.stdout]).toEqual([130, '']);
      expect(none.stderr).toContain('Scopes of the key (--scopes)');
      const made = await db.run('key create', { terminal, stdin: ` ${down} \r` });
      expect(made.stdout).toMatch(/scopes +contexts\.read,|scopes +resources\.read,resources\.create/);
    });

    test('is chosen from the events of the site for a receiver', async () => {
      const made = await db.run('webhook add --url https://site.example/hook', { terminal, stdin: ' \r' });
      expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('Events to deliver (--events)')]);
      expect(made.stdout).toMatch(/events +\w+\.created/);
    });

    test('is chosen from the scopes of the site for an OAuth client', async () => {
      const made = await db.run('oauth client add website', { terminal, stdin: ' \r' });
      expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('Scopes of its tokens (--scopes)')]);
    });

    test('is one of the listed words, where there are such', async () => {
      const list = await db.run('element list', { terminal, stdin: '\r' });
      expect([list.code, list.stderr]).toEqual([0, expect.stringContaining('Kind of element (KIND)')]);
    });

    test('is typed where it can be anything', async () => {
      const { code, stderr } = await db.run('resource show', { terminal, stdin: '1\r' });
      expect([code, stderr]).toEqual([1, expect.stringContaining('There is no resource 1')]);
      expect(stderr).toContain('Id or URI of the resource (ID_OR_URI)');
    });

    test('is not asked for when something else is wrong', async () => {
      const { code, stderr } = await db.run('key create --rate-limit x', { terminal });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^hcd: --rate-limit must be/)]);
    });
  });
});

/** By line: what a person reads before it happens. */
const asked: Readonly<Record<string, string>> = {
  'key revoke 1': 'Revoke key 1 (…) (never used) permanently?',
  'key rotate 1': 'Revoke the old secret of the key immediately? Use --overlap to keep it valid for a while.',
  'key rotate 1 --overlap 0s':
    'Revoke the old secret of the key immediately? Use --overlap to keep it valid for a while.',
  'oauth client rotate-secret website':
    'Revoke the old secret of the client immediately? Use --overlap to keep it valid for a while.',
  'oauth client revoke website': 'Revoke client website (live tokens: 0) permanently?',
  'oauth token revoke 0123456789abcdef': 'Revoke the token … permanently?',
  'oauth token prune': 'Remove all expired access tokens?',
  'webhook remove 1': 'Remove subscription 1 (https://site.example/hook) permanently and cancel 0 open deliveries?',
  'webhook rotate-secret 1':
    'Sign new deliveries with the new secret only? Use --overlap to sign with both for a while.',
  'delivery prune --days 0': 'Remove 1 delivery that finished more than 0 days ago?',
  'token revoke 1': 'Revoke token 1 (…) (never used) permanently?',
  'preview revoke 1': 'End preview 1 of resource 1 permanently?',
  'section-type remove spacer': 'Remove the shipped section type spacer?',
  'banner remove 1': 'Remove banner 1 "One" (clicks: 0) permanently?',
  'banner key rotate': 'Revoke the old key immediately? Use --overlap to keep it valid for a while.',
  'banner key remove report': 'Revoke the key report permanently?',
  'position remove 1': 'Remove position 1 "sidebar" and its links (banners: 0) permanently?',
  'preset remove 1': 'Remove preset 1 "Card" permanently?',
  'user remove rowan': 'Remove the user rowan permanently?',
  'redirect remove old.html': 'Remove the redirect from old.html in the context web permanently?',
  'resource delete 1 --force':
    'Remove resource 1 "One" (one.html) permanently? Its descendants are kept, without a parent.',
  'element remove chunk head': 'Remove chunk 1 "head" permanently?',
  'element remove chunk head --force': 'Remove chunk 1 "head" permanently, also if it is in use?',
  'audit prune --days 1': 'Remove 1 row of the audit log older than 1 day?',
  'migrate down': 'Revert? This removes the tables of the migration with their data.',
  'media remove soup.txt': 'Remove the file soup.txt permanently?',
};

/** Before they ask, they list what they would remove. */
const listing = ['import site/ --prune', 'export site/ --prune'];
const destructive = [...Object.keys(asked), ...listing];

/** Off a terminal the first two go on, and the last one looks for the setting first. */
const sometimes: Readonly<Record<string, string>> = {
  'resource delete 1': 'Delete resource 1 "One" (one.html) and all its descendants?',
  'webhook disable 2': 'Turn off subscription 2 (https://site.example/two) and cancel 1 open delivery?',
  'setting unset site_name': 'site_name is a setting of the CMS and has no default. Remove it?',
};

const sparing: readonly string[] = [
  'key rotate 1 --overlap 1h',
  'oauth client rotate-secret website --overlap 1h',
  'webhook rotate-secret 1 --overlap 1h',
  'banner key rotate --overlap 1h',
  'resource delete 1',
  'migrate up',
];

function commandOf(line: string): Command | undefined {
  return commands.find((command) => `${line} `.startsWith(`${command.path} `));
}

/** The rows of all tables, so that any change shows. */
async function contents(db: CliDatabase): Promise<unknown> {
  const rows: Record<string, unknown> = {};
  await db.change(async (store) => {
    const select = (sql: string) => store.content.primary.select({ sql, params: [] });
    const tables = await select("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    for (const [name] of tables) rows[String(name)] = await select(`SELECT * FROM "${String(name)}"`);
  });
  return rows;
}

describe('what cannot be undone', () => {
  let db: CliDatabase;
  let cwd: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'One', uri: 'one.html' }] }),
    );
    cwd = await makeTempDir('questions');
    env = { HCD_FILES_DIR: join(cwd, 'files') };
    for (const line of [
      'media put - soup.txt',
      'setting set site_name One --force',
      'key create --scopes resources.read',
      'oauth client add website --scopes resources.read',
      'webhook add --url https://site.example/hook --events *',
      'webhook add --url https://site.example/two --events *',
      'token create --scopes pages.read',
      'resource preview 1',
      'banner add --name One',
      'banner key rotate --yes',
      'banner key add report',
      'position add sidebar',
      'redirect add old.html one.html',
      'preset add Card',
      'user add rowan --generate',
      // Leaves a delivery that is cancelled.
      'element create chunk head',
      'resource publish 1 --events',
      'webhook disable 1',
    ]) {
      const { code, stderr } = await db.run(line, { cwd, env, stdin: 'Soup' });
      if (code !== 0) throw new Error(`${line}: ${stderr}`);
    }
    const row = { requestId: 'old', identity: 'api_key:a', method: 'POST', path: '/api/v1/resources', context: 'web' };
    await db.change((store) =>
      store.own.write((tx) => insertAuditRows(tx, [{ ...row, status: 201, durationMs: 1, age: 2 * 86_400_000 }])),
    );
  });

  it('is marked at every command that revokes, removes or prunes', () => {
    const verbs = /(^| )(revoke|remove|prune)$/;
    const unmarked = commands.filter(({ path, mayDestroy }) => verbs.test(path) && !mayDestroy);
    expect(unmarked.map(({ path }) => path)).toEqual([]);
    const untested = commands.filter(
      (command) => command.mayDestroy && !destructive.some((line) => commandOf(line) === command),
    );
    expect(untested.map(({ path }) => path)).toEqual([]);
  });

  it.each(destructive)('is refused off a terminal without --yes, before anything is opened: %s', async (line) => {
    for (const [flags, options] of [
      ['', {}],
      ['--json', { terminal }],
    ] as const) {
      const { code, stdout, stderr } = await runCli(`${line} ${flags}`, options);
      expect(code).toBe(2);
      expect(`${stdout}${stderr}`).toContain('--yes is required');
    }
  });

  it('is named with what it would end', async () => {
    expect((await runCli('migrate down')).stderr).toContain('"migrate down" cannot be undone');
    expect((await runCli('key revoke 7 --json')).stdout).toContain('\\"key revoke 7\\" cannot be undone');
  });

  it.each(Object.entries({ ...asked, ...sometimes }))(
    'is asked about on a terminal, and a no changes nothing: %s',
    async (line, question) => {
      const before = await contents(db);
      const { code, stdout, stderr } = await db.run(line, { cwd, env, terminal: { columns: 1000 }, stdin: 'n\r' });
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('Nothing was changed')]);
      const [, said] = /\? (.+?) \(y\/N\)/.exec(stripVTControlCharacters(stderr)) ?? [];
      expect(said?.replace(/\b([0-9a-f]{16}|pt_[0-9a-f]{8})\b/, '…')).toBe(question);
      expect(await contents(db)).toEqual(before);
      expect(await readdir(join(cwd, 'files'))).toContain('soup.txt');
    },
  );

  it.each(sparing)('is not asked about off a terminal where nothing is lost: %s', async (line) => {
    const bound = commandOf(line)?.bind(rawOf(line));
    expect(bound?.isDestructive).toBe(false);
  });

  it('has --yes in every example for scripts', () => {
    const lines = commands.flatMap(({ examples }) => Object.keys(examples));
    const forScripts = lines.filter((line) => line.includes('--json') && isDestructive(line));
    expect(forScripts.filter((line) => !line.includes('--yes'))).toEqual([]);
  });
});

/** Arguments and flags of a line as parsing finds them; only for flags with a value and the switches named here. */
function rawOf(line: string): Parameters<Command['bind']>[0] {
  const command = commandOf(line);
  const words = splitLine(line).slice(splitLine(command?.path ?? '').length);
  const texts = new Map<string, readonly string[]>();
  const rest: string[] = [];
  while (words.length > 0) {
    const word = words.shift() ?? '';
    const name = Object.keys(command?.options ?? {}).find((candidate) => flagOf(candidate) === word);
    if (name !== undefined)
      texts.set(name, [command?.options[name]?.placeholder === null ? '' : (words.shift() ?? '')]);
    else if (!word.startsWith('--')) rest.push(word);
  }
  for (const name of Object.keys(command?.arguments ?? {})) texts.set(name, rest.splice(0, 1));
  return texts;
}

function isDestructive(line: string): boolean {
  return commandOf(line)?.bind(rawOf(line)).isDestructive ?? false;
}
