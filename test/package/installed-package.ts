/**
 * The package as its users get it: packed, unpacked into an empty directory, with nothing in reach but the packages
 * that it declares. The declared packages are linked from the repository instead of being downloaded and compiled
 * again; `.ci/run` also makes one real installation.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../architecture/source-file.js';
import { makeTempDir } from '../support/temp-dir.js';

const run = promisify(execFile);

export interface InstalledPackage {
  /** Paths in the package, in order. */
  readonly files: readonly string[];
  readonly version: string;
  /** Directory in which it is installed: run the program from here. */
  readonly directory: string;
  /** The program as a shell would find it. */
  readonly program: string;
}

/** Packs and installs what `npm run build` last made, without the dependencies that are named. */
export async function installPackage(without: readonly string[] = []): Promise<InstalledPackage> {
  if (!existsSync(join(repository, 'dist/commands/main.js'))) throw new Error('nothing built: npm run build');
  const directory = await makeTempDir('package');
  const files = await pack(directory);
  const home = join(directory, 'node_modules/hcd');
  const manifest = await readManifest(join(home, 'package.json'));
  for (const name of manifest.dependencies.filter((one) => !without.includes(one))) {
    const link = join(directory, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(repository, 'node_modules', name), link);
  }
  const program = join(directory, 'node_modules/.bin/hcd');
  await mkdir(dirname(program));
  await symlink(join(home, manifest.bin), program);
  return { files, version: manifest.version, directory, program };
}

/** Installs the package globally under a folder, which it returns; without the packages that it needs. */
export async function installGlobally(): Promise<string> {
  const directory = await makeTempDir('package');
  await pack(directory);
  const home = join(directory, 'node_modules/hcd');
  const manifest: Record<string, unknown> = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  const bare = { ...manifest, dependencies: {}, optionalDependencies: {}, devDependencies: {}, scripts: {} };
  await writeFile(join(home, 'package.json'), JSON.stringify(bare));
  const prefix = join(directory, 'global');
  // Packed again: npm links a folder instead of installing it.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${directory}`], {
    cwd: home,
  });
  const answer: unknown = JSON.parse(stdout);
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer ?? {});
  await run('npm', [
    'install',
    '--global',
    '--offline',
    '--no-audit',
    `--prefix=${prefix}`,
    join(directory, packed.filename),
  ]);
  return prefix;
}

/** Leaves the unpacked package in `node_modules/hcd` of the directory. */
async function pack(directory: string): Promise<string[]> {
  // Without scripts: prepack would build again while other tests use what is built.
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${directory}`], {
    cwd: repository,
  });
  const answer: unknown = JSON.parse(stdout);
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer ?? {});
  const home = join(directory, 'node_modules/hcd');
  await mkdir(home, { recursive: true });
  await run('tar', ['--extract', `--file=${join(directory, packed.filename)}`, `--directory=${home}`, '--strip=1']);
  return packed.files.map((file: { path: string }) => file.path).sort();
}

async function readManifest(path: string) {
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  return {
    version: String(manifest.version),
    bin: String(manifest.bin.hcd),
    dependencies: Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
  };
}
