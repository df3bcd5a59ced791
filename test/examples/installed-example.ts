/** The packages of an example, installed by npm once for each lock file, and copies of the example to run. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sha256Hex } from '../../src/crypto/hash.js';
import { repository } from '../architecture/source-file.js';
import { makeTempDir } from '../support/temp-dir.js';

const cache = join(repository, 'node_modules/.cache/hcd-examples');

/**
 * The folder of the installed packages; null, with a notice, where npm cannot install them. HCD_TEST_REQUIRE_EXAMPLES
 * makes that a failure.
 */
export async function installExample(name: string): Promise<string | null> {
  const source = join(repository, 'examples', name);
  const lock = await readFile(join(source, 'package-lock.json'), 'utf8');
  const folder = join(cache, 'examples', `${name}-${sha256Hex(lock).slice(0, 16)}`);
  const mark = join(folder, 'installed');
  if (!existsSync(mark)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    // Where the examples look for the client.
    await rm(join(cache, 'client'), { force: true });
    await symlink(join(repository, 'client'), join(cache, 'client'));
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      await cp(join(source, file), join(folder, file));
    try {
      await promisify(execFile)('npm', ['ci', '--prefer-offline'], { cwd: folder });
    } catch (error) {
      if (process.env['HCD_TEST_REQUIRE_EXAMPLES']) throw error;
      process.stdout.write(`\nNOTICE: the tests of examples/${name} were skipped: npm cannot install its packages.\n`);
      return null;
    }
    await writeFile(mark, '');
  }
  const modules = join(folder, 'node_modules');
  await cp(join(repository, 'client/dist'), join(modules, 'hcd-client/dist'), { recursive: true });
  return modules;
}

/** A copy of the example with the packages. */
export async function copyExample(name: string, modules: string): Promise<string> {
  const folder = await makeTempDir(`example-${name}`);
  await cp(join(repository, 'examples', name), folder, { recursive: true });
  await symlink(modules, join(folder, 'node_modules'));
  return folder;
}
