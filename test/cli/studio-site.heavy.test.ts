/** The room Site of Studio in a real browser: state, problems, credentials, settings, audit log and resources. */
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { serializePhpValue } from '../../src/content/rules/php-value.js';
import { type CliDatabase, prepareCliDatabase } from '../support/cli-database.js';
import { seed } from '../support/seed.js';
import { atEachWidth, describeStudio, expectUsable, hostile, type View } from '../support/studio-page.js';

const tabs = ['State', 'Problems', 'Resources', 'Access', 'Settings', 'Audit log'] as const;

const page_ = { alias: '', uri: '', published: 1, template: 1, context_key: 'web' };
const tables = {
  site_templates: [{ id: 1, templatename: 'Article', content: '' }],
  site_tmplvars: [
    { id: 1, type: 'option', name: 'colour', caption: 'Colour of it', elements: 'Deep red==red||Blue==blue' },
    { id: 2, type: 'checkbox', name: 'seasons', caption: 'Seasons', elements: 'Spring||Winter' },
    { id: 3, type: 'text', name: 'note', caption: hostile.slice(0, 70), elements: '' },
    { id: 4, type: 'resourcelist', name: 'related', caption: 'Related page', elements: '' },
    ...[
      { id: 5, type: 'number', name: 'price', caption: 'Price', rules: { minValue: 1, maxValue: 99, allowBlank: '0' } },
      { id: 6, type: 'text', name: 'sku', caption: 'Article', rules: { maxLength: 8, regex: '[A-Z0-9]+' } },
    ].map(({ rules, ...tv }) => ({ ...tv, elements: '', input_properties: serializePhpValue(rules) })),
  ],
  site_tmplvar_contentvalues: [{ id: 1, tmplvarid: 4, contentid: 1, value: '4' }],
  site_tmplvar_templates: [1, 2, 3, 4, 5, 6].map((tmplvarid) => ({ tmplvarid, templateid: 1, rank: tmplvarid })),
  site_content: [
    { ...page_, id: 1, pagetitle: 'Start', alias: 'start', uri: 'start.html' },
    { ...page_, id: 2, pagetitle: hostile, alias: 'evil', uri: 'evil.html', published: 0 },
    ...Array.from({ length: 118 }, (_, at) => {
      const name = `p${at + 3}`;
      return { ...page_, id: at + 3, pagetitle: `Page ${at + 3}`, alias: name, uri: `${name}.html`, template: 0 };
    }),
  ],
};

