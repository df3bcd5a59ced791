/**
 * The OpenAPI document is good enough to live on: a client that a generator makes of it, with nothing else at hand,
 * type-checks and does what the gateway offers. Generated afresh from a running server, on every kind of database.
 */
import { execFile } from 'node:child_process';
import { copyFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { expect, it } from 'vitest';
import { prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase, type TestDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const program = fileURLToPath(new URL('generated-client/program.ts', import.meta.url));
const password = 'larkfell in the rain';

const compilerOptions = {
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

const tables = {
  sqlite: 'CREATE TABLE shop_books (id INTEGER PRIMARY KEY, title VARCHAR(40) NOT NULL, pages INTEGER NULL)',
  mariadb:
    'CREATE TABLE shop_books (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, title VARCHAR(40) NOT NULL, pages INT NULL) CHARACTER SET utf8mb4',
};

const books = {
  name: 'books',
  table: 'shop_books',
  primaryKey: 'id',
  fields: { id: { type: 'integer' }, title: { type: 'string' }, pages: { type: 'integer' } },
  filterable: ['id', 'title'],
  sortable: ['id', 'pages'],
  required: ['title'],
  immutable: ['id'],
  readable: true,
  creatable: true,
  updatable: true,
  deletable: true,
};

interface Prepared {
  readonly site: TestSite;
  /** What a user of the gateway is given. */
  readonly given: Readonly<Record<string, string>>;
}

async function prepare(database: TestDatabase): Promise<Prepared> {
  const db = await prepareCliDatabase(await database.url(), async (store) => {
    await store.content.write((tx) => tx.run({ sql: tables[database.name], params: [] }));
    await seed(store, {
      site_htmlsnippets: [{ id: 1, name: 'header' }],
      site_templates: [{ id: 1, templatename: 'Page' }],
      site_tmplvars: [{ id: 1, name: 'mood', type: 'text', default_text: 'calm' }],
      site_tmplvar_templates: [{ tmplvarid: 1, templateid: 1 }],
      site_content: [
        { id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' },
        { id: 2, pagetitle: 'About', alias: 'about', uri: 'about/', isfolder: 1, template: 1, menuindex: 1 },
        { id: 3, pagetitle: 'Team', alias: 'team', uri: 'about/team.html', parent: 2, template: 1 },
        { id: 4, pagetitle: 'Contact', alias: 'contact', uri: 'contact.html', menuindex: 2 },
        { id: 5, pagetitle: 'Draft', alias: 'draft', uri: 'draft.html', published: 0 },
      ],
    });
  });
  const made = async (line: string) => ((await db.json(line)) as { data: Record<string, string> }).data;
  const client = await made('oauth client add website --scopes chunks.read,templates.read');
  const key = await made('key create --name everything --scopes *');
  const readingKey = await made('key create --name reading --scopes chunks.read');
  const rights = 'resources.read,resources.update,view_unpublished';
  await db.json(`user add rowan --permissions ${rights} --password-stdin`, { stdin: password });
  const folder = await makeTempDir('objects');
  await writeFile(join(folder, 'books.json'), JSON.stringify(books));
  const site = await startTestSite({
    databaseUrl: db.url,
    objects: { folder, plugins: [] },
    env: { HCD_GATEWAY_OAUTH_ENABLED: '1' },
  });
  return {
    site,
    given: {
      url: `${site.url}/api/v1`,
      key: key['key'] ?? '',
      readingKey: readingKey['key'] ?? '',
      clientId: client['client_id'] ?? '',
      clientSecret: client['client_secret'] ?? '',
      username: 'rowan',
      password,
    },
  };
}

/** A folder with the program, a client made of the document, and what both need. */
async function makeProject(document: string): Promise<string> {
  const folder = await makeTempDir('client');
  await writeFile(join(folder, 'openapi.json'), document);
  const client = await generateSource(join(folder, 'openapi.json'), {
    argumentStyle: 'object',
    useUnknown: true,
    futureStripLegacyMethods: true,
  });
  await writeFile(join(folder, 'client.ts'), client);
  await copyFile(program, join(folder, 'program.ts'));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return folder;
}

/** Runs a command in the folder; what it printed, or what is wrong. */
async function execute(folder: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, words, { cwd: folder, env: {} }).catch((error: unknown) => {
    const { stdout: printed, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${printed}${stderr}`);
  });
  return stdout;
}

/** What the program reports when everything works. */
const everything = {
  anonymous: {
    filtered: [
      { id: 4, pagetitle: 'Contact' },
      { id: 2, pagetitle: 'About' },
    ],
    created: ['2023-11-14T22:13:20Z', '2023-11-14T22:13:20Z'],
    paging: {
      titles: ['About', 'Contact', 'Home', 'Team'],
      pages: 2,
      second: [{ id: 3 }, { id: 4 }],
      meta: { total: 4, count: 2, limit: 2, offset: 2, has_more: false },
      links: {
        self: '/api/v1/resources?sort=id&fields=id&limit=2&offset=2',
        prev: '/api/v1/resources?sort=id&fields=id&limit=2&offset=0',
      },
    },
    parent: 'About',
    pages: [1, 'index.html', 3, 'web'],
    refused: 'token_required',
  },
  changed: {
    made: { pagetitle: 'News', publishedon: '2026-01-02T01:04:05Z', tvs: { mood: 'bright' } },
    again: [201, 'true', true],
    hasAddress: true,
    changed: 'All the news',
    stale: 'precondition_failed',
    replaced: 'Latest news',
    removed: true,
    gone: 'not_found',
  },
  extra: {
    made: ['Larkfell', 312],
    changed: 320,
    listed: [['Larkfell', 320]],
    generic: 'Larkfell',
    removed: true,
  },
  refusals: {
    invalid: ['validation_failed', ['parent']],
    unlimited: ['must be an integer of at least 1'],
    denied: 'scope_denied',
    wrong: 'Invalid or revoked credentials',
  },
  token: { type: 'Bearer', scope: 'chunks.read', chunks: ['header'], denied: 403, refused: 'invalid_grant' },
  session: {
    user: 'rowan',
    unprotected: 'Invalid CSRF token',
    changed: 'By a session',
    ended: [200, 401],
  },
};

describeEachDatabase('a client that a generator makes of the OpenAPI document', (database) => {
  it('type-checks and does what the gateway offers', async () => {
    const { site, given } = await prepare(database);
    const folder = await makeProject((await site.get('/meta/openapi.json')).text);
    await execute(folder, [join(modules, 'typescript/bin/tsc')]);
    const seen: unknown = JSON.parse(await execute(folder, ['program.js', JSON.stringify(given)]));
    expect(seen).toEqual(everything);
  });
});
