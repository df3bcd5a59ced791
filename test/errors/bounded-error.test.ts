/** Refusals repeat little of what was sent: names, texts and their number are bounded, and the rest is counted. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError, boundedError, invalidFields } from '../../src/errors/app-error.js';

const fieldsOf = (count: number): Record<string, readonly string[]> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, ['is not a field']]));

test('keeps an error that fits as it is', () => {
  const cause = new Error('inside');
  const error = new AppError('validation_failed', { message: 'Wrong', details: { fields: fieldsOf(20) }, cause });
  expect(boundedError(error)).toBe(error);
  const plain = new AppError('not_found');
  expect(boundedError(plain)).toBe(plain);
});

test('names twenty fields in their order and counts the others', () => {
  const { details, code, message } = boundedError(invalidFields(fieldsOf(1000), 'Wrong fields'));
  expect([code, message, details.omitted]).toEqual(['validation_failed', 'Wrong fields', 980]);
  expect(details.fields).toEqual(fieldsOf(20));
});

test('cuts long names, texts and messages, and keeps the cause', () => {
  const cause = new Error('inside');
  const fields = { ['n'.repeat(5000)]: ['t'.repeat(5000), ...Array.from({ length: 10 }, () => 'more')] };
  const error = boundedError(
    new AppError('validation_failed', { message: 'm'.repeat(5000), details: { fields, isBodyMalformed: true }, cause }),
  );
  expect(error.message).toBe(`${'m'.repeat(999)}…`);
  expect(error.details).toEqual({
    fields: { [`${'n'.repeat(99)}…`]: [`${'t'.repeat(599)}…`, 'more', 'more', 'more', 'more'] },
    isBodyMalformed: true,
  });
  expect(error.cause).toBe(cause);
});

test('fits into 32 KiB of JSON whatever the fields are', () => {
  const piece = fc.constantFrom('a', '"', '\\', '\u0001', '\ud83d', '😀', '…', 'é');
  const text = fc.tuple(piece, fc.integer({ min: 0, max: 3000 })).map(([one, times]) => one.repeat(times));
  const fields = fc.dictionary(text, fc.array(text, { maxLength: 8 }), { maxKeys: 60 });
  fc.assert(
    fc.property(fields, text, (given, message) => {
      const { details, message: shown } = boundedError(
        new AppError('validation_failed', { message, details: { fields: given } }),
      );
      expect(Buffer.byteLength(JSON.stringify([details, shown]))).toBeLessThanOrEqual(32_768);
      const named = Object.keys(details.fields ?? {}).length;
      expect(named + (details.omitted ?? 0)).toBe(Object.keys(given).length);
      expect(named).toBeGreaterThanOrEqual(Math.min(1, Object.keys(given).length));
    }),
    { numRuns: 200 },
  );
});
