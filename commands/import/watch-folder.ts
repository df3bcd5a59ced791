/** Imports a folder again after each change of its files. Errors are printed, and the watch goes on. */
import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../src/errors/app-error.js';
import { escapeControls } from '../../src/log/escape.js';
import type { Deps } from '../deps.js';

/** Milliseconds without a further change: an editor writes a file in several steps. */
const settled = 40;

/** Ends only with the command. `work` says what was done; null for nothing. */
export async function watchFolder(
  root: string,
  { io, clock, stop, flags }: Deps,
  work: () => Promise<string | null>,
): Promise<void> {
  let wake: () => void = () => undefined;
  // What changed before the watch began must not be missed.
  let isChanged = true;
  const watched = await watchAll(root, () => {
    isChanged = true;
    wake();
  });
  stop.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!stop.aborted) {
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (stop.aborted) return;
      do {
        isChanged = false;
        await clock.sleep(settled, stop);
        await watched.addNew();
      } while (isChanged);
      const said = await work().catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return `hcd: ${error.message}`;
      });
      if (said === null || flags.quiet) continue;
      for (const line of said.split('\n')) io.stderr.write(`${escapeControls(line)}\n`);
    }
  } finally {
    watched.close();
  }
}

/** Each folder by itself: a recursive watch of Node.js 20 loses files that an editor replaces. */
async function watchAll(root: string, onChange: () => void) {
  const watchers = new Map<string, FSWatcher>();
  // Git and editors keep their own files beside.
  const isOther = (name: string): boolean => (name.startsWith('.') && name !== '.gitify') || name === 'node_modules';
  async function add(folder: string): Promise<void> {
    if (!watchers.has(folder)) {
      const watcher = watch(folder, (_event, name) => {
        if (!isOther(name ?? '')) onChange();
      });
      watchers.set(folder, watcher);
      watcher.on('error', () => {
        // The folder is gone.
        watcher.close();
        watchers.delete(folder);
        onChange();
      });
    }
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory() && !isOther(entry.name)) await add(join(folder, entry.name));
  }
  const addNew = async (): Promise<void> => {
    for (const [folder, watcher] of watchers) {
      if ((await readdir(folder).catch(() => null)) !== null) continue;
      watcher.close();
      watchers.delete(folder);
    }
    try {
      await add(root);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new AppError('refused', { message: `${root} cannot be watched: ${why}`, cause });
    }
  };
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
  };
  await addNew();
  return { addNew, close };
}
