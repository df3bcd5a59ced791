/** The packages of an example or of tools for tests, installed by npm once for each lock file. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex } from '../../src/crypto/primitives.js';
import { repository } from '../architecture/source-file.js';
import { makeTempDir } from './temp-dir.js';

const cache = join(repository, 'node_modules/.cache/hcd-packages');

/**
 * The folder of the packages that a folder of the repository declares; null, with a notice, where npm cannot install
 * them. HCD_TEST_REQUIRE_PACKAGES makes that a failure.
 */
export async function installPackages(folder: string): Promise<string | null> {
  const source = join(repository, folder);
  const lock = await readFile(join(source, 'package-lock.json'), 'utf8');
  const installed = join(cache, dirname(folder), `${basename(folder)}-${sha256Hex(lock).slice(0, 16)}`);
  if (existsSync(installed)) return join(installed, 'node_modules');
  await mkdir(dirname(installed), { recursive: true });
  // Where the examples look for the client.
  await symlink(join(repository, 'client'), join(cache, 'client')).catch(leaveOther);
  // Several files of tests may install the same packages at a time: the first to end gives them their name.
  const folderOfMine = await mkdtemp(`${installed}-`);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    await cp(join(source, file), join(folderOfMine, file));
  try {
    await promisify(execFile)('npm', ['ci', '--prefer-offline'], { cwd: folderOfMine });
    await rename(folderOfMine, installed).catch(leaveOther);
  } catch (error) {
    if (process.env['HCD_TEST_REQUIRE_PACKAGES']) throw error;
    process.stdout.write(`\nNOTICE: the tests of ${folder} were skipped: npm cannot install its packages.\n`);
    return null;
  } finally {
    await rm(folderOfMine, { recursive: true, force: true });
  }
  return join(installed, 'node_modules');
}

function leaveOther(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}

/** As `installPackages`, of an example, with the client that was last built. */
export async function installExample(name: string): Promise<string | null> {
  const modules = await installPackages(`examples/${name}`);
  if (modules !== null) {
    await cp(join(repository, 'client/dist'), join(modules, 'hcd-client/dist'), { recursive: true });
  }
  return modules;
}

/** A copy of the example with the packages. */
export async function copyExample(name: string, modules: string): Promise<string> {
  const folder = await makeTempDir(`example-${name}`);
  await cp(join(repository, 'examples', name), folder, { recursive: true });
  await symlink(modules, join(folder, 'node_modules'));
  return folder;
}
