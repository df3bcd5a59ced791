/** What exports, imports and comparisons share: the file they read. */
import { resolve } from 'node:path';
import { AppError } from '../src/errors/app-error.js';
import { readBackupFile, sizeToRead } from '../src/operations/backup/backup-file.js';
import type { Deps } from './deps.js';
import { lateProgress } from './progress.js';

interface Source {
  readonly open: () => AsyncIterable<Buffer>;
  readonly onBytes: (count: number) => void;
}

export async function withSource<T>(
  deps: Deps,
  { file, label }: { readonly file: string; readonly label: string },
  work: (source: Source, finish: () => void) => Promise<T>,
): Promise<T> {
  const path = file === '-' ? null : resolve(deps.cwd, file);
  const total = path === null ? null : await sizeToRead(path);
  const bar = lateProgress(deps, label);
  let bytes = 0;
  let isRead = false;
  const open = (): AsyncIterable<Buffer> => {
    bytes = 0;
    if (isRead && total === null) {
      const message = 'Another writer was in the way. Import from a file instead of a pipe';
      throw new AppError('refused', { message });
    }
    isRead = true;
    return path === null ? deps.io.stdin.stream : readBackupFile(path, () => undefined);
  };
  const onBytes = (count: number): void => {
    bytes += count;
    bar.update(bytes, total);
  };
  try {
    return await work({ open, onBytes }, bar.finish);
  } finally {
    bar.finish();
  }
}
