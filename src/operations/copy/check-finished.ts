/** Keeps a store that was only half copied from being used as if it were whole. */
import { AppError } from '../../errors/app-error.js';
import type { Store } from '../../store/open/open.js';
import { readProgress } from '../models/copy-progress.js';

/** Throws database_not_ready while a copy into this store is unfinished. */
export async function checkCopyFinished({ own }: Store): Promise<void> {
  if ((await readProgress(own.primary)) === null) return;
  throw new AppError('database_not_ready', {
    message:
      'A copy into this database is not finished. Run the same hcd db copy again: it continues where it stopped.',
  });
}
