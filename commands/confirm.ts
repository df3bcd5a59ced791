/** Asks for confirmation before a destructive change; without a terminal the change requires --yes. */
import { AppError } from '../src/errors/app-error.js';
import type { BoundCommand } from './command.js';
import type { Deps } from './deps.js';
import { usageError } from './usage-error.js';

/** Before anything is opened: throws usage when a destructive command has neither --yes nor a terminal. */
export function checkConsent(line: string, { isDestructive }: BoundCommand, deps: Deps): void {
  if (!isDestructive || deps.flags.yes || deps.prompt.isInteractive) return;
  throw usageError({
    '--yes': `is required: "${line}" cannot be undone, and this is not a terminal, so it cannot prompt`,
  });
}

/** Asks on a terminal. Throws refused when the answer is no. */
export async function confirmChange(deps: Deps, message: string): Promise<void> {
  // Without a terminal, checkConsent has already required --yes.
  if (!deps.prompt.isInteractive) return;
  if (!(await deps.prompt.confirm({ message, flag: '--yes' }))) {
    throw new AppError('refused', { message: 'Nothing was changed' });
  }
}
