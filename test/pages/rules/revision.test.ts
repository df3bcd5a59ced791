/** Numbers of pages: they only grow, and none is used twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sliceFeed } from '../../../src/pages/delivery/list-changes.js';
import {
  newPageRevisions,
  publishedRevision,
  publishRevisions,
  saveRevisions,
  withdrawRevisions,
} from '../../../src/pages/rules/revision.js';

test('a page is not delivered before it is published, and not after it was withdrawn', () => {
  const saved = saveRevisions(newPageRevisions, 0);
  const published = publishRevisions(saved);
  const withdrawn = withdrawRevisions(published);
  expect([newPageRevisions, saved, published, withdrawn, publishRevisions(withdrawn)].map(publishedRevision)).toEqual([
    0, 0, 1, 0, 2,
  ]);
});

test('a draft made from an earlier one is refused', () => {
  const twice = saveRevisions(saveRevisions(newPageRevisions, null), 1);
  expect(twice.revision).toBe(2);
  expect(() => saveRevisions(twice, 1)).toThrow('revision_conflict: the draft is at revision 2');
});

test('whatever happens to a page, published numbers grow and are used once', () => {
  const step = fc.constantFrom('save', 'publish', 'withdraw');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let revisions = newPageRevisions;
      const used: number[] = [];
      for (const one of steps) {
        if (one === 'save') revisions = saveRevisions(revisions, null);
        else if (one === 'withdraw') revisions = withdrawRevisions(revisions);
        else {
          revisions = publishRevisions(revisions);
          used.push(publishedRevision(revisions));
        }
      }
      expect(used).toEqual(used.map((_one, at) => at + 1));
    }),
  );
});

test('a slice of the feed is the oldest changes after the cursor', () => {
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

test('a reader that goes on from the cursor meets every change once', () => {
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
