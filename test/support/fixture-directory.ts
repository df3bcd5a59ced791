/** Where the dump of a real site database lies, which some test groups run on. Apart from `fixture.ts`, because the run's set-up needs it too. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

const repository = resolve(import.meta.dirname, '../..');

/** HCD_TEST_FIXTURE_DIR, or `../shared/data/modx-site` next to the repository; undefined when there is no dump. */
export function fixtureDirectory(): string | undefined {
  const directory = process.env['HCD_TEST_FIXTURE_DIR'] ?? resolve(repository, '../shared/data/modx-site');
  return existsSync(join(directory, 'modx.sql')) ? directory : undefined;
}
