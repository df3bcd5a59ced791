/** The room Deliveries of Studio in a real browser: why a webhook does not arrive, and sending it again. */
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { atEachWidth, describeStudio, expectUsable, hostile, type View } from '../support/studio-page.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';

const real = { clock: systemClock };

describeStudio('the deliveries of Studio', (kind, openStudio) => {
  let db: CliDatabase;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
  });

  beforeEach(async () => {
    receiver.answerWith(() => 204);
    db = await prepareCliDatabase(await kind.url());
    await db.run('setting set gateway_webhook_allow_private_urls 1');
  });

  const add = (name: string) =>
    db.run(['webhook', 'add', '--url', receiver.url, '--events', '*', '--name', name], real);
  const testEvent = (id: number) => db.run(`webhook test ${id}`, real);

  async function open(view: View = {}): Promise<Page> {
    const { page } = await openStudio(db.url, view);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    return page;
  }

  const receivers = (page: Page) => page.getByRole('region', { name: 'Receivers' }).locator('tbody tr');
  const deliveries = (page: Page) => page.getByRole('region', { name: 'All deliveries' }).locator('tbody tr');

  test('say first which receiver fails and why, and send a delivery again that then arrives', async () => {
    await add('Works');
    await testEvent(1);
    await add('Search index');
    await add('Not called');
    receiver.answerWith(() => 500);
    await testEvent(2);
    const page = await open();
    await receivers(page).first().getByText('HTTP 500').waitFor();
    expect(await receivers(page).first().innerText()).toMatch(/^Search index.*Failing/s);
    expect(await receivers(page).nth(1).innerText()).toMatch(/^Works.*Works/s);
    expect(await receivers(page).nth(2).innerText()).toMatch(/^Not called.*\tOn\t/s);

    await page.getByRole('link', { name: 'Search index' }).click();
    await page.getByText(/Failures in a row: 1, since/).waitFor();
    await page.getByRole('link', { name: 'webhook.test' }).click();
    await page.getByText('The receiver has an error of its own.').waitFor();
    await page.getByText('"type": "webhook.test"').waitFor();

    receiver.answerWith(() => 204);
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('A running worker sends it within seconds.').waitFor();
    expect(await page.locator('footer code').innerText()).toBe('hcd delivery retry 2');
    await db.run('worker --once', real);
    await page.getByRole('heading', { name: 'webhook.test Arrived' }).waitFor();
    await page.getByRole('link', { name: 'Search index' }).click();
    await page.getByRole('heading', { name: 'Search index Works' }).waitFor();
  });

  // From here on the page is the same on both databases, and so are its commands, by tests of their own.
  if (kind.name === 'mariadb') return;

  test('say that no worker runs where deliveries wait', async () => {
    await add('Builder');
    await db.run('webhook test 1 --queue');
    const page = await open();
    await page.getByText('1 waiting, and no worker is sending.').waitFor();
    await db.run('worker --once', real);
    await page.getByText('no worker is sending').waitFor({ state: 'detached' });
  });

  test('send a test and what was missed, show a new secret once, and turn a receiver off and on', async () => {
    await add('Builder');
    receiver.answerWith(() => 500);
    await testEvent(1);
    const page = await open();
    await page.getByRole('link', { name: 'Builder' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test did not arrive: HTTP 500').waitFor();
    receiver.answerWith(() => 204);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test arrived.').waitFor();

    await page.getByRole('button', { name: 'Send missed ones again' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send missed ones again' });
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText(/^Send 2 deliveries again/).waitFor();
    await page.getByRole('button', { name: 'Yes, go on' }).click();
    await page.getByText('2 will be sent again within seconds').waitFor();

    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog', { name: 'New secret' }).getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Yes, go on' }).click();
    const shown = page.getByRole('dialog', { name: 'Secret', exact: true });
    const secret = await shown.locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: '← All deliveries' }).click();
    await page.getByRole('link', { name: 'Builder' }).click();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByRole('button', { name: 'Yes, go on' }).click();
    await page.getByRole('heading', { name: 'Builder Off' }).waitFor();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('heading', { name: 'Builder Works' }).waitFor();
  });

  test('show a delivery whose answer takes longer than the time until it is read again', async () => {
    await add('Builder');
    await testEvent(1);
    const page = await open();
    await page.clock.install();
    await page.route('**/run', async (route) => {
      if (route.request().postData()?.includes('delivery show')) await page.clock.runFor(4000);
      await route.continue();
    });
    await deliveries(page).first().getByRole('link').click();
    await page.getByRole('heading', { name: 'What is sent' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('filter and page on the server', async () => {
    await add('Builder');
    await testEvent(1);
    const columns = 'subscription_id, event, revision, body, url, secrets, status, visible_at, created_on';
    const id = kind.name === 'sqlite' ? 'HEX(RANDOMBLOB(16))' : 'MD5(RAND())';
    const double = `INSERT INTO hcd_webhook_deliveries (event_id, ${columns}) SELECT ${id}, ${columns} FROM hcd_webhook_deliveries`;
    await db.sql(double, Array(6).fill([]));
    await db.sql("UPDATE hcd_webhook_deliveries SET status = 'failed' WHERE id <= 4");
    const page = await open();
    await page.getByText('1–25 of 64').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('26–50 of 64').waitFor();
    await page.getByLabel('Status').selectOption({ label: 'Given up' });
    await page.getByText('1–4 of 4').waitFor();
    expect(await deliveries(page).count()).toBe(4);
    // Every event of the site, not only the suggestions of the command.
    expect(await page.locator('datalist option').count()).toBeGreaterThan(4);
    await page.getByLabel('Event').fill('resources.updated');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('1–25 of 64').waitFor();
  });

  test('show hostile names, answers and payloads as texts', async () => {
    await add(hostile.slice(0, 90));
    await testEvent(1);
    await db.sql('UPDATE hcd_webhook_deliveries SET answer = ?, event = ?, body = ?', [
      [hostile, hostile, `{"a": ${JSON.stringify(hostile)}}`],
    ]);
    const page = await open();
    await receivers(page).first().getByText('<img src=x').first().waitFor();
    await deliveries(page).first().getByRole('link').click();
    await page.locator('pre', { hasText: '<img src=x' }).first().waitFor();
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('hcd studio');
  });

  test('of a site without receivers say how to add one, whose secret is shown once', async () => {
    const page = await open();
    await page.getByText('There are no receivers yet.').waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
    const button = page.getByRole('button', { name: 'Add a receiver' });
    await button.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add a receiver');
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill(receiver.url);
    await dialog.getByLabel('*', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Add a receiver' }).click();
    await page.getByText('This secret is shown once.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: receiver.url }).waitFor();
  });

  atEachWidth(async (view) => {
    await add('Search index');
    receiver.answerWith(() => 500);
    await testEvent(1);
    const page = await open(view);
    const steps = { Deliveries: 'HTTP 500', 'Search index': 'Send a test', 'webhook.test': 'What is sent' };
    for (const [name, shown] of Object.entries(steps)) {
      await page.getByRole('link', { name }).first().click();
      await page.getByText(shown).first().waitFor();
      await expectUsable(page);
    }
  });
});
