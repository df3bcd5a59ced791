/** Asks before something is removed or changed for many. */
import { AppError } from '../../src/errors/app-error.js';
import type { Deps } from '../deps.js';

/** Scripts are not asked: they named what they mean. Throws refused when the answer is no. */
export async function confirmChange(deps: Deps, message: string): Promise<void> {
  if (!deps.prompt.isInteractive) return;
  if (!(await deps.prompt.confirm({ message, flag: '--yes' }))) {
    throw new AppError('refused', { message: 'Nothing was changed' });
  }
}
