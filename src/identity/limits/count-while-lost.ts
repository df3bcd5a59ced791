/** What a request gets while the place where requests are counted together does not count. */
import { AppError } from '../../errors/app-error.js';
import type { Count, CountQuestion } from './counter.js';

const retryAfter = 5;

/** This process counts alone. Throws unavailable when the question does not allow that. */
export function countWhileLost(
  question: CountQuestion,
  alone: { readonly count: (question: CountQuestion) => Count },
): Count {
  if (question.whenLost === 'refuse') throw new AppError('unavailable', { details: { retryAfter } });
  return alone.count(question);
}
