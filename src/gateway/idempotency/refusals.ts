/** Why a request with a key is neither carried out nor answered again. */
import { AppError } from '../../errors/app-error.js';

/** The key belongs to a request that differs from this one. */
export function usedOtherwise(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'This Idempotency-Key was used with another body (or other parameters): use a new key for a new request',
  });
}

/** The first request has not been answered yet. Carries no cause: what the database said is no reason to try again. */
export function stillRunning(): AppError {
  return new AppError('idempotency_conflict', {
    message: 'A request with this Idempotency-Key is still being processed: repeat it later to get its answer',
    details: { retryAfter: 1 },
  });
}

/** The first request was cut off where content and own tables lie in two databases. */
export function outcomeUnknown(): AppError {
  return new AppError('idempotency_conflict', {
    message:
      'The first request with this Idempotency-Key was interrupted, and nobody knows whether it took effect: look for the record, and use a new key if it is not there',
  });
}

/** The change is undone: an answer that cannot be kept must not be given. */
export function answerTooLarge(most: number): AppError {
  return new AppError('payload_too_large', {
    message: `The answer is larger than the ${most} bytes that are kept for an Idempotency-Key, so nothing was changed: send less, or send no Idempotency-Key`,
  });
}