describeStudio('the site of Studio', (kind, openStudio) => {
  let db: CliDatabase;

  beforeAll(async () => {
    db = await prepareCliDatabase(await kind.url(), (store) => seed(store, tables));
    await db.run(['key', 'create', '--scopes', 'resources.read', '--name', hostile.slice(0, 90)]);
  });

  async function open(tab: (typeof tabs)[number], view: View = {}): Promise<Page> {
    const { page } = await openStudio(db.url, view);
    await page.getByRole('link', { name: 'Site', exact: true }).click();
    await page.getByRole('link', { name: tab, exact: true }).click();
    return page;
  }

  const rows = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).locator('tbody tr');

  test('shows the state of the site', async () => {
    const page = await open('State');
    await page.getByText('No server is running.').waitFor();
    expect(await rows(page, 'Requests of the last 5 minutes').count()).toBe(3);
    await page.getByText(kind.name === 'sqlite' ? /^SQLite 3/ : /^MariaDB \d/).waitFor();
  });

  // From here on the page is the same on both databases, and so are its commands, by tests of their own.
  if (kind.name === 'mariadb') return;

  test('mends a finding with a button, or with a form where something is missing', async () => {
    await db.run('setting set gateway_csrf_enabled 0');
    const page = await open('Problems');
    const csrf = page.locator('.cards li', { hasText: 'gateway_csrf_enabled is off' });
    await csrf.getByRole('button', { name: 'Change a setting' }).click();
    await csrf.waitFor({ state: 'detached' });
    expect(await db.json('setting get gateway_csrf_enabled')).toMatchObject({ data: { value: true } });
    expect(await page.locator('footer code').innerText()).toBe('hcd setting set gateway_csrf_enabled 1');
    const address = page.locator('.cards li', { hasText: 'No address is known for' });
    await address.getByRole('button', { name: 'Change a setting' }).click();
    await page.getByRole('dialog').getByLabel('Value').fill('https://site.example');
    await page.getByRole('dialog').getByRole('button', { name: 'Change a setting' }).click();
    await address.waitFor({ state: 'detached' });
  });

  test('makes, rotates and revokes a key, whose secret is shown once', async () => {
    const page = await open('Access');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('preview', { exact: true }).check();
    await dialog.getByLabel('Name', { exact: true }).fill('For the app');
    await dialog.getByRole('button', { name: 'Create an API key' }).click();
    const shown = page.getByRole('dialog', { name: 'Secret', exact: true });
    const secret = await shown.locator('code').innerText();
    expect(secret).toMatch(/^gk_/);
    await shown.getByRole('button', { name: 'Close' }).click();
    const row = rows(page, 'API keys').filter({ hasText: 'For the app' });
    await row.getByText('never').first().waitFor();
    await row.getByRole('button', { name: 'New secret' }).click();
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('button', { name: 'Yes, go on' }).click();
    expect(await shown.locator('code').innerText()).not.toBe(secret);
    await shown.getByRole('button', { name: 'Close' }).click();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/^Revoke key .*For the app/).waitFor();
    await page.getByRole('button', { name: 'Yes, go on' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await page.content()).not.toContain(secret);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  test('has pages of many credentials', async () => {
    const many = await prepareCliDatabase(await kind.url());
    await many.run('key create --scopes preview --name First');
    const columns = 'name, secret_hash, scopes, created_on, created_by';
    await many.sql(
      `INSERT INTO hcd_api_keys (lookup_id, ${columns}) SELECT ?, ${columns} FROM hcd_api_keys WHERE id = 1`,
      Array.from({ length: 60 }, (_, count) => [`copy${count}`]),
    );
    const { page } = await openStudio(many.url);
    await page.evaluate(`location.hash = '#/site/access'`);
    const next = page.getByRole('navigation', { name: 'Pages: API keys' }).getByRole('button', { name: 'Next' });
    await next.click();
    await page.getByText('51–61 of 61').waitFor();
    expect(await rows(page, 'API keys').count()).toBe(11);
  });

  test('changes a setting by its type, says what is wrong with a value, and resets it', async () => {
    const page = await open('Settings');
    await page.getByRole('searchbox', { name: 'Find' }).fill('largest page of a list');
    await page.keyboard.press('Enter');
    const row = rows(page, 'Settings').filter({ hasText: 'gateway_max_limit' });
    await row.getByText('Largest page of a list.').waitFor();
    await row.getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'gateway_max_limit' });
    await dialog.getByText(/A whole number from 1 to 10000/).waitFor();
    await dialog.getByLabel('Value').fill('many');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.problem', { hasText: 'must be an integer from 1 to 10000' }).waitFor();
    await dialog.getByLabel('Value').fill('77');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('77').waitFor();
    await row.getByRole('button', { name: 'Reset' }).click();
    await row.getByText('77').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Find' }).fill('gateway_debug_does_not_exist');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found.').waitFor();
    await rows(page, 'Configuration of the process').filter({ hasText: 'Database of the content' }).first().waitFor();
  });

  test('filters the audit log, and turns it on', async () => {
    await db.run('setting unset gateway_audit_enabled');
    const page = await open('Audit log');
    await page.getByRole('button', { name: 'Record requests from now on' }).click();
    await page.getByRole('button', { name: 'Record requests from now on' }).waitFor({ state: 'detached' });
    await page.getByLabel('Method').selectOption('RUN');
    await rows(page, 'Audit log').filter({ hasText: 'hcd setting set gateway_audit_enabled' }).first().waitFor();
    await page.getByLabel('Status').fill('nonsense');
    await page.keyboard.press('Enter');
    await page.getByText(/--status must be a status from 100 to 599/).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText(/--status must be/).waitFor({ state: 'detached' });
  });

  test('pages and filters resources on the server, hostile ones as texts', async () => {
    const page = await open('Resources');
    await page.getByText('1–50 of 120').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('51–100 of 120').waitFor();
    await page.getByLabel('Published').selectOption({ label: 'No' });
    await page.getByText('1–1 of 1', { exact: true }).waitFor();
    await rows(page, 'Resources').filter({ hasText: '<img src=x' }).waitFor();
    expect(await rows(page, 'Resources').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Field=value').fill('pagetitle[like]=Page 11%');
    await page.keyboard.press('Enter');
    await page.getByText('1–11 of 11').waitFor();
    await page.getByLabel('Field=value').fill('nonsense[like]=1');
    await page.keyboard.press('Enter');
    await page.locator('.notice', { hasText: 'nonsense' }).waitFor();
    expect(await page.title()).toBe('hcd studio');
  });

  test('changes fields and template variables by their type, with problems beside them', async () => {
    const page = await open('Resources');
    await page.getByRole('link', { name: 'Start' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Beginning');
    await page.getByLabel('Colour of it').selectOption({ label: 'Deep red' });
    await page.getByRole('group', { name: 'Seasons' }).getByLabel('Winter').check();
    await page.getByLabel('Related page').getByText('Page 4').click();
    await page.getByLabel('Find a page').fill('Page 5');
    await page.getByRole('dialog').getByText('Page 4', { exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Page 5 /p5.html' }).click();
    await page.getByLabel('Related page').getByText('Page 5').waitFor();
    await page.getByLabel('Publish on', { exact: true }).fill('tomorrow');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.field.wrong', { hasText: 'Publish on' }).locator('.problem').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Beginning');
    await page.getByLabel('Publish on', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { name: 'Beginning Published' }).waitFor();
    const tvs = expect.objectContaining({ colour: 'red', seasons: 'Winter', related: '5' });
    const shown = await db.json('resource show 1 --tvs --fields pagetitle,pub_date');
    expect(shown).toEqual({ data: { pagetitle: 'Beginning', pub_date: null, tvs } });
    expect(await page.locator('footer code').innerText()).toBe(
      'hcd resource update 1 --tv colour=red --tv seasons=Winter --tv related=5 --pagetitle Beginning --events',
    );
  });

  test('says what a field accepts before it is saved', async () => {
    const { page } = await openStudio(db.url);
    await page.evaluate(`location.hash = '#/site/resources/1'`);
    const said = async (label: string) => {
      const input = page.getByLabel(label, { exact: true });
      return page.locator(`[id="${await input.getAttribute('aria-describedby')}"]`).innerText();
    };
    expect(await said('Price (required)')).toBe('A number from 1 to 99');
    expect(await said('Article')).toBe('At most 8 characters. In the form [A-Z0-9]+');
    expect(await said('Title')).toBe('At most 191 characters');
    // What is pasted is not cut off without a word: the command says what is wrong.
    await page.getByLabel('Article', { exact: true }).pressSequentially('ABCDEFGHIJ');
    expect(await page.getByLabel('Article', { exact: true }).inputValue()).toBe('ABCDEFGHIJ');
    await page.evaluate(`location.hash = '#/banners/new'`);
    await page.getByText('Limits', { exact: true }).click();
    expect(await said('Most clicks')).toBe('A whole number from 0 to 4294967295');
    await page.getByText('Only on certain pages', { exact: true }).click();
    expect(await said('Tags')).toMatch(/At most \d+ entries. At most \d+ characters. In the form \[a-z0-9_-\]\+$/);
    await page.evaluate(`location.hash = '#/commands/element%20create'`);
    await page.getByText('Optional', { exact: true }).click();
    expect(await said('Caption')).toMatch(/At most 80 characters$/);
  });

  test('makes a resource and unpublishes it', async () => {
    const page = await open('Resources');
    await page.getByRole('link', { name: 'New resource' }).click();
    await page.getByLabel('Title', { exact: true }).fill('Made here');
    await page.getByLabel('Published', { exact: true }).selectOption({ label: 'Yes' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Made here Published' }).waitFor();
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByRole('heading', { name: 'Made here Not published' }).waitFor();
  });

  test('changes nothing with --read-only', async () => {
    const page = await open('State', { flags: '--read-only' });
    for (const tab of tabs.filter((one) => one !== 'Resources')) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { name: tab, level: 1 }).waitFor();
      await page.locator('main table, main .cards, main dl').first().waitFor();
      const names = await page.locator('main').getByRole('button').allInnerTexts();
      expect(names.filter((name) => !['Check again', 'Running …', 'Next', 'Previous'].includes(name))).toEqual([]);
    }
    await page.getByRole('link', { name: 'Resources' }).click();
    await page.getByText('of 1', { exact: false }).first().waitFor();
    expect(await page.getByRole('link', { name: 'New resource' }).count()).toBe(0);
  });

  atEachWidth(async (view) => {
    const page = await open('State', view);
    for (const tab of tabs) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { name: tab, level: 1 }).waitFor();
      await page.locator('main :is(table, .cards, dl, p[role="status"]:not(.busy))').first().waitFor();
      await expectUsable(page);
    }
    await page.getByRole('link', { name: 'Resources' }).click();
    await page.getByRole('link', { name: 'Page 4', exact: true }).click();
    await page.getByLabel('Title', { exact: true }).waitFor();
    await expectUsable(page);
  });
});
