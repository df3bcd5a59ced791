/** Asks before something is removed, ended or changed for many, and refuses where that needs a yes and nothing can ask. */
import { AppError } from '../src/errors/app-error.js';
import type { BoundCommand } from './command.js';
import type { Deps } from './deps.js';
import { usageError } from './usage-error.js';

/** Before anything is opened: throws usage when the command is destructive and neither --yes nor a terminal is there. */
export function checkConsent(line: string, { isDestructive }: BoundCommand, deps: Deps): void {
  if (!isDestructive || deps.flags.yes || deps.prompt.isInteractive) return;
  throw usageError({ '--yes': `is required: "${line}" cannot be undone, and there is no terminal to ask on` });
}

/** Asks on a terminal. Throws refused when the answer is no. */
export async function confirmChange(deps: Deps, message: string): Promise<void> {
  // Elsewhere a script named what it means, and checkConsent looked for its --yes.
  if (!deps.prompt.isInteractive) return;
  if (!(await deps.prompt.confirm({ message, flag: '--yes' }))) {
    throw new AppError('refused', { message: 'Nothing was changed' });
  }
}
