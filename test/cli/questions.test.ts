/**
 * Questions over the whole tree of commands: what is missing is asked for on a terminal and refused elsewhere, and what
 * cannot be undone never happens without a yes.
 */
import { join } from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import type { Command } from '../../commands/command.js';
import { flagOf, type Parameter } from '../../commands/parameters.js';
import { createProgram, loadAll } from '../../commands/program.js';
import { insertAuditRows } from '../../src/gateway/models/audit.js';
import { repository } from '../architecture/source-file.js';
import { runCli, splitLine } from '../support/cli.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { freshSqliteUrl } from '../support/databases.js';
import { seed } from '../support/seed.js';

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

const destructive: readonly string[] = [
  'key revoke 1',
  'key rotate 1',
  'key rotate 1 --overlap 0s',
  'oauth client rotate-secret website',
  'oauth client revoke website',
  'oauth token revoke 0123456789abcdef',
  'oauth token prune',
  'webhook remove 1',
  'webhook rotate-secret 1',
  'delivery prune --days 0',
  'token revoke 1',
  'preview revoke 1',
  'section-type remove spacer',
  'banner remove 1',
  'banner key rotate',
  'banner key remove report',
  'position remove 1',
  'preset remove 1',
  'user remove rowan',
  'redirect remove old.html',
  'resource delete 1 --force',
  'element remove chunk head',
  'audit prune --days 1',
  'migrate down',
];

/** They ask about files and folders, which are not in the database of these tests. */
const site = join(repository, 'assets/starters/docs/site/');
const ofFiles = ['media remove soup.webp', `import ${site} --prune`, `export ${site} --prune`];

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

  beforeAll(async () => {
    db = await prepareCliDatabase(await freshSqliteUrl(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'One', uri: 'one.html' }] }),
    );
    for (const line of [
      'key create --scopes resources.read',
      'oauth client add website --scopes resources.read',
      'webhook add --url https://site.example/hook --events *',
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
      const { code, stderr } = await db.run(line);
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
      (command) => command.mayDestroy && ![...destructive, ...ofFiles].some((line) => commandOf(line) === command),
    );
    expect(untested.map(({ path }) => path)).toEqual([]);
  });

  it.each([...destructive, ...ofFiles])(
    'is refused off a terminal without --yes, before anything is opened: %s',
    async (line) => {
      for (const [flags, options] of [
        ['', {}],
        ['--json', { terminal }],
      ] as const) {
        const { code, stdout, stderr } = await runCli(`${line} ${flags}`, options);
        expect(code).toBe(2);
        expect(`${stdout}${stderr}`).toContain('--yes is required');
      }
    },
  );

  it('is named with what it would end', async () => {
    expect((await runCli('migrate down')).stderr).toContain('"migrate down" cannot be undone');
    expect((await runCli('key revoke 7 --json')).stdout).toContain('\\"key revoke 7\\" cannot be undone');
  });

  it.each(destructive)('is asked about on a terminal, and a no changes nothing: %s', async (line) => {
    const before = await contents(db);
    const { code, stdout, stderr } = await db.run(line, { terminal, stdin: 'n\r' });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Nothing was changed');
    expect(await contents(db)).toEqual(before);
  });

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
