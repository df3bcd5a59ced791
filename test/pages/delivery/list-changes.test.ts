/** Which changes one answer of the feed has, and where the next one goes on. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sliceFeed } from '../../../src/pages/delivery/list-pages.js';

test('puts the oldest changes after the cursor into a slice of the feed', () => {
  const changes = [7, 3, 5, 9].map((siteRevision) => ({ siteRevision }));
  const slice = (since: number, limit: number) => {
    const { items, revision, more } = sliceFeed({ changes, since, limit, current: 10 });
    return [items.map(({ siteRevision }) => siteRevision), revision, more];
  };
  expect(slice(0, 2)).toEqual([[3, 5], 5, true]);
  expect(slice(5, 2)).toEqual([[7, 9], 10, false]);
  expect(slice(10, 2)).toEqual([[], 10, false]);
  expect(slice(12, 2)).toEqual([[], 12, false]);
});

test('gives a reader that continues from the cursor each change once', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 30 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 7 }), (revisions, limit) => {
      const changes = revisions.map((siteRevision) => ({ siteRevision }));
      const met: number[] = [];
      for (let since = 0, more = true; more; ) {
        const slice = sliceFeed({ changes, since, limit, current: 60 });
        met.push(...slice.items.map(({ siteRevision }) => siteRevision));
        ({ revision: since, more } = slice);
      }
      expect(met).toEqual(revisions.sort((one, other) => one - other));
    }),
  );
});
