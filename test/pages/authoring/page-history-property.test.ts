/** For any changes in any order: numbers only grow, and publications stay as they were. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { AppError } from '../../../src/errors/app-error.js';
import { publishPage, rollBackPage, withdrawPage } from '../../../src/pages/authoring/change-page.js';
import type { PageAuthoring } from '../../../src/pages/authoring/write-page.js';
import { findPageRows } from '../../../src/pages/models/pages.js';
import { describeEachDatabase } from '../../support/databases.js';
import {
  heroPage,
  historyOf,
  importLines,
  incomplete,
  openAuthoring,
  type Places,
  prepare,
  save,
} from './page-site.js';

const step = fc.oneof(
  fc.record({ kind: fc.constant('save' as const), title: fc.string({ minLength: 1, maxLength: 8 }) }),
  fc.record({ kind: fc.constant('break' as const) }),
  fc.record({ kind: fc.constant('publish' as const) }),
  fc.record({ kind: fc.constant('withdraw' as const) }),
  fc.record({ kind: fc.constant('import' as const), title: fc.constantFrom('x', 'y') }),
  fc.record({ kind: fc.constant('roll back' as const), back: fc.integer({ min: 1, max: 4 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function act(authoring: PageAuthoring, resource: number, one: Step): Promise<unknown> {
  switch (one.kind) {
    case 'save':
      return save(authoring, { resource, document: heroPage(one.title) });
    case 'break':
      return save(authoring, { resource, document: incomplete });
    case 'publish':
      return publishPage(authoring, { resource, expected: null });
    case 'withdraw':
      return withdrawPage(authoring, resource);
    case 'import':
      return importLines(authoring, [{ resource, document: heroPage(one.title), publish: true }]);
    case 'roll back':
      return rollBackPage(authoring, { resource, revision: one.back });
    default:
      return one satisfies never;
  }
}

describeEachDatabase('the history of a page', (database) => {
  let places: Places;
  let resource = 1000;

  beforeAll(async () => {
    places = await prepare(
      { databaseUrl: await database.url() },
      Array.from({ length: 40 }, (_, at) => ({ id: 1001 + at, uri: `p${at}.html` })),
    );
  });

  it('only grows, by one number at a time, and is never changed', async () => {
    const authoring = await openAuthoring(places);
    const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      resource += 1;
      let before = { revision: 0, lastPublished: 0 };
      let history: Awaited<ReturnType<typeof historyOf>> = [];
      for (const one of steps) {
        await act(authoring, resource, one).catch((error: unknown) => {
          // Refusals are part of the play; faults are not.
          if (!(error instanceof AppError) || error.kind === 'internal') throw error;
        });
        const [page] = await findPageRows(authoring.store.own.primary, [resource]);
        if (!page) continue;
        const now = await historyOf(authoring.store, resource);
        expect(now.slice(0, history.length)).toEqual(history);
        expect(now.map(([revision]) => revision)).toEqual(now.map((_, at) => at + 1));
        expect(page.lastPublished).toBe(now.length);
        expect(page.lastPublished - before.lastPublished).toBeOneOf([0, 1]);
        expect(page.revision - before.revision).toBeOneOf([0, 1]);
        if (page.isPublished) expect(page.lastPublished).toBeGreaterThan(0);
        [before, history] = [page, now];
      }
    });
    await fc.assert(property, { numRuns: 40, endOnFailure: true });
  });
});
