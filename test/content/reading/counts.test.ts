/** Counts that the database does not finish in time. */
import { expect, it } from 'vitest';
import { inTime } from '../../../src/content/reading/counts.js';
import { AppError } from '../../../src/errors/app-error.js';

it('are none where the database is too slow, and a failure otherwise', async () => {
  expect(await inTime(Promise.resolve(3))).toBe(3);
  expect(await inTime(Promise.reject(new AppError('unavailable')))).toBeNull();
  await expect(inTime(Promise.reject(new Error('syntax')))).rejects.toThrow('syntax');
});
