/** Refusals of a command line: exit code 2, one sentence or a list of them. */
import { AppError } from '../src/errors/app-error.js';

/** Problems by flag or argument, each completing a sentence that starts with its name. */
export function usageError(problems: Readonly<Record<string, string>>): AppError {
  const entries = Object.entries(problems);
  const fields = Object.fromEntries(entries.map(([name, problem]) => [name, [problem]]));
  return new AppError('usage', {
    message: entries.map(([name, problem]) => `${name} ${problem}`).join('; '),
    details: { fields },
  });
}
