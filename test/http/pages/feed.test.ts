/**
 * The change feed: a reader that follows it, in parts of any size and from any time, ends with exactly the pages that
 * are delivered, for any changes of pages and resources in between.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { publishPage, withdrawPage } from '../../../src/pages/authoring/change-page.js';
import { describeEachDatabase } from '../../support/databases.js';
import { execute } from '../../support/execute.js';
import { authoring, type PublishedSite, startPublishedSite } from './published-site.js';

interface Item {
  readonly resourceId: number;
  readonly publishedRevision: number;
  readonly withdrawn?: true;
}

/** A reader with its copy of the pages of one context. */
class Follower {
  readonly pages = new Map<number, number>();
  readonly #seen = new Map<number, number>();
  revision = 0;

  constructor(
    readonly context: string,
    readonly limit: number,
  ) {}

  /** Asks until nothing is left. */
  async follow(site: PublishedSite): Promise<void> {
    const told = new Set<number>();
    for (let calls = 0; ; calls += 1) {
      const feed = await site.get(`/pages&context=${this.context}&limit=${this.limit}&changed_since=${this.revision}`);
      const items = feed.items as Item[];
      expect(items.length).toBeLessThanOrEqual(this.limit);
      expect(feed.total as number).toBeGreaterThanOrEqual(items.length);
      for (const { resourceId, publishedRevision, withdrawn } of items) {
        expect(told.has(resourceId)).toBe(false);
        told.add(resourceId);
        // A number never goes back.
        expect(publishedRevision).toBeGreaterThanOrEqual(this.#seen.get(resourceId) ?? 0);
        this.#seen.set(resourceId, publishedRevision);
        if (withdrawn) this.pages.delete(resourceId);
        else this.pages.set(resourceId, publishedRevision);
      }
      expect(feed.revision as number).toBeGreaterThanOrEqual(this.revision);
      this.revision = feed.revision as number;
      if (feed.more === false) return;
      expect(items).toHaveLength(this.limit);
      expect(calls).toBeLessThan(100);
    }
  }
}

const resources = [1, 2, 3, 4, 5, 6];
const contexts = ['web', 'en'];

const id = fc.constantFrom(...resources);
const sets = [
  'published = 0',
  'published = 1',
  'deleted = 1',
  'deleted = 0',
  "context_key = 'en'",
  "context_key = 'web'",
];

const step = fc.oneof(
  fc.record({ kind: fc.constant('publish' as const), id }),
  fc.record({ kind: fc.constant('withdraw' as const), id }),
  fc.record({ kind: fc.constant('sql' as const), id, set: fc.constantFrom(...sets) }),
  fc.record({ kind: fc.constant('destroy' as const), id }),
  fc.record({ kind: fc.constant('wait' as const) }),
  fc.record({ kind: fc.constant('follow' as const), who: fc.nat(3) }),
);

/** What the list itself says, asked in one part. */
async function live(site: PublishedSite, context: string): Promise<Map<number, number>> {
  const { items } = (await site.get(`/pages&context=${context}&limit=100`)) as { items: Item[] };
  return new Map(items.map(({ resourceId, publishedRevision }) => [resourceId, publishedRevision]));
}

describeEachDatabase('the change feed', (database) => {
  it('leads every reader to exactly the pages that are there', async () => {
    const site = await startPublishedSite({ databaseUrl: await database.url() });
    await site.site.change(["INSERT INTO modx_context (`key`, name) VALUES ('en', 'English')"]);
    const { store } = site.site;
    const author = authoring(store);
    // Readers stay: each sequence of changes begins where the one before it ended.
    const readers = [1, 3, 100].flatMap((limit) => contexts.map((context) => new Follower(context, limit)));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        await store.content.write((tx) => tx.run({ sql: 'DELETE FROM modx_site_content', params: [] }));
        await site.resources(...resources.map((id) => ({ id, context_key: id > 4 ? 'en' : 'web' })));
        for (const id of resources) await site.publish(id, []);
        for (const one of steps) {
          if (one.kind === 'publish')
            await publishPage(author, { resource: one.id, expected: null }).catch(ignoreMissing);
          else if (one.kind === 'withdraw') await withdrawPage(author, one.id);
          else if (one.kind === 'wait') await site.clock.advance(1000);
          else if (one.kind === 'follow') await readers[one.who]?.follow(site);
          else {
            const sql =
              one.kind === 'sql'
                ? `UPDATE modx_site_content SET ${one.set} WHERE id = ${one.id}`
                : `DELETE FROM modx_site_content WHERE id = ${one.id}`;
            await store.content.write((tx) => tx.run({ sql, params: [] }));
          }
        }
        await site.clock.advance(1000);
        for (const reader of readers) {
          await reader.follow(site);
          expect(reader.pages).toEqual(await live(site, reader.context));
        }
        // One that begins now ends the same way, and the next question brings nothing.
        const late = new Follower('web', 2);
        await late.follow(site);
        expect(late.pages).toEqual(await live(site, 'web'));
        const nothing = { items: [], total: 0, revision: late.revision, more: false };
        expect(await site.get(`/pages&changed_since=${late.revision}`)).toEqual(nothing);
      }),
      { numRuns: 6 },
    );
  });

  it('comes in parts: each goes on where the one before ended, and the last says so', async () => {
    const site = await startPublishedSite({ databaseUrl: await database.url() });
    await site.resources({ id: 1 }, { id: 2 }, { id: 3 });
    for (const id of [2, 3, 1]) {
      await site.publish(id, []);
      await site.get('/pages');
    }
    await site.withdraw(3);
    const first = await site.get('/pages&changed_since=0&limit=2');
    const second = await site.get(`/pages&changed_since=${first.revision}&limit=2`);
    const told = ({ items, total, more }: Record<string, unknown>) => ({
      ...{ items: (items as Item[]).map(({ resourceId, withdrawn = false }) => [resourceId, withdrawn]), total, more },
    });
    const published = [2, 1].map((one) => [one, false]);
    expect(told(first)).toEqual({ items: published, total: 3, more: true });
    expect(told(second)).toEqual({ items: [[3, true]], total: 1, more: false });
    expect(second.revision).toBe((await site.get('/pages')).revision);
  });

  it('refuses a number that the site has not reached: its reader has seen another site, or a later state of it', async () => {
    const site = await startPublishedSite({ databaseUrl: await database.url() });
    await site.resources({ id: 1 });
    await site.publish(1);
    const { revision } = await site.get('/pages');
    expect(await site.get(`/pages&changed_since=${revision}`)).toEqual({ items: [], total: 0, revision, more: false });
    for (const ahead of [Number(revision) + 1, Number.MAX_SAFE_INTEGER]) {
      const answer = await site.ask(`/pages&changed_since=${ahead}`);
      const message = `changed_since is ahead of this site, which is at revision ${revision}: it is another one, or was put back to an earlier state; begin again with 0`;
      expect([answer.status, answer.json()]).toEqual([400, { success: false, message, object: {} }]);
    }
  });

  it('is written once when several servers look at the same time', async () => {
    const databaseUrl = await database.url();
    const site = await startPublishedSite({ databaseUrl });
    const others = [await startPublishedSite({ databaseUrl }), await startPublishedSite({ databaseUrl })];
    const numbers = Array.from({ length: 25 }, (_none, at) => at + 1);
    await site.resources(...numbers.map((id) => ({ id })));
    for (const id of numbers) await site.publish(id, []);
    const ask = () => Promise.all([site, ...others].map((one) => one.get('/pages&changed_since=0&limit=100')));
    await ask();
    const before = (await site.get('/pages')).revision as number;
    await execute(site.site.store.content, 'UPDATE modx_site_content SET published = 0 WHERE id <= 20');
    await Promise.all([site, ...others].map(({ clock }) => clock.advance(1000)));
    await ask();
    const after = await site.get(`/pages&changed_since=${before}&limit=100`);
    const items = after.items as Item[];
    expect([items.length, items.every(({ withdrawn }) => withdrawn)]).toEqual([20, true]);
    expect(after.revision).toBe(before + 20);
  });
});

/** The resource was destroyed: there is nothing to publish it on. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'not_found') throw error;
}
