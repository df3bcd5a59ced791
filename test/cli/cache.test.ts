/** `hcd cache clear`: running servers show content that another program has changed in the database. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { openStore } from '../../src/store/open/open.js';
import { runCli } from '../support/cli.js';
import { describeEachDatabase } from '../support/databases.js';
import { seed } from '../support/seed.js';
import { startTestSite } from '../support/site.js';

describeEachDatabase('hcd cache clear', (database) => {
  it('makes a server read content again that was changed behind its back', async () => {
    const databaseUrl = await database.url();
    const site = await startTestSite({ databaseUrl, env: { HCD_GATEWAY_CACHE_ENABLED: '1' } });
    const { store } = site;
    await seed(store, { site_content: [{ id: 1, pagetitle: 'Home', alias: 'index', uri: 'index.html' }] });
    await site.live.refresh();
    const title = async () => {
      const { body } = await site.get('/resources/1?fields=id,pagetitle');
      return body['data'];
    };
    const before = await title();
    await store.content.write((tx) =>
      tx.run({ sql: 'UPDATE `modx_site_content` SET `pagetitle` = ? WHERE `id` = 1', params: ['Changed by a script'] }),
    );
    expect(await title()).toEqual(before);
    const env = { HCD_DATABASE_URL: databaseUrl };
    const { code, stdout } = await runCli('cache clear --json', { env, clock: systemClock, openStore });
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { data: { cleared: true } } });
    await expect.poll(title).toEqual({ id: 1, pagetitle: 'Changed by a script' });
  });
});
