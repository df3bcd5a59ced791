/** What a disk refuses, in words for the caller and the operator. */
import { AppError } from './app-error.js';

const full = 'The disk of the files is full';
const notWritable = 'The folder of the files (files_dir) cannot be written';
const busy = 'Too many files are open';
const messages: Readonly<Record<string, string>> = {
  ...{ ENOSPC: full, EDQUOT: full, EFBIG: full, EMFILE: busy, ENFILE: busy },
  ...{ EACCES: notWritable, EPERM: notWritable, EROFS: notWritable },
  ...{ ENOENT: notWritable, ENOTDIR: notWritable, EEXIST: notWritable },
};

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

export function folderNotWritable(cause: unknown): AppError {
  return new AppError('unavailable', { message: notWritable, cause });
}

/** `unavailable` with the reason for a disk that cannot be written; any other error as it is. */
export function diskError(error: unknown): unknown {
  const code = error instanceof AppError ? '' : codeOf(error);
  const message = messages[code];
  // Without a cause: commands take the codes of causes for failures of the database.
  return message === undefined ? error : new AppError('unavailable', { message: `${message} (${code})` });
}
