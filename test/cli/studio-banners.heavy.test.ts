/** The room of banners of Studio in a real browser: making a banner, statistics as charts, positions, many and hostile rows. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it, test } from 'vitest';
import { systemClock } from '../../src/clock/clock.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { seed } from '../support/seed.js';
import { describeStudio, expectUsable, hostile, png, type View } from '../support/studio-page.js';
import { makeTempDir } from '../support/temp-dir.js';

/** The digits of a day before today. */
function dayBefore(days: number): number {
  const day = new Date(systemClock.now() - days * 86_400_000).toISOString().slice(0, 10);
  return Number(day.replaceAll('-', ''));
}

describeStudio('the banners of Studio', (kind, openStudio) => {
  let db: CliDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    env = { HCD_FILES_DIR: join(await makeTempDir('studio-banners'), 'files'), HCD_BANNERS_TRACK_IMPRESSIONS: '1' };
    db = await prepareCliDatabase(await kind.url(), (store) =>
      seed(store, { site_content: [{ id: 1, pagetitle: 'Tents', alias: 'tents', uri: 'tents.html', published: 1 }] }),
    );
    for (const name of ['header', 'sidebar']) await db.run(`position add ${name}`);
    const add = (name: string, ...flags: readonly string[]) =>
      db.run(['banner', 'add', '--name', name, '--positions', '1,2', ...flags]);
    await add('Spring sale');
    await add('Old coats', '--end', '2020-01-01T00:00:00Z');
    await add(hostile, '--target-resource-id', '1');
    await add('Boots', '--active', '0');
    const days =
      'INSERT INTO hcd_ad_days (day, ad, position, clicks, impressions, conversions) VALUES (?, ?, ?, ?, ?, ?)';
    await db.sql(days, [
      [dayBefore(0), 1, 1, 4, 100, 1],
      [dayBefore(1), 1, 1, 10, 200, 0],
      [dayBefore(2), 1, 2, 30, 300, 2],
      [dayBefore(2), 3, 1, 7, 70, 0],
      [dayBefore(9), 1, 1, 22, 500, 0],
    ]);
    const referrers = 'INSERT INTO hcd_ad_referrer_days (position, day, referrer, clicks) VALUES (0, ?, ?, ?)';
    await db.sql(referrers, [
      [dayBefore(1), `https://example.org/${hostile}`, 31],
      [dayBefore(2), '', 20],
    ]);
  });

  async function open(place: string, { of = db, ...view }: View & { readonly of?: CliDatabase } = {}): Promise<Page> {
    const { page } = await openStudio(of.url, { env, ...view });
    await page.evaluate(`location.hash = '#/banners${place}'`);
    await page.locator('main h1').waitFor();
    return page;
  }

  async function shown(id: number): Promise<Record<string, unknown>> {
    const { data } = (await db.json(`banner show ${id}`)) as { data: Record<string, unknown> };
    return data;
  }

  const cell = (page: Page, name: string): Locator => page.getByTitle(name, { exact: true });

  async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()];
    if (start === null || end === null) throw new Error('not on the page');
    await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 10 });
    await page.mouse.up();
  }

  test('a banner is made with a picture, a position and hours, and its problems stand beside its fields', async () => {
    const page = await open('/list');
    await page.getByRole('link', { name: 'New banner' }).click();
    await page.getByLabel('Name').fill('Winter');
    await page.getByLabel('Link').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Choose a picture' }).click();
    const file = { name: 'winter.png', mimeType: 'image/png', buffer: png };
    await page.getByLabel('Put a new file').setInputFiles(file);
    await page.locator('article .picture img').waitFor();
    expect(await page.getByLabel('Picture', { exact: true }).last().inputValue()).toBe('/files/winter.png');
    await page.getByLabel('sidebar').check();
    await page.getByLabel('From').focus();
    await page.keyboard.type('02');
    await page.getByLabel('Until').focus();
    await page.getByText('Give the date and the time').waitFor();
    await page.locator('form button[type=submit]').click();
    expect(await page.evaluate('document.activeElement.type')).toBe('datetime-local');
    await page.getByLabel('From').fill('2030-01-02T09:30');
    await page.getByText('Only at certain hours').first().click();
    await cell(page, 'Mon 09:00').scrollIntoViewIfNeeded();
    await drag(page, cell(page, 'Mon 09:00'), cell(page, 'Fri 17:00'));
    await page.getByText('Mon, Tue, Wed, Thu, Fri: 09:00–17:59').waitFor();
    await page.getByRole('button', { name: 'Wed', exact: true }).click();
    await page.locator('form button[type=submit]').click();
    const field = page.locator('.field', { has: page.getByLabel('Link') });
    await field.locator('.problem').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Winter');
    await page.getByLabel('Link').fill('https://example.com/winter');
    await page.locator('form button[type=submit]').click();
    await page.getByRole('heading', { name: 'Winter' }).waitFor();
    await page.getByText('Planned').waitFor();
    const line = await page.locator('footer code').innerText();
    expect(line).toMatch(/^hcd banner add --name Winter .*--url https:\/\/example.com\/winter/);
    const id = Number(page.url().split('/').at(-1));
    expect(await shown(id)).toMatchObject({
      ...{ name: 'Winter', image: '/files/winter.png', positions: [2], start: '2030-01-02T09:30:00Z' },
      show_hours: { days: [1, 2, 4, 5], hours: [9, 10, 11, 12, 13, 14, 15, 16, 17] },
    });
    await page.getByLabel('Most clicks').or(page.getByText('Limits')).first().click();
    await page.getByLabel('Most clicks').fill('500');
    await page.getByLabel('From').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await shown(id)).toMatchObject({ name: 'Winter', max_clicks: 500, start: null, positions: [2] });
    await page.getByRole('button', { name: 'Remove', exact: true }).first().click();
    await page.getByRole('button', { name: 'Yes, go on' }).click();
    await page.getByRole('heading', { name: 'Banners' }).waitFor();
  });

  // From here on the page is the same on both databases, and so are its commands, by tests of their own.
  if (kind.name === 'mariadb') return;

  test('a half-filled banner stays while one looks elsewhere, until it is discarded', async () => {
    const page = await open('/new');
    await page.getByLabel('Name').fill('Half of it');
    await page.getByRole('link', { name: 'Deliveries' }).click();
    await page.getByText('There are no receivers yet.').waitFor();
    await page.evaluate(`location.hash = '#/banners/new'`);
    await page.getByText('What you typed here before is not saved yet.').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Half of it');
    await page.getByRole('button', { name: 'Discard it' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('');
  });

  test('hours are chosen with the keys, and painted with a finger', async () => {
    const page = await open('/banner/2', { width: 360, hasTouch: true });
    await page.getByText('Only at certain hours').first().click();
    for (const name of ['Tue', 'Wed', '10:00', '11:00', '12:00']) {
      await page.getByRole('button', { name, exact: true }).press('Space');
    }
    await page.getByText('Tue, Wed: 10:00–12:59').waitFor();
    await page.getByRole('button', { name: '12:00', exact: true }).press('Space');
    await page.getByText('Tue, Wed: 10:00–11:59').waitFor();
    expect(await page.locator('.hour.on').count()).toBe(4);
    await page.getByRole('button', { name: 'Tue', exact: true }).press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Space');
    await page.getByText('Wed: 00:00–00:59').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('Wed, Thu: 00:00–01:59').waitFor();
    await cell(page, 'Sat 20:00').tap();
    await page.getByText('Sat: 20:00–20:59').waitFor();
    await page.locator('form button[type=submit]').click();
    await page.getByText('Saved.').waitFor();
    expect(await shown(2)).toMatchObject({ show_hours: { days: [6], hours: [20] } });
  });

  test('banners are found by state and words, with the reason, and hostile names are texts', async () => {
    const page = await open('/list');
    const table = page.getByRole('region', { name: 'Banners' });
    await table.getByText('Turned off', { exact: true }).waitFor();
    expect(await table.getByText('is turned off').count()).toBe(0);
    await table.getByText('ended on 2020-01-01 00:00').waitFor();
    await page.getByLabel('State').selectOption({ label: 'Running' });
    await table.getByText('1–2 of 2').waitFor();
    expect(await table.getByRole('link').allInnerTexts()).toEqual([hostile, 'Spring sale']);
    await page.getByLabel('Find a banner').fill('spring');
    await table.getByText('1–1 of 1').waitFor();
    await table.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('Nothing found.').waitFor();
    await page.getByLabel('State').selectOption({ label: 'Turned off' });
    await table.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Nothing found.').waitFor();
    expect(await page.title()).toBe('hcd studio');
    expect(await page.locator('footer code').innerText()).toBe('hcd banner enable 1');
  });

  test('statistics say which banner did best and where, by day, position and referrer', async () => {
    const page = await open('/statistics');
    await page.getByText('Best banner: Spring sale with 44 (Clicks). Its best position: sidebar with 30.').waitFor();
    await page.locator('.chart canvas').waitFor();
    await page.getByText('today so far').first().waitFor();
    const referrers = page.getByRole('region', { name: 'By referrer' });
    await referrers.getByText(`https://example.org/${hostile}`).waitFor();
    await referrers.getByText('(without a referrer)').waitFor();
    await page.getByText('The days as a table').click();
    const last = page.getByRole('region', { name: 'Clicks' }).getByRole('row').last();
    expect(await last.innerText()).toMatch(/\(today so far\)\s+4\s+100\s+4\.00 %\s+1/);
    await page.getByLabel('Compare with').selectOption({ label: 'The time before' });
    const compared = page.getByRole('button', { name: /Clicks\s*51\s*\+131\.82 %/ });
    await compared.waitFor();
    await page.reload();
    await compared.waitFor();
    expect(await page.getByLabel('Compare with').inputValue()).toBe('previous');
    const best = page.getByRole('region', { name: 'By banner' }).getByRole('row', { name: /^Spring sale/ });
    await best.getByText('+100.00 %').waitFor();
    expect(await best.innerText()).toMatch(/^Spring sale\s+44\s+22\s+\+100\.00 %/);
    await page.locator('.chart .u-over').hover();
    await page.locator('.u-legend', { hasText: /Clicks\s*:?\s*\d/ }).waitFor();
    await page.getByLabel('Period').selectOption({ label: 'From … to …' });
    await page.getByText(/^From .+ to .+\./).waitFor();
    await page.getByLabel('Period').selectOption({ label: 'Last 7 days' });
    await page.getByRole('button', { name: /Click rate/ }).click();
    await page.getByText(/^Best banner: .* \(Click rate\)\./).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Days as CSV' }).click();
    const csv = await readFile(await (await saved).path(), 'utf8');
    expect(csv.split('\r\n')[0]).toBe('date,impressions,clicks,conversions,ctr,cvr');
    expect(csv.trim().split('\r\n')).toHaveLength(8);
    // Rows in another order come a moment later.
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'By banner' }).getByRole('link', { name: 'Spring sale' }).click();
    await page.getByRole('button', { name: /Clicks\s*44/ }).waitFor();
    await page.getByRole('region', { name: 'By position' }).getByRole('link', { name: 'sidebar' }).click();
    await page.getByRole('button', { name: /Clicks\s*30/ }).waitFor();
    expect(await page.title()).toBe('hcd studio');
  });

  test('a position says why a banner is not shown, and its banners are moved by keys and by mouse', async () => {
    const page = await open('/positions');
    await page.getByRole('link', { name: 'header' }).click();
    await page.getByText('1 of 4 banners can be shown now.').waitFor();
    await page.getByText('is only for the page "Tents" (1)').waitFor();
    await page.getByRole('button', { name: 'Move Boots' }).focus();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Boots is now 3 of 4.').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Boots is now 2 of 4.').waitFor();
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Boots');
    const handles = page.locator('.handle');
    await drag(page, handles.nth(3), handles.nth(0));
    await page.getByRole('button', { name: 'Save the order' }).click();
    await page.getByRole('button', { name: 'Save the order' }).waitFor({ state: 'detached' });
    const { data } = (await db.json('position order header')) as { data: { ad: number }[] };
    expect(data.map(({ ad }) => ad)).toEqual([3, 1, 4, 2]);
    await page.getByText('For another page or time').click();
    await page.getByLabel('Page', { exact: true }).click();
    await page.getByLabel('Find a page').fill('Tents');
    await page.locator('.found li:nth-child(2)').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Tents' }).click();
    await page.getByText('2 of 4 banners can be shown now.').waitFor();
  });

  test('a site without banners says so', async () => {
    const empty = await prepareCliDatabase(await kind.url());
    const page = await open('/list', { of: empty });
    await page.getByText('There is no banner yet.').waitFor();
    await page.getByRole('link', { name: 'Statistics' }).click();
    await page.getByText('No clicks or impressions in this time.').first().waitFor();
    await page.getByRole('link', { name: 'Positions' }).click();
    await page.getByText('There are no positions yet.').waitFor();
  });

  test('ten thousand banners have pages', async () => {
    const many = await prepareCliDatabase(await kind.url());
    await many.run('position add wall');
    await many.run('banner add --name "Banner 1" --positions 1');
    const now = Math.floor(systemClock.now() / 1000);
    for (let first = 2; first <= 10_000; first += 500) {
      const ids = Array.from({ length: Math.min(500, 10_001 - first) }, (_, index) => first + index);
      const sql = (row: string) => ids.map(() => row).join(', ');
      await many.sql(`INSERT INTO hcd_ads (id, name, created_on, edited_on) VALUES ${sql('(?, ?, ?, ?)')}`, [
        ids.flatMap((id) => [id, `Banner ${id}`, now, now]),
      ]);
      await many.sql(`INSERT INTO hcd_ad_links (ad, position, idx) VALUES ${sql('(?, 1, ?)')}`, [
        ids.flatMap((id) => [id, id]),
      ]);
    }
    const page = await open('/list', { of: many });
    await page.getByText('1–25 of 10000').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('link', { name: 'Banner 9975', exact: true }).waitFor();
    await page.getByLabel('Find a banner').fill('Banner 77');
    await page.getByText('1–25 of 111').waitFor();
    await page.evaluate(`location.hash = '#/banners/positions/1'`);
    await page.getByText('These are the first 200 of 10000 banners.').waitFor();
  });

  const views = ['/list', '/statistics', '/banner/1', '/positions/1'].flatMap((place) => [
    { place, width: 360, scheme: 'dark' as const },
    { place, width: 1280, scheme: 'light' as const },
  ]);
  it.each(views)('$place breaks no rule of accessibility at $width px, and fits', async ({ place, width, scheme }) => {
    const page = await open(place, { width });
    await page
      .getByText(/Spring sale/)
      .first()
      .waitFor();
    for (const details of await page.locator('main details > summary').all()) await details.click();
    await expectUsable(page, [scheme]);
  });
});
