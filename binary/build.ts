/**
 * Builds the single executable from the compiled program: one script with everything that it imports, put into a copy
 * of Node. Whatever the program loads from a file of the package is replaced, because the executable has no such files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { OutputChunk, Plugin } from 'rolldown';
import { programVersion } from '../commands/host.js';
import { commandFile, createProgram } from '../commands/program.js';
import { migrations } from '../migrations/list.js';
import { dist, importOneOf, type Replacements, readProgram, replaceText, root } from './bundle.js';

/** What the executable does in place of reading files. */
const embedded = join(dist, 'binary/embedded.js');

/** Builds `out` from the Node at the path `node`, which runs in it later. */
async function build({ node, out }: { readonly node: string; readonly out: string }): Promise<void> {
  checkNode(node);
  const assets = new Map(assetFiles());
  const program = await bundle('binary/main.js', 'cjs', [
    replaceText(await replacements()),
    {
      name: 'assets',
      load: { filter: { id: readAssetFile }, handler: () => `export { assetNames, readAsset } from '${embedded}';` },
    },
    embedNative(assets),
  ]);
  const names = join(dist, 'binary/names.json');
  writeFileSync(names, JSON.stringify([...assets.keys()].sort()));
  assets.set('names.json', names);
  const main = join(dist, 'binary/program.cjs');
  writeFileSync(main, program.code);
  const config = { main, output: out, disableExperimentalSEAWarning: true, useCodeCache: true };
  const configFile = join(dist, 'binary/sea-config.json');
  writeFileSync(configFile, JSON.stringify({ ...config, assets: Object.fromEntries(assets) }));
  mkdirSync(dirname(out), { recursive: true });
  execFileSync(node, ['--build-sea', configFile], { stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(`${out}-licenses.txt`, licences(program.moduleIds, node));
}

function checkNode(node: string): void {
  if (execFileSync(node, ['--help'], { encoding: 'utf8' }).includes('--build-sea')) return;
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const fix = 'npm run build:binary -- --node /path/to/node';
  throw new Error(`Node.js ${version} cannot build a single executable. Name Node.js 26 or newer: ${fix}`);
}

/** One script with all that it imports. */
async function bundle(input: string, format: 'cjs' | 'es', plugins: Plugin[]): Promise<OutputChunk> {
  // Only Node's own SQLite is used.
  const made = await readProgram(input, { plugins, external: ['better-sqlite3'] });
  const { output } = await made.generate({ format, codeSplitting: false });
  return output[0];
}

const readAssetFile = /\/dist\/src\/values\/read-asset\.js$/;

async function replacements(): Promise<Replacements> {
  const thread = await bundle('src/store/sqlite/statement-thread.js', 'es', []);
  const threadUrl = `data:text/javascript;base64,${Buffer.from(thread.code).toString('base64')}`;
  const commands = [...new Set(Object.keys(createProgram().commands).map(commandFile))];
  const file = 'import(pathToFileURL(path).href)';
  return new Map([
    ['commands/program.js', ['import(file)', importOneOf(commands)]],
    ['commands/host.js', ['readVersion();', `'${programVersion}';`]],
    ['migrations/list.js', ['import(file)', importOneOf(migrations.map(({ name }) => name))]],
    ['src/store/sqlite/thread.js', [`'./statement-thread.js', import.meta.url`, `'${threadUrl}'`]],
    [
      'src/content/objects/plugin-api.js',
      [file, `import('${embedded}').then((own) => own.importFile${file.slice(6)})`],
    ],
  ]);
}

/** Compiled parts of packages become assets. */
function embedNative(assets: Map<string, string>): Plugin {
  return {
    name: 'embed-native',
    load: {
      filter: { id: /\.node$/ },
      handler(id) {
        assets.set(basename(id), id);
        return { code: `module.exports = require('${embedded}').loadNative('${basename(id)}');`, moduleType: 'js' };
      },
    },
  };
}

/** Each file below `assets`: its name in the executable, and its path. */
function assetFiles(): [name: string, path: string][] {
  const folder = join(root, 'assets');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), path];
  });
}

/** The licences of Node and of the packages in the executable, which have to go with every copy of it. */
function licences(files: readonly string[], node: string): string {
  const packages = new Set(files.flatMap((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const ofPackages = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${licenceIn(folder)}`;
  });
  const ofNode = `Node.js\n\n${licenceIn(join(dirname(node), '..'))}`;
  return [`hcd ${programVersion}\n\n${licenceIn(root)}`, ofNode, ...ofPackages].join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceIn(folder: string): string {
  const name = existsSync(folder) && readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  return name ? readFileSync(join(folder, name), 'utf8') : 'See the package.\n';
}

const { values: given } = parseArgs({ options: { node: { type: 'string' }, out: { type: 'string' } } });
const out = resolve(given.out ?? join(dist, 'hcd'));
try {
  await build({ node: resolve(given.node ?? process.execPath), out });
  process.stdout.write(`Built ${out}. Hand on ${basename(out)}-licenses.txt with it.\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
