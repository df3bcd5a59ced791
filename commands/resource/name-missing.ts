/** Names the resource in an error that says something is missing. */
import { AppError } from '../../src/errors/app-error.js';

/** Says which resource is missing; other errors come back as they are. */
export function nameMissing(error: unknown, id: number): unknown {
  const isMissing = error instanceof AppError && error.code === 'not_found';
  return isMissing ? new AppError('not_found', { message: `There is no resource ${id}`, cause: error }) : error;
}
