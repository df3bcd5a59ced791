/**
 * Temporary directories for tests. Every directory made here is removed when its test file is done, by the setup
 * file `after-file.ts`; a test need not clean up.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made = new Set<string>();

/** A new empty directory; removed when the test file is done. */
export async function makeTempDir(label = 'test'): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), `hcd-${label}-`));
  made.add(directory);
  return directory;
}

/** Removes one directory made by makeTempDir before the end of its file. */
export async function removeTempDir(directory: string): Promise<void> {
  made.delete(directory);
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes every directory that is still there. */
export async function removeTempDirs(): Promise<void> {
  await Promise.all([...made].map(removeTempDir));
}
