/** Names the resource in an error that says something is missing. */
import { AppError } from '../../src/errors/app-error.js';

/** Names the resource that is missing; returns other errors unchanged. */
export function nameMissing(error: unknown, id: number): unknown {
  const isMissing = error instanceof AppError && error.code === 'not_found';
  return isMissing ? new AppError('not_found', { message: `Resource ${id} does not exist`, cause: error }) : error;
}
