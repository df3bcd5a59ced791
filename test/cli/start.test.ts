/** What the program loads before it answers: a start pays for the words that were typed, not for every command. */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandFile, createProgram } from '../../commands/program.js';
import { prepareCliDatabase } from '../support/cli-database.js';
import { describeEachDatabase } from '../support/databases.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Names every module on standard error. */
const hooks = `import { writeSync } from 'node:fs';
export function load(url, context, next) { writeSync(2, url + '\\n'); return next(url, context); }`;
const register = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`;

function dataUrl(text: string): string {
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

/** Our files below `dist`, and the packages, that the built program loads for these words. */
function loadedFor(...words: readonly string[]): { readonly files: string[]; readonly packages: string[] } {
  const line = ['--import', dataUrl(register), `${root}bin/hcd`, ...words];
  const { status, stderr } = spawnSync(process.execPath, line, { encoding: 'utf8' });
  expect(status).toBe(0);
  return loadedIn(stderr);
}

function loadedIn(stderr: string): { readonly files: string[]; readonly packages: string[] } {
  const paths = stderr.split('\n').flatMap((url) => (url.startsWith('file:') ? [fileURLToPath(url)] : []));
  const ours = paths.filter((path) => path.startsWith(`${root}dist/`));
  const packages = paths.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return { files: ours.map((path) => path.slice(`${root}dist/`.length)), packages: [...new Set(packages)] };
}

describe('a start', () => {
  it.each([
    ['for the version', ['--version']],
    ['for the list of commands', ['--help']],
    ['for the help of a group', ['key', '--help']],
  ])('%s loads at most 26 files, no command and one package', (_name, words) => {
    const { files, packages } = loadedFor(...words);
    expect(files.length, files.join(' ')).toBeGreaterThan(10);
    expect(files.length, files.join(' ')).toBeLessThanOrEqual(26);
    expect(files.filter((file) => file === 'commands/key.js')).toEqual([]);
    expect(packages).toEqual(['commander']);
  });

  it('for the help of a command loads the commands of its group only', () => {
    const { files } = loadedFor('setting', 'list', '--help');
    const owners = new Set(Object.keys(createProgram().commands).map((path) => `commands/${commandFile(path)}.js`));
    expect(files.filter((file) => owners.has(file))).toEqual(['commands/setting.js']);
  });
});

describeEachDatabase('hcd serve', (database) => {
  const loadedToListen = async (words: readonly string[]) => {
    const { url } = await prepareCliDatabase(await database.url());
    return loadedIn(await saidUntilListening(url, words));
  };

  it('listens before it loads what only some requests need, and loads the same packages from a few files', async () => {
    // Behind a flag the program runs from a file for each part of it.
    const many = await loadedToListen(['--no-color', 'serve']);
    expect(many.files).toContain('src/pages/delivery/page-delivery.js');
    expect(many.packages).toContain('koa');
    expect(many.packages.filter((name) => lazyPackages.includes(name))).toEqual([]);
    expect(many.files.filter((file) => lazyFiles.some((start) => file.startsWith(start)))).toEqual([]);
    const few = await loadedToListen(['serve']);
    expect(few.files.filter((file) => !file.startsWith('serve/'))).toEqual([]);
    expect(few.files).toContain('serve/server.js');
    expect(few.files.length, few.files.join(' ')).toBeLessThanOrEqual(20);
    expect(few.packages.toSorted()).toEqual(many.packages.toSorted());
  });
});

describe('the files of hcd serve', () => {
  it.each(['--help', '--port=none'])('say the same for %s as the usual ones', (word) => {
    const say = (line: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [`${root}bin/hcd`, ...line], { encoding: 'utf8' });
      return { status, stdout, stderr };
    };
    const few = say(['serve', word]);
    expect(few).toEqual(say(['--no-color', 'serve', word]));
    expect(few.stdout + few.stderr).toContain('serve');
  });
});

/** Packages that a server loads with the first request that needs them, or not at all. */
const lazyPackages = [
  ...['@node-rs/argon2', '@node-rs/bcrypt', '@opentelemetry/api', '@redis/client', 'any-ascii', 'chalk', 'cli-table3'],
  ...['csv-parse', 'inquirer', 'liquidjs', 'parse5', 'prom-client'],
];
const lazyFiles = [
  'src/gateway/openapi/openapi.js',
  'src/operations/sample/',
  'src/pages/rules/read-page-document.js',
  'src/pages/rules/render.js',
];

/** What a server of all interfaces writes to standard error until it listens. */
function saidUntilListening(url: string, words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', dataUrl(register), `${root}bin/hcd`, ...words, '--port', '0'], {
      env: { ...process.env, HCD_DATABASE_URL: url, HCD_SECRET: 'a secret of at least 32 characters' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.includes('listening on ')) child.kill('SIGKILL');
    });
    child.once('error', reject);
    child.once('close', () => {
      const [before = '', ...after] = said.split('listening on ');
      if (after.length > 0) resolve(before);
      else reject(new Error(said.slice(-2000)));
    });
  });
}
