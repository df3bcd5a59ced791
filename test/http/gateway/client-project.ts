/**
 * What the tests of generated clients share: a site with something to read and write, and a folder in which a program
 * that uses a client is compiled and run.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateSource } from 'oazapfts';
import { repository } from '../../architecture/source-file.js';
import { prepareCliDatabase } from '../../support/cli-database.js';
import type { TestDatabase } from '../../support/databases.js';
import { installPackages } from '../../support/installed-packages.js';
import { seed } from '../../support/seed.js';
import { startTestSite, type TestSite } from '../../support/site.js';
import { makeTempDir } from '../../support/temp-dir.js';

const run = promisify(execFile);
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const generatorsFolder = 'test/client-generators';
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

export interface Prepared {
  readonly site: TestSite;
  /** What a user of the gateway is given. */
  readonly given: Readonly<Record<string, string>>;
}

/** Starts a site, with more settings if they are given, and makes the callers that programs are given. */
export async function prepareSite(
  database: TestDatabase,
  settings: Readonly<Record<string, string>> = {},
): Promise<Prepared> {
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
  const writingKey = await made('key create --name writing --scopes resources.create');
  const token = await made('token create --scopes pages.read,catalog.read');
  const bannersKey = await made('banner key add website');
  const rights = 'resources.read,resources.update,view_unpublished';
  await db.json(`user add rowan --permissions ${rights} --password-stdin`, { stdin: password });
  const folder = await makeTempDir('objects');
  await writeFile(join(folder, 'books.json'), JSON.stringify(books));
  const site = await startTestSite({
    databaseUrl: db.url,
    objects: { folder, plugins: [] },
    filesDir: await makeTempDir('files'),
    env: {
      ...{ HCD_GATEWAY_OAUTH_ENABLED: '1', HCD_PAGES_REST_API_ENABLED: '1', HCD_BANNERS_API_ENABLED: '1' },
      ...settings,
    },
  });
  return {
    site,
    given: {
      url: `${site.url}/api/v1`,
      key: key['key'] ?? '',
      readingKey: readingKey['key'] ?? '',
      writingKey: writingKey['key'] ?? '',
      clientId: client['client_id'] ?? '',
      clientSecret: client['client_secret'] ?? '',
      username: 'rowan',
      password,
      pagesUrl: `${site.url}/pages/api/v1.php`,
      pagesToken: token['token'] ?? '',
      bannersUrl: `${site.url}/banners/api.php`,
      bannersKey: bannersKey['key'] ?? '',
    },
  };
}

/** The packages of generators and linters with their scripts; null where npm cannot install them. */
export async function installGenerators(): Promise<string | null> {
  const packages = await installPackages(generatorsFolder);
  if (packages === null) return null;
  for (const script of ['make-client.mjs', 'lint-documents.mjs']) {
    await copyFile(join(repository, generatorsFolder, script), join(dirname(packages), script));
  }
  return packages;
}

/**
 * A folder with a program of `generated-client/` as program.ts, next to which a client can be made. Packages that the
 * repository does not have are found in `more`.
 */
export async function makeProject(program: string, more = modules): Promise<string> {
  const parent = await makeTempDir('client');
  await symlink(more, join(parent, 'node_modules'));
  const folder = join(parent, program);
  await mkdir(folder);
  const source = fileURLToPath(new URL(`generated-client/${program}.ts`, import.meta.url));
  await copyFile(source, join(folder, 'program.ts'));
  await symlink(modules, join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return folder;
}

/** Writes the client that oazapfts makes of a document to `client.ts` of the folder. */
export async function makeOazapftsClient(document: string, folder: string): Promise<void> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, document);
  const options = { argumentStyle: 'object', useUnknown: true, futureStripLegacyMethods: true } as const;
  await writeFile(join(folder, 'client.ts'), await generateSource(file, options));
}

export type Generator = 'openapi-typescript' | 'hey-api' | 'orval';

export type ClientPlace = Readonly<Record<'document' | 'folder' | 'baseUrl', string>>;

/** Writes clients of documents to their folders, which ask the server at `baseUrl`, in one process: it loads slowly. */
export async function makeClients(generator: Generator, generators: string, places: readonly ClientPlace[]) {
  for (const { document, folder } of places) await writeFile(join(folder, 'openapi.json'), document);
  const words = places.flatMap(({ folder, baseUrl }) => [folder, baseUrl]);
  await execute(dirname(generators), [join(generators, '../make-client.mjs'), generator, ...words]);
}

/** What Spectral (`spectral:oas`) and Redocly (`recommended`) call an error in documents, with its place, by name. */
export async function lintErrors(
  generators: string,
  documents: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, unknown>>> {
  const folder = await makeTempDir('document');
  for (const [name, document] of documents) await writeFile(join(folder, name), document);
  return JSON.parse(await execute(folder, [join(generators, '../lint-documents.mjs'), ...documents.keys()]));
}

/** Type-checks the programs of folders, and compiles them, in one process: most of its time is spent on what they share. */
export async function compilePrograms(folders: readonly string[]): Promise<void> {
  const [folder = ''] = folders;
  const files = folders.map((one) => join(one, 'program.ts'));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  await execute(folder, [join(modules, 'typescript/bin/tsc')]);
}

/** Runs the compiled program of the folder; what it saw. */
export async function runProgram(folder: string, given: Prepared['given']): Promise<unknown> {
  return JSON.parse(await execute(folder, ['program.js', JSON.stringify(given)]));
}

/** Runs a command in the folder; what it printed, or what is wrong. */
async function execute(folder: string, words: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, words, { cwd: folder, env: {} }).catch((error: unknown) => {
    const { stdout: printed, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${printed}${stderr}`);
  });
  return stdout;
}
