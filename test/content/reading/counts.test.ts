/** Counts that the database does not finish in time. */
import { expect, it } from 'vitest';
import { countedInTime } from '../../../src/content/reading/counts.js';
import { AppError } from '../../../src/errors/app-error.js';

it('are none where the database is too slow, and a failure otherwise', async () => {
  expect(await countedInTime(Promise.resolve(3))).toBe(3);
  expect(await countedInTime(Promise.reject(new AppError('unavailable')))).toBeNull();
  await expect(countedInTime(Promise.reject(new Error('syntax')))).rejects.toThrow('syntax');
});
