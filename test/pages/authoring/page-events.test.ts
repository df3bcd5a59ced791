/** Webhooks hear of pages that are published and withdrawn, by commands and by plans, once for each. */
import { expect, it } from 'vitest';
import { publishPagesOnTime } from '../../../src/pages/authoring/publish-pages-on-time.js';
import { authoring, publish } from '../../http/pages/published-site.js';
import { type CliDatabase, prepareCliDatabase } from '../../support/cli-database.js';
import { describeEachDatabase } from '../../support/databases.js';
import { seed } from '../../support/seed.js';

interface Body {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly revalidate: readonly string[] };
}

async function queued(db: CliDatabase): Promise<readonly Body[]> {
  const bodies: Body[] = [];
  await db.change(async ({ own }) => {
    const sql = 'SELECT body FROM hcd_webhook_deliveries ORDER BY id';
    for (const [body] of await own.primary.select({ sql, params: [] })) bodies.push(JSON.parse(String(body)) as Body);
  });
  return bodies;
}

describeEachDatabase('events of pages', (database) => {
  it('name the page, its publication and its place', async () => {
    const db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 42, pagetitle: 'About', alias: 'about', uri: 'about.html' }] }),
    );
    await db.run('webhook add --url https://site.example/hook --events pages.published,pages.withdrawn');
    await db.change((store) => publish(store, 42));
    await db.run('page unpublish 42');
    await db.run('page unpublish 42');
    await db.run('page publish 42');
    const place = { resourceId: 42, uri: 'about.html', context: 'web' };
    const revalidate = ['gateway:resources:42', 'gateway:uri:about.html'];
    const before = await queued(db);
    expect(before).toMatchObject([
      { type: 'pages.published', data: { ...place, publishedRevision: 1 }, meta: { revalidate, source: 'hcd' } },
      { type: 'pages.withdrawn', data: { ...place, publishedRevision: 1 }, meta: { revalidate, source: 'hcd' } },
      { type: 'pages.published', data: { ...place, publishedRevision: 2 }, meta: { revalidate, source: 'hcd' } },
    ]);
    const numbers = before.map(({ data }) => Number(data['revision']));
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    await db.change(async (store) => {
      const sql = 'UPDATE hcd_pages SET publish_on = 1, unpublish_on = 2 WHERE resource_id = 42';
      await store.own.write(async (tx) => void (await tx.run({ sql, params: [] })));
      await publishPagesOnTime(authoring(store), new AbortController().signal);
    });
    expect((await queued(db)).slice(before.length)).toMatchObject([
      { type: 'pages.published', data: { ...place, publishedRevision: 3 } },
      { type: 'pages.withdrawn', data: { ...place, publishedRevision: 3 } },
    ]);
  });

  it('go only to subscriptions that name them, never to one of all events', async () => {
    const db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 42, pagetitle: 'About', alias: 'about', uri: 'about.html' }] }),
    );
    await db.run('webhook add --url https://all.example/hook --events *');
    await db.change((store) => publish(store, 42));
    await db.run('page unpublish 42');
    expect(await queued(db)).toEqual([]);
    await db.run('webhook add --url https://both.example/hook --events *,pages.withdrawn');
    await db.run('page publish 42');
    await db.run('page unpublish 42');
    expect((await queued(db)).map(({ type }) => type)).toEqual(['pages.withdrawn']);
  });

  it('are not raised by drafts, and can be named by subscriptions only as they are', async () => {
    const db = await prepareCliDatabase(await database.url(), (store) =>
      seed(store, { site_content: [{ id: 42, pagetitle: 'About', alias: 'about', uri: 'about.html' }] }),
    );
    await db.run('webhook add --url https://site.example/hook --events *');
    await db.run(['page', 'edit', '42', '--file', '-'], { stdin: '{"schemaVersion":1,"sections":[]}' });
    expect(await queued(db)).toEqual([]);
    const wrong = await db.run('webhook add --url https://site.example/hook --events pages.publish');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('did you mean pages.published?')]);
  });
});
